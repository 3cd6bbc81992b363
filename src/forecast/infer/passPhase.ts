import {ascending} from '../../core/collections/ascending.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isUnknownNode} from '../../core/model/node.ts';
import type {SettingsSpan} from '../../core/model/settingsSpan.ts';
import {taintUnreachable} from '../../core/model/taint.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Evidence} from '../observe/evidence.ts';
import {type Interval, intersect, middle, shift, width} from '../observe/interval.ts';
import {type ClientLimits, passDuration} from '../observe/latencies.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import {isSilent, mayLive} from '../observe/nodes/nodeLiveness.ts';
import type {ObservedState} from '../observe/observed.ts';
import {groupIntoPasses, type Pass, type PassLimits} from '../observe/passes/groupIntoPasses.ts';
import type {PassObservation} from '../observe/passes/passObservations.ts';

/** When monitor passes begin, and the time from one to the next. */
export type PassPhase = Readonly<{
	/** When the next pass begins. It may be at work already if this starts before `now`. */
	begins: Interval;
	/** From one pass to the next, if it has nothing to write. */
	period: Interval;
	/** The same without the reads of silent nodes' leases. */
	idlePeriod: Interval;
	/** The observed passes that their writes stretched. */
	stretchedPasses: readonly Pick<Pass, 'began' | 'extraWork' | 'lastWrite'>[];
	/** What shows the phase, in words. */
	source: string;
}>;

/** A pass counts as stretched if its writes extended it by more than this. */
export const stretchedFrom: Duration = second / 2;

/**
 * Determines when the next pass begins, from the passes that were observed (`ControllerEvidence.observations`). Each is
 * moved to the present by whole periods, which widens its interval. The narrowest wins. It is intersected with the
 * others, unless the period is uncertain by a second or more. If none was observed, the next one may begin
 * at any instant of the coming period.
 *
 * @param duration of a pass that has nothing to read or write
 * @param reads the longest time that a pass reads leases, in milliseconds
 */
export function passPhase(
	observations: readonly PassObservation[],
	settings: PassLimits,
	duration: Interval,
	now: Instant,
	reads: Duration = 0,
): PassPhase {
	const {nodeMonitorPeriod} = settings;
	const idlePeriod = shift(duration, nodeMonitorPeriod);
	// Earlier passes had fewer leases to read, if any.
	const period = {lo: idlePeriod.lo, hi: idlePeriod.hi + reads};
	const passes = groupIntoPasses(
		observations.filter(({at}) => at.lo <= now),
		settings,
	).map((pass) => ({...pass, began: {lo: pass.began.lo - reads, hi: pass.began.hi}}));
	const carried = passes
		.map((pass) => ({begins: carry(pass, passes, period, now, settings), source: pass.source}))
		.filter(({begins}) => width(begins) < nodeMonitorPeriod)
		.toSorted(ascending(({begins}) => width(begins)));
	const [best, ...others] = carried;
	const stretchedPasses = passes.filter(({extraWork}) => extraWork > stretchedFrom);
	if (!best) {
		// The last pass that was seen was over after its last write.
		const soonest = (passes.at(-1)?.lastWrite.lo ?? beginningOfTime) + period.lo;
		return {
			begins: {lo: Math.max(now, soonest), hi: now + period.hi},
			period,
			idlePeriod,
			stretchedPasses,
			source: 'nothing shows when the controller last looked',
		};
	}
	// If the period is unknown, the number of passes between two observations is unknown too.
	const agreeing = width(period) < second ? others : [];
	const begins = agreeing.reduce(
		(range, other) => commonOf(range, other.begins, nodeMonitorPeriod) ?? range,
		best.begins,
	);
	return {begins, period, idlePeriod, stretchedPasses, source: best.source};
}

function carry(
	{began}: Pass,
	all: readonly Pass[],
	period: Interval,
	now: Instant,
	{kubeApiQps}: ClientLimits,
): Interval {
	const work = all.reduce((sum, pass) => sum + (pass.began.hi >= began.lo ? pass.extraWork : 0), 0);
	const passesBy = (then: Instant) => Math.floor((then - began.hi) / period.hi) + 1;
	// Passes whose writes wait for the throttled client are long, so that fewer of them have begun.
	const waited = kubeApiQps > 0 ? work : 0;
	const passes = Math.max(Math.min(1, passesBy(now)), 0, passesBy(now - waited));
	return {
		lo: began.lo + passes * period.lo,
		hi: began.hi + passes * period.hi + (passes > 0 ? work : 0),
	};
}

/**
 * The intersection of a range with another one, moved by whole periods. If two moves meet the range, one at each end,
 * the result spans both.
 */
function commonOf(range: Interval, other: Interval, period: Duration): Interval | undefined {
	const nearest = Math.round((range.lo + range.hi - other.lo - other.hi) / 2 / period);
	const common = [-1, 0, 1].flatMap((by) => intersect(range, shift(other, (nearest + by) * period)) ?? []);
	const [first, last] = [common[0], common.at(-1)];
	return first && last && {lo: first.lo, hi: last.hi};
}

/** A possible period of the passes, and when they begin with it. */
export type Pace = {
	readonly nodeMonitorPeriod: Duration;
	readonly phase: PassPhase;
	/** Whether it is tried with a quantile of the other unknowns. */
	readonly isTriedAt: (quantile: number) => boolean;
};

/**
 * The periods to try, the longest first. If the period is a range, both ends are tried: with a short one everything may come
 * earlier; with a long one nodes are queued together, so that any of them may be the first. The likeliest gives the expected
 * time.
 */
export function pacesOf(
	{passObservations, nodes}: Evidence,
	{earlyEnd, usual, lateEnd}: SettingsSpan,
	now: Instant,
	reads: Duration,
): readonly [Pace, ...Pace[]] {
	const duration = passDuration(nodes.size);
	const likeliest = {
		nodeMonitorPeriod: usual.nodeMonitorPeriod,
		phase: passPhase(passObservations, usual, duration, now, reads),
	};
	if (earlyEnd.nodeMonitorPeriod === lateEnd.nodeMonitorPeriod)
		return [{...likeliest, isTriedAt: () => true}];
	const paceOf = (settings: ControllerSettings): Pace => {
		const {nodeMonitorPeriod} = settings;
		const apart = {
			lo: duration.lo + earlyEnd.nodeMonitorPeriod - nodeMonitorPeriod,
			hi: duration.hi + lateEnd.nodeMonitorPeriod - nodeMonitorPeriod,
		};
		const {begins: found, stretchedPasses, source} = passPhase(passObservations, settings, apart, now, reads);
		const idlePeriod = shift(duration, nodeMonitorPeriod);
		const period = {lo: idlePeriod.lo, hi: idlePeriod.hi + reads};
		const begins = {lo: found.lo, hi: Math.min(found.hi, Math.max(now, found.lo) + period.hi)};
		return {
			nodeMonitorPeriod,
			phase: {begins, period, idlePeriod, stretchedPasses, source},
			isTriedAt: (quantile) => quantile !== middle,
		};
	};
	return [paceOf(lateEnd), paceOf(earlyEnd), {...likeliest, isTriedAt: (quantile) => quantile === middle}];
}

/** After this many periods, passes have done everything that they do to a node. */
const settledAfter = 4;

/** Whether passes have long done everything that they do to the affected nodes: the start of the next one changes nothing. */
export function isLongSettled({evidence, affected, settings, now}: ObservedState) {
	const {nodes, deleted} = affected;
	const since = now - settledAfter * settings.nodeMonitorPeriod;
	const isOld = (at: Interval | undefined) => at !== undefined && at.hi < since;
	return (
		settings.taintBasedEvictions &&
		deleted.length === 0 &&
		evidence.controllersStarted.lo < since &&
		nodes.every(
			(one) =>
				isUnknownNode(one.node) &&
				lifecycleTaint(one.node)?.key === taintUnreachable &&
				isOld(one.readyChangedAt) &&
				isOld(one.taintedAt) &&
				isSilent(one, now) &&
				!mayLive(one, now),
		)
	);
}
