import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {ZonePast} from '../../infer/zonePast.ts';
import {type Interval, intersect} from '../../observe/interval.ts';
import {goDuration} from '../../words.ts';
import {isWithin, type LearnedSettings} from './learnedSetting.ts';
import {type PastZone, timeToWrite, writeWait} from './pastZones.ts';

/** The queue is processed every 100 ms, and a taint is dated when it is made. */
export const polling: Duration = second / 5;
/** When a node got its taint, as observed, and by the taint's own time if that is of the same taint. */
export type ZoneTaint = {
	readonly at: Interval;
	readonly own: Interval | undefined;
	/** The latest time at which a pass had queued the node for it. */
	readonly queuedBy: Instant;
};

/** Taints of a zone whose nodes each waited for a token, while nothing else may have taken one. */
type Series = {
	/** How many. */
	readonly taints: number;
	/** How long the zone's bucket took for a token. */
	readonly token: Interval;
	readonly zonePast: ZonePast;
};

/**
 * Learns the rate at which a zone taints from its latest nodes that waited for a token: it is the setting that applies to the
 * zone's state by the settings in use. Two equal distances show a rate; one confirms the rate in use.
 */
export function learnPace(taints: readonly ZoneTaint[], past: PastZone): LearnedSettings {
	const changes = changesSince(taints[0]?.at.lo ?? 0, past);
	for (let count = taints.length; count >= 2; count -= 1) {
		const series = lastSeries(taints.slice(0, count), changes, past);
		const learned = series && paceOf(series, past);
		if (learned) return learned;
	}
	return {};
}

function paceOf({taints, token, zonePast}: Series, {label}: PastZone): LearnedSettings | undefined {
	if (token.lo <= 0) return undefined;
	const range = [second / token.hi, second / token.lo] as const;
	if (taints < 3 && !isWithin(zonePast.rate, range)) return undefined;
	const apart = goDuration(Math.round((token.lo + token.hi) / 200) * 100);
	const observations = [`zone ${label} tainted ${taints} waiting nodes ${apart} apart`];
	if (zonePast.state !== 'PartialDisruption') return {nodeEvictionRate: {range, observations}};
	const {notReady, size} = zonePast.count;
	return {
		secondaryNodeEvictionRate: {range, observations},
		unhealthyZoneThreshold: {range: [0, notReady / size], observations},
		largeClusterSizeThreshold: {range: [0, size - 1], observations},
	};
}

/** The longest series that ends with the last of a zone's taints, which are in order of time. */
function lastSeries(
	taints: readonly ZoneTaint[],
	changes: readonly Interval[],
	past: PastZone,
): Series | undefined {
	const last = taints.at(-1);
	let series: Series | undefined;
	for (let first = taints.length - 2; first >= 0; first -= 1) {
		const [from, to] = [taints[first], taints[first + 1]];
		const tokens = taints.length - 1 - first;
		const apart = from && to && tokensApart(from, to, 1);
		const whole = from && last && tokensApart(from, last, tokens);
		if (!apart || !whole || mayHaveChanged(from, last, changes) || wasLong(from, to, past)) break;
		const zonePast = unchangedZone(from, last, past);
		const common = intersect(apart, whole);
		const token = common && (series ? intersect(series.token, common) : common);
		// A zone that goes on though it should have stopped has some rate all the same.
		if (!token || !zonePast || (zonePast.rate <= 0 && zonePast.state !== 'PartialDisruption')) break;
		series = {taints: tokens + 1, token, zonePast};
	}
	return series;
}

/** When nodes of a zone changed: one that is back, or gone, may have taken a token. */
const changesSince = (since: Instant, {nodes, observed: {affected}}: PastZone): readonly Interval[] => [
	...nodes.flatMap(({readyChangedAt: at}) => (at && at.hi > since ? at : [])),
	...affected.deleted.map(({at}) => at),
];

const mayHaveChanged = (from: ZoneTaint, last: ZoneTaint, changes: readonly Interval[]) =>
	changes.some(({lo, hi}) => hi > (from.own ?? from.at).hi && lo < (last.own ?? last.at).lo);

/** Whether a pass was long meanwhile: it queues nodes again that are tainted while it lasts, and each takes a token for nothing. */
const wasLong = ({at: {lo}}: ZoneTaint, {at: {hi}}: ZoneTaint, {before, observed}: PastZone) =>
	timeToWrite({lo: lo - before, hi}, observed) + writeWait > before;

/** How long a token took if this many lie between two taints; undefined if the later node may not have waited for its own. */
function tokensApart(
	{own: from}: ZoneTaint,
	{own: to, queuedBy}: ZoneTaint,
	tokens: number,
): Interval | undefined {
	if (!from || !to || queuedBy > to.lo - polling) return undefined;
	return {lo: (to.lo - from.hi - polling) / tokens, hi: (to.hi - from.lo + polling) / tokens};
}

/** A zone by the settings in use, if it had one rate from before a taint until another. */
function unchangedZone({own: from}: ZoneTaint, {own: to}: ZoneTaint, past: PastZone): ZonePast | undefined {
	if (!from || !to) return undefined;
	const since = from.lo - past.before;
	const first = past.at(since);
	return first && past.hadRate(first.rate, [since, from.lo, to.hi]) ? first : undefined;
}
