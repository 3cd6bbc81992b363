import {firstIndex} from '../../core/collections/firstIndex.ts';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import {hourAndMinuteBeside} from '../../dates/format.ts';
import {type TimeZone, utc} from '../../dates/timeZone.ts';
import type {PassForecast} from '../../forecast/forecast.ts';
import type {NodeForecast, NodeVerdict} from '../../forecast/nodeForecast.ts';
import {Range} from '../../forecast/range.ts';
import {capitalized, count, taintPace, uncapitalized} from '../../forecast/words.ts';
import type {ZoneForecast, ZoneStop} from '../../forecast/zoneForecast.ts';
import {calmOf, possibleText} from '../../print/whyNotYet.ts';
import type {PodDigest, ShownForecast} from './digest.ts';
import {type Risk, riskWords} from './risks.ts';
import {age, clockSpan, countdown, inWords} from './spans.ts';

/** The severity, which decides the colour of the headline. */
export type Alarm = 'calm' | 'watch' | 'alarm';
const soon: Duration = 5 * minute;

/** The state of the cluster in sentences that can be pasted into a chat: what is evicted, and what has stopped. */
export function headlineOf(
	forecast: ShownForecast,
	now: Instant,
	timeZone: TimeZone = utc,
	risks: readonly Risk[] = [],
	isReading = false,
) {
	const {pods: digest} = forecast.digest;
	const stop = wholeStop(forecast.zones, now, timeZone);
	const clauses = stop
		? [stop, heldClause(digest), comingClause(digest, now, timeZone, 'will still be evicted')]
		: [
				overdueClause(digest),
				isOnlyByKubelet(digest) ? undefined : comingClause(digest, now, timeZone),
				...(digest.coming.length > 0 || risks.length > 0 ? silenceClauses(forecast, now) : []),
				...zoneClauses(forecast),
			];
	const others = [passClause(forecast.pass, now), pressureClause(forecast.nodes, now)];
	const isQuiet = [...clauses, ...others].every((clause) => clause === undefined);
	const sentences = [
		...(isQuiet ? [quietClause(forecast, now, isReading)] : clauses),
		...riskClauses(risks, now),
		...others,
	].filter((clause) => clause !== undefined);
	return {text: `${sentence(sentences.join('; '))}.`, alarm: alarmOf(forecast, digest)};
}

function alarmOf(forecast: ShownForecast, {coming, counts}: PodDigest): Alarm {
	const {zones} = forecast;
	const isStopped = zones.some(({stopped}) => stopped !== undefined);
	if (isStopped || counts.Held > 0 || counts.Scheduled + counts.Expected + counts.Overdue > 0) return 'alarm';
	const isShort = forecast.nodes.some(isUnderPressure);
	return coming.length > 0 || forecast.digest.nodes.troubled.length > 0 || isShort ? 'watch' : 'calm';
}

/** What stops the evictions of the whole cluster. */
function wholeStop(zones: readonly ZoneForecast[], now: Instant, timeZone: TimeZone): string | undefined {
	const stops = zones.flatMap(({stopped}) => stopped ?? []);
	const down = stops.find(({kind}) => kind === 'ControllerDown');
	if (down)
		return `no controller is running${since(down, now, timeZone)}: nothing is evicted, and every countdown starts again when one does`;
	const all = stops.find(({kind}) => kind === 'AllZonesDown');
	return (
		all &&
		`all zones are down${since(all, now, timeZone)}: evictions are stopped${zones.length > 1 ? ' until a node recovers' : zones.map(untilBack).join('')}`
	);
}

/** How many nodes must recover before a stopped zone evicts again. */
function untilBack({toNextState}: ZoneForecast): string {
	const back = toNextState.find(({nodesBack, rate}) => nodesBack !== undefined && rate > 0)?.nodesBack;
	return back === undefined ? '' : ` until ${back} ${back === 1 ? 'node recovers' : 'nodes recover'}`;
}

const since = ({since: at}: ZoneStop, now: Instant, timeZone: TimeZone): string =>
	at === null ? '' : ` since ${hourAndMinuteBeside(at, now, timeZone)}`;

function zoneClauses(forecast: ShownForecast): readonly string[] {
	const {zones} = forecast;
	const stopped = zones.filter((zone) => zone.stopped?.kind === 'ZoneStopped');
	if (stopped.length > 2) {
		const nodes = stopped.reduce((sum, {notReady}) => sum + notReady, 0);
		return [`evictions in ${stopped.length} zones are stopped, with ${nodes} nodes not ready`];
	}
	return [
		...stopped.map((zone) => stoppedClause(zone, forecast)),
		...zones
			.filter(isSlowed)
			.slice(0, 2)
			.map((zone) => slowedClause(zone, forecast)),
	];
}

function stoppedClause(zone: ZoneForecast, {digest}: ShownForecast): string {
	const {notReady, size} = zone;
	return `evictions in zone ${digest.names.shortZone(zone.zone)} are stopped${untilBack(zone)} (${notReady} of ${size} not ready)`;
}

const isSlowed = ({state, stopped, queue, rate}: ZoneForecast): boolean =>
	state === 'PartialDisruption' && !stopped && rate > 0 && queue.length > 0;

const slowedClause = ({zone, notReady, size, rate}: ZoneForecast, forecast: ShownForecast): string =>
	`zone ${forecast.digest.names.shortZone(zone)} evicts slowly: ${notReady} of ${size} nodes not ready, ${taintPace(rate)}`;

const overdueClause = ({counts: {Overdue: overdue}}: PodDigest): string | undefined =>
	overdue === 0 ? undefined : `${count(overdue, 'pod')} overdue`;

const heldClause = ({counts: {Held: held}}: PodDigest): string | undefined =>
	held === 0 ? undefined : `${count(held, 'pod')} held`;

/** What is evicted, and when. @param will the verb: 'will still be evicted' if evictions are stopped */
function comingClause(
	{sure, begins, ends, counts}: PodDigest,
	now: Instant,
	timeZone: TimeZone,
	will = 'will be evicted',
): string | undefined {
	const [first] = sure;
	const {Unsure: unsure} = counts;
	if (!first?.eviction) return unsure > 0 ? `${count(unsure, 'pod')} might be evicted` : undefined;
	// Any pod of the overlapping ranges may be evicted first, at the latest when the first range has ended.
	const latest = ends[0] ?? null;
	const at = inWords(countdown(new Range(begins[0] ?? 0, first.eviction.expected, latest), now));
	if (sure.length === 1)
		return `${first.namespace}/${first.name} ${will} ${at}${unsure > 0 ? `, ${unsure} more might be` : ''}`;
	const countSoon = (times: Float64Array) =>
		firstIndex(times.length, (index) => (times[index] ?? 0) > now + soon);
	const [surelySoon, maybeSoon] = [countSoon(ends), countSoon(begins)];
	const [may, later] = [maybeSoon - surelySoon + unsure, sure.length - maybeSoon];
	const last = lastWords(sure.length, ends, now, timeZone).map((words) => `, ${words}`);
	if (maybeSoon === 0)
		return `${count(later, 'pod')} ${will} later, the first ${at}${last}${may > 0 ? `, ${may} more might be` : ''}`;
	const soonWords =
		surelySoon > 0
			? [
					`${count(surelySoon, 'pod')} ${will} in the next 5 min`,
					...(may > 0 ? [`${may} more might be`] : []),
				]
			: [`up to ${count(may, 'pod')} ${will} in the next 5 min`];
	return [
		...soonWords,
		...(later > 0 ? [`${later} later`] : []),
		`the first ${at}`,
		...lastWords(sure.length, ends, now, timeZone),
	].join(', ');
}

/** When all evictions are over, if that is not soon: `last eviction by 14:32`. */
function lastWords(
	podCount: number,
	ends: Float64Array,
	now: Instant,
	timeZone: TimeZone,
): readonly string[] {
	const end = ends.at(-1);
	if (end === undefined || ends.length < podCount || end <= now + soon) return [];
	return [`last eviction by ${hourAndMinuteBeside(Math.ceil(end / minute) * minute, now, timeZone)}`];
}

/** The silent nodes, from the first seconds on, before any condition changes. */
function silenceClauses(forecast: ShownForecast, now: Instant): readonly string[] {
	const {zones, digest} = forecast;
	const byZone = [...digest.nodes.silence];
	if (byZone.length > 2) {
		const all = byZone.reduce((sum, [, {count}]) => sum + count, 0);
		return [`${all} nodes ${byZone[0]?.[1].word} in ${byZone.length} zones`];
	}
	return byZone.map(([zone, {name, count, word, heardAt, first}]) => {
		const since = heardAt === undefined ? '' : ` for ${age(heardAt, now)}`;
		const turns = first ? `Unknown in ${countdown(first, now)}` : '';
		if (count === 1) return `node ${name} ${word}${since}${turns === '' ? '' : `, ${turns}`}`;
		const size = zones.find((one) => one.zone === zone)?.size ?? count;
		return `zone ${forecast.digest.names.shortZone(zone)}: ${count} of ${size} nodes ${word}${since}${turns === '' ? '' : `, first ${turns}`}`;
	});
}

/** This many workloads and services at risk the sentence names. */
export const mostRisksNamed = 2;

/** Workloads that reach zero or fall below their budget, and services without endpoints; the first by name. */
function riskClauses(risks: readonly Risk[], now: Instant): readonly string[] {
	const named = risks.slice(0, mostRisksNamed).map((risk) => riskWords(risk, now));
	const more = risks.length - named.length;
	return more > 0 ? [...named, `${more} more at risk`] : named;
}

const isUnderPressure = ({pressure}: NodeForecast): boolean => pressure !== undefined;

/** Evictions by kubelets whose nodes are under pressure. */
function pressureClause(nodes: readonly NodeForecast[], now: Instant): string | undefined {
	const short = nodes.filter(isUnderPressure);
	const [first] = short;
	if (!first) return undefined;
	if (short.length > 1) {
		const named = short.length > mostNames ? `${short.length} nodes` : short.map(({name}) => name).join(', ');
		return `${named} run short: their kubelets evict by rules of their own`;
	}
	const what = first.pressure?.conditions.map((name) => name.replace(/Pressure$/, '').toLowerCase());
	const of = what && what.length > 0 ? what.join(' and ') : 'resources';
	const next = first.pressure?.next;
	const whom = next
		? `${next.isCertain ? 'evicts' : 'may evict'} ${next.namespace}/${next.name} ${inWords(countdown(next.when, now))}`
		: 'evicts by rules of its own';
	return `node ${first.name} runs short of ${of}: its kubelet ${whom}`;
}

/** Whether the only coming eviction is by a kubelet, which the pressure clause describes better. */
const isOnlyByKubelet = ({coming}: PodDigest): boolean =>
	coming.length === 1 && coming[0]?.cause?.kind === 'NodePressure';

function passClause(pass: PassForecast | null, now: Instant): string | undefined {
	if (!pass) return undefined;
	const remaining = pass.remaining === 0 ? '' : `, ${pass.remaining} to go`;
	return `the controller is ${clockSpan(now - pass.startedAt)} into a pass (${pass.marked} nodes marked${remaining})`;
}

function quietClause(forecast: ShownForecast, now: Instant, isReading: boolean): string {
	const {nodes, digest} = forecast;
	const {counts} = digest.pods;
	const {troubled} = digest.nodes;
	const held = counts.Held > 0 ? `, ${count(counts.Held, 'pod')} held` : '';
	const calm = calmOf(forecast);
	const expected = isReading ? 'pods are still being read' : uncapitalized(calm.text);
	if (!isReading && calm.evictions === 'possible') {
		// The clauses are of silent nodes if there are any, but it is the late ones that make evictions possible.
		const isOnlyLate = [...digest.nodes.silence.values()].every(({word}) => word === 'late');
		return uncapitalized(isOnlyLate ? possibleText(silenceClauses(forecast, now)) : calm.text);
	}
	if (troubled.length > 0) return `${expected}${held}: ${nodeWords(troubled)}`;
	if (calm.evictions === 'unknown') return expected;
	return `${expected}: ${nodes.length === 1 ? 'the node is' : `all ${nodes.length} nodes are`} well`;
}

const mostNames = 3;

function nodeWords(nodes: readonly NodeForecast[]): string {
	const subject = nodes.length > mostNames ? `${nodes.length} nodes` : nodes.map(({name}) => name).join(', ');
	const counts = [...Map.groupBy(nodes, ({verdict}) => verdict)];
	const states = counts.map(
		([verdict, {length}]) => (counts.length === 1 ? '' : `${length} `) + verdictWord[verdict],
	);
	return `${subject} ${nodes.length === 1 ? 'is' : 'are'} ${states.join(', ')}`;
}

const verdictWord: Readonly<Record<NodeVerdict, string>> = {
	Healthy: 'well',
	Late: 'late',
	Silent: 'silent',
	NotReady: 'not ready',
	Unknown: 'Unknown',
	Queued: 'waiting for the taint',
	Held: 'held',
	Tainted: 'tainted',
	Evicted: 'evicted',
	Recovering: 'recovering',
};

const sentence = (text: string): string => (/^[a-z][a-z-]*\//.test(text) ? text : capitalized(text));
