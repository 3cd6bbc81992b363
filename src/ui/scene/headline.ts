import {ascending} from '../../core/collections/ascending.ts';
import {grouped} from '../../core/collections/grouped.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {podKey} from '../../core/model/pod.ts';
import {type Instant, minute, never, second} from '../../core/time/instant.ts';
import {timeBeside} from '../../dates/format.ts';
import {type TimeZone, utc} from '../../dates/timeZone.ts';
import {soon} from '../../forecast/evictionCounts.ts';
import type {PassForecast} from '../../forecast/forecast.ts';
import type {NodeForecast, NodeVerdict} from '../../forecast/nodeForecast.ts';
import {silentFinder} from '../../forecast/silentNodes.ts';
import {
	ago,
	capitalized,
	count,
	counted,
	linked,
	numberWords,
	paceVerb,
	someOf,
	stopVerb,
	taintPace,
	uncapitalized,
} from '../../forecast/words.ts';
import {allDownAhead, type ZoneForecast, type ZoneStop} from '../../forecast/zoneForecast.ts';
import {inWords} from '../../print/countdown.ts';
import {calmOf, possibleText} from '../../print/whyNotYet.ts';
import type {PodDigest, ShownForecast} from './digest.ts';
import {type Risk, riskWords} from './risks.ts';
import {clockSpan, countdown} from './spans.ts';

/** The severity, which decides the colour of the headline. */
export type Alarm = 'calm' | 'watch' | 'alarm';

/** The state of the cluster in sentences that can be pasted into a chat: what is evicted, and what has stopped. */
export function headlineOf(
	forecast: ShownForecast,
	now: Instant,
	timeZone: TimeZone = utc,
	risks: readonly Risk[] = [],
	isReading = false,
	named = mostRisksNamed,
) {
	const {pods: digest} = forecast.digest;
	const stop = wholeStop(forecast.zones, now, timeZone);
	const clauses = stop
		? [
				stop,
				podsClause(digest.counts.Held, 'held'),
				comingClause(digest, now, timeZone, 'will still be evicted'),
			]
		: [
				podsClause(digest.counts.Overdue, 'overdue'),
				isOnlyByKubelet(digest) ? undefined : comingClause(digest, now, timeZone),
				...(digest.coming.length > 0 || risks.length > 0 ? silenceClauses(forecast, now) : []),
				...zoneClauses(forecast, now),
			];
	const others = [passClause(forecast.pass, now), pressureClause(forecast.nodes, now)];
	const isQuiet = [...clauses, ...others].every((clause) => clause === undefined);
	const sentences = [
		...(isQuiet ? [quietClause(forecast, now, isReading)] : clauses),
		...(named > 0 ? riskClauses(risks, now, named) : []),
		...others,
	].filter((clause) => clause !== undefined);
	return {text: `${sentence(sentences.join('; '))}.`, alarm: alarmOf(forecast, digest)};
}

function alarmOf(forecast: ShownForecast, {coming, counts}: PodDigest): Alarm {
	const {zones} = forecast;
	const isStopped = zones.some(({stopped}) => stopped !== undefined);
	if (isStopped || counts.Held > 0 || counts.Scheduled + counts.Expected + counts.Overdue > 0) return 'alarm';
	const isShort = forecast.nodes.some(isUnderPressure);
	const isUnknown = calmOf(forecast).evictions === 'unknown';
	return coming.length > 0 || forecast.digest.nodes.troubled.length > 0 || isShort || isUnknown
		? 'watch'
		: 'calm';
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
		`all zones are ${all.isToCome ? 'about to be ' : ''}down${since(all, now, timeZone)}: evictions ${stopVerb(all)}${zones.length > 1 ? ' until a node recovers' : zones.map(untilBack).join('')}`
	);
}

/** How many nodes must recover before a stopped zone evicts again. */
function untilBack({toNextState}: ZoneForecast): string {
	const back = toNextState.find(({nodesBack, rate}) => nodesBack !== undefined && rate > 0)?.nodesBack;
	return back === undefined ? '' : ` until ${back} ${back === 1 ? 'node recovers' : 'nodes recover'}`;
}

const since = ({since: at}: ZoneStop, now: Instant, timeZone: TimeZone) =>
	at === null ? '' : ` since ${timeBeside(at, now, timeZone)}`;

function zoneClauses(forecast: ShownForecast, now: Instant): readonly string[] {
	const {zones} = forecast;
	const stopped = zones.filter((zone) => zone.stopped?.kind === 'ZoneStopped');
	const silentIn = silentFinder({nodes: forecast.nodes, pods: forecast.digest.pods.troubled});
	const allDown = allDownClause(zones, now);
	const turning =
		allDown.length > 0 ? allDown : zones.flatMap((zone) => turnClause(zone, forecast, now, silentIn));
	const slowed = zones.filter(
		(zone) => zone.state === 'PartialDisruption' && !zone.stopped && zone.rate > 0 && zone.queue.length > 0,
	);
	if (stopped.length > 2) {
		const nodes = stopped.reduce((sum, {notReady}) => sum + notReady, 0);
		return [`evictions in ${stopped.length} zones are stopped, with ${nodes} nodes not ready`];
	}
	return [
		...stopped.map((zone) => stoppedClause(zone, forecast)),
		...(turning.length > 2
			? [`${turning.length} zones are about to stop evictions, or to change their rate`]
			: turning),
		...slowed.slice(0, 2).map(({zone, notReady, size, ...pace}) => {
			const name = forecast.digest.names.shortZone(zone);
			return `zone ${name} evicts slowly: ${notReady} of ${size} nodes not ready, ${taintPace(pace)}`;
		}),
	];
}

/** That no zone evicts any more once the last silent nodes are Unknown, whatever each zone does before. */
function allDownClause(zones: readonly ZoneForecast[], now: Instant): readonly string[] {
	return zones
		.flatMap((zone) => {
			const at = allDownAhead(zone)?.at;
			return at ? {at, isSure: zone.coming.isSure} : [];
		})
		.sort(ascending(({isSure}) => Number(!isSure)))
		.slice(0, 1)
		.map(
			({at, isSure}) =>
				`all zones ${isSure ? 'are' : 'may be'} down ${inWords(countdown(at, now))}: evictions stop then, until a node recovers`,
		);
}

function stoppedClause(zone: ZoneForecast, {digest}: ShownForecast): string {
	const {notReady, size, stopped} = zone;
	return `evictions in zone ${digest.names.shortZone(zone.zone)} ${stopped ? stopVerb(stopped) : ''}${untilBack(zone)} (${notReady} of ${size} not ready)`;
}

/** That a zone stops or resumes its evictions, or changes their rate, once its silent nodes are Unknown, and whose pods are held then. */
function turnClause(
	zone: ZoneForecast,
	{digest: {names}}: ShownForecast,
	now: Instant,
	silentIn: ReturnType<typeof silentFinder>,
): readonly string[] {
	const {rate, stopped, coming} = zone;
	const before = stopped ? 0 : rate;
	const last = coming.steps.at(-1);
	if (!last || last.rate === before) return [];
	const [verb = '', ...rest] = paceVerb(before, last.rate).split(' ');
	const what = [coming.isSure ? `${verb}s` : `may ${verb}`, ...rest].join(' ');
	const {silent, isHeld, mayGo} = silentIn(zone);
	const held = isHeld
		? `: pods of ${someOf(silent.map((name) => names.shortNode(name)))} are held then${mayGo ? ', unless tainted before' : ''}`
		: '';
	return [
		`zone ${names.shortZone(zone.zone)} ${what} its evictions ${inWords(countdown(last.at, now))}${held}`,
	];
}

const podsClause = (pods: number, state: string) =>
	pods === 0 ? undefined : `${count(pods, 'pod')} ${state}`;

/** What is evicted, and when. @param will the verb: 'will still be evicted' if evictions are stopped */
function comingClause(
	digest: PodDigest,
	now: Instant,
	timeZone: TimeZone,
	will = 'will be evicted',
): string | undefined {
	const {sure, start, evictions} = digest;
	const [first] = sure;
	const {Unsure: unsure} = digest.counts;
	if (!first || !start) return unsure > 0 ? `${count(unsure, 'pod')} might be evicted` : undefined;
	const at = inWords(countdown(start, now));
	const maybe = counted(unsure, 'more might be');
	if (sure.length === 1) return linked(', ', `${podKey(first)} ${will} ${at}`, maybe);
	const coming = evictions.by(now + soon);
	const some = numberWords(coming, '–');
	const inTime = some === String(sure.length) ? '' : `, ${some}`;
	const when = Math.round(coming.until) === 0 ? '' : `${inTime} in the next 5 min`;
	const times = linked(', ', `the first ${at}`, lastWords(digest, now, timeZone));
	return `${linked(', ', `${count(sure.length, 'pod')} ${will}${when}`, maybe)}: ${times}`;
}

/** When half of the evictions and when all are over, if that is not soon: `half by 14:08, the last by 14:32`. */
function lastWords({sure, ends, half}: PodDigest, now: Instant, timeZone: TimeZone): string {
	const end = ends.at(-1);
	const by = (instant: Instant) => timeBeside(Math.ceil(instant / second) * second, now, timeZone);
	const isLong = half !== undefined && half > now + soon && half < (end ?? never) - minute;
	const last =
		end === undefined || ends.length < sure.length || end <= now + soon ? '' : `the last by ${by(end)}`;
	return linked(', ', isLong ? `half by ${by(half)}` : '', last);
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
		const since = heardAt === undefined ? '' : ` for ${ago(heardAt, now)}`;
		const turns = first ? `Unknown in ${countdown(first, now)}` : '';
		if (count === 1) return `node ${name} ${word}${since}${turns === '' ? '' : `, ${turns}`}`;
		const size = zones.find((one) => one.zone === zone)?.size ?? count;
		return `zone ${forecast.digest.names.shortZone(zone)}: ${count} of ${size} nodes ${word}${since}${turns === '' ? '' : `, first ${turns}`}`;
	});
}

/** This many workloads and services at risk the sentence names. */
const mostRisksNamed = 2;

/** Workloads that reach zero or fall below their budget, and services without endpoints; the first by name. */
export function riskClauses(risks: readonly Risk[], now: Instant, most: number): readonly string[] {
	const named = risks.slice(0, most).map((risk) => riskWords(risk, now));
	const more = risks.length - named.length;
	return more > 0 ? [...named, `${more} more at risk`] : named;
}

const isUnderPressure = ({pressure}: NodeForecast) => pressure !== undefined;

/** Evictions by kubelets whose nodes are under pressure. */
function pressureClause(nodes: readonly NodeForecast[], now: Instant): string | undefined {
	const short = nodes.filter(isUnderPressure);
	const [first] = short;
	if (!first) return undefined;
	if (short.length > 1) {
		return `${namesOf(short)} run short: their kubelets evict by rules of their own`;
	}
	const what = first.pressure?.conditions.map((name) => name.replace(/Pressure$/, '').toLowerCase());
	const of = what && what.length > 0 ? what.join(' and ') : 'resources';
	const next = first.pressure?.next;
	const whom = next
		? `${next.isCertain ? 'evicts' : 'may evict'} ${podKey(next)} ${inWords(countdown(next.when, now))}`
		: 'evicts by rules of its own';
	return `node ${first.name} runs short of ${of}: its kubelet ${whom}`;
}

/** Whether the only coming eviction is by a kubelet, which the pressure clause describes better. */
const isOnlyByKubelet = ({coming}: PodDigest) =>
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
	const held = counts.Held > 0 ? `, ${podsClause(counts.Held, 'held')}` : '';
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

const namesOf = (nodes: readonly NodeForecast[]) =>
	nodes.length > mostNames ? `${nodes.length} nodes` : nodes.map(nameOf).join(', ');

function nodeWords(nodes: readonly NodeForecast[]): string {
	const counts = grouped(nodes, ({verdict}) => verdict);
	const states = counts.map(
		([verdict, {length}]) => (counts.length === 1 ? '' : `${length} `) + verdictWord[verdict],
	);
	return `${namesOf(nodes)} ${nodes.length === 1 ? 'is' : 'are'} ${states.join(', ')}`;
}

const verdictWord: Readonly<Record<NodeVerdict, string>> = {
	Healthy: 'well',
	Unsure: 'not seen',
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

const sentence = (text: string) => (/^[a-z][a-z-]*\//.test(text) ? text : capitalized(text));
