import {compareNames} from '../../core/collections/compareNames.ts';
import {maxOf} from '../../core/collections/extremes.ts';
import {grouped} from '../../core/collections/grouped.ts';
import {unique} from '../../core/collections/unique.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {podKey} from '../../core/model/pod.ts';
import {hidesNodes, hidesPods, hidesSilence} from '../../core/model/problem.ts';
import {workloadOf} from '../../core/model/workloads/workload.ts';
import {type Instant, never, second} from '../../core/time/instant.ts';
import {type Forecast, isBlind} from '../../forecast/forecast.ts';
import {
	comingOf,
	endOfEvictions,
	livingOf,
	nodesInRandomOrder,
	startOfEvictions,
} from '../../forecast/pending.ts';
import {type PodForecast, willBeEvicted} from '../../forecast/podForecast.ts';
import {evictionOf} from '../../forecast/pressure/pressureForecast.ts';
import {endsOf, ifFallsWords} from '../../forecast/pressure/pressureWords.ts';
import {stuckInTheEnd, stuckPods} from '../../forecast/stuckPods.ts';
import {clockTime, count, linked, someOf} from '../../forecast/words.ts';
import {onlyControllerHost} from '../../forecast/zoneForecast.ts';
import {isBelowBudget, isOnlyBelowBudget} from '../../impact/endpoints.ts';
import type {NextLoss} from '../../impact/nextLoss.ts';
import type {WorkloadImpact} from '../../impact/workloadImpact.ts';
import {type AnswerOptions, AnswerPage} from '../answerPage.ts';
import type {StatusJson} from '../contract/status.ts';
import {formatAt, formatWhenAt} from '../countdown.ts';
import {headJson} from '../json/json.ts';
import {fieldsOf} from '../json/jsonOf.ts';
import {controllersLostWords} from '../legend.ts';
import {evictedWhenAt} from '../pressure/pressureWords.ts';
import {
	calmOf,
	countdownsOf,
	firstUnsure,
	lateNodes,
	lateWords,
	queuedNodes,
	queuedWords,
	takeoverWords,
	toleratedWords,
} from '../whyNotYet.ts';
import {belowBudgetNames, readyAgainNames, zeroNames} from '../workloads.ts';
import {
	comingZonesTexts,
	nodesText,
	notKnown,
	podsText,
	soonWords,
	staysTexts,
	stuckText,
	unreplacedTexts,
} from './causes.ts';
import {nextCommands} from './nextCommands.ts';
import {type NearLoss, nearZones, nearZonesLines, nextLossJson, nextLossLines} from './nextLoss.ts';

/** An outage at one instant: the forecast, and its consequences. */
export type OutageStatus = Readonly<{
	forecast: Forecast;
	impacts: readonly WorkloadImpact[];
	/** The worker node whose loss would change most; undefined if none is ready. */
	nextLoss: NextLoss | undefined;
	/** The same of other zones that one more loss changes, as far as it was simulated. */
	nearLosses?: readonly NearLoss[];
	/** How long a node must be silent before it becomes Unknown, as `50s`, or `20s-2m` if the flag is not known. */
	grace: string;
	/** When the controllers started, if that was after the last heartbeat of an affected node. */
	restartedAt?: Instant | undefined;
	/** The namespace to show; undefined for all. */
	namespace?: string | undefined;
}>;

const notAllKnown = 'not known: not all pods and nodes may be read';

/** The nodes by name, and the pods without those that have ended: only their objects are deleted. */
const asTold = ({forecast, ...status}: OutageStatus): OutageStatus => ({
	...status,
	forecast: {
		...forecast,
		nodes: forecast.nodes.toSorted((a, b) => compareNames(a.name, b.name)),
		pods: livingOf(forecast.pods),
	},
});

/** Formats an outage as one page. Each line answers one question; commands for more follow at the end. */
export function formatStatus(all: OutageStatus, options?: AnswerOptions): string {
	const status = asTold(all);
	const {forecast, grace, restartedAt} = status;
	const now = forecast.observedAt;
	const page = new AnswerPage(now, options);
	const late = lateWords(forecast, grace);
	const waiting = [queuedWords(forecast), toleratedWords(forecast)];
	// If pods of other nodes are being evicted already, silent nodes do not explain why nothing is evicted.
	const isAside = forecast.pods.some(({verdict}) => verdict === 'Scheduled');
	const restart = restartedAt === undefined ? '' : takeoverWords(restartedAt, now);
	const lines: readonly (readonly [title: string, ...texts: string[]])[] = [
		['Nodes', nodesText(forecast)],
		['Late nodes', isAside ? late : ''],
		['Why not yet', isAside ? '' : late, ...waiting],
		['Zones', ...comingZonesTexts(forecast, now)],
		['Controllers', restart],
		['Pods', podsText(all.forecast, soonWords(forecast))],
		['Overdue', overdueText(forecast, now)],
		['Next', nextText(forecast, now)],
		['Held', ...heldTexts(forecast)],
		...staysTexts(forecast).map((text) => ['Stay', text] as const),
		['Not replaced', ...unreplacedTexts(forecast)],
		['Stuck', stuckText(forecast)],
		['Reach zero', zeroText(status, now)],
		['Ready again', readyAgainNames(status.impacts.filter(isAtZero), now)],
		['Below budget', belowBudgetText(status, now)],
		['One more node', ...oneMoreLines(status, now)],
		['Ends', endText(forecast, now)],
	];
	const body = lines.map(([title, ...texts]) => page.labelled(title, ...texts.filter((text) => text !== '')));
	return `${page.seen}\n${body.join('')}${nextCommands(forecast, status.nextLoss, status.namespace, page)}`;
}

const isOverdue = ({verdict}: PodForecast) => verdict === 'Overdue';

/** The pods that should have been evicted, and why they may not have been; empty if there are none. */
function overdueText({pods}: Forecast, now: Instant): string {
	const overdue = pods.filter(isOverdue);
	const ends = overdue.flatMap(({eviction}) => eviction?.latest ?? eviction?.earliest ?? []);
	if (overdue.length === 0 || ends.length === 0) return '';
	const due = `due by ${clockTime(maxOf(ends), now)}`;
	return `${someOf(overdue.map(podKey))}, ${due}, but not deleted: explain POD tells what may stop it`;
}

function nobodyWords({pods, problems}: Forecast): string {
	const nobody = pods.some(isOverdue) ? 'no other pod' : 'no pod';
	return problems.some(hidesSilence)
		? `${nobody}, as far as is seen without leases`
		: `${nobody} will be evicted if nothing changes`;
}

/** The pods that are evicted first; those evicted together count as one. */
function nextText(forecast: Forecast, now: Instant): string {
	const pending = comingOf(forecast.pods);
	const [next] = pending;
	const pod = next ?? firstUnsure(forecast.pods);
	if (!pod?.eviction && forecast.problems.some(hidesPods)) return notAllKnown;
	if (!pod?.eviction) return unsureWords(forecast) || nobodyWords(forecast);
	const until = next ? undefined : pressureWhen(pod, forecast);
	if (until !== undefined) return `${podKey(pod)} on ${pod.node} might be evicted first, ${until}`;
	const when = formatWhenAt(pod.eviction, now);
	if (!next)
		return `no pod for sure; the first that might be evicted is ${podKey(pod)} on ${pod.node}, ${when}`;
	const start = startOfEvictions(forecast);
	const isRandom = next.verdict === 'Expected' && nodesInRandomOrder(pending, forecast.nodes).has(next.node);
	// Of nodes in random order, it is better known when the first pod goes than which one.
	if (isRandom && start?.latest != null && start.latest + second < next.eviction.end)
		return `the first of ${count(pending.length, 'pod')} ${formatWhenAt(start, now)}; ${chanceWords(pending)}`;
	const alike = pending.filter(({eviction}) => formatAt(eviction, now) === formatAt(next.eviction, now));
	const nodes = unique(alike.map(({node}) => node));
	const which = `${someOf(alike.map(podKey))} on ${someOf(nodes)}, ${when}`;
	// Another may go before the one that is likeliest to go first.
	const sure =
		start && formatAt(start, now) !== formatAt(next.eviction, now)
			? `the first of ${count(pending.length, 'pod')}, ${formatWhenAt(start, now)}; most likely ${which}`
			: which;
	const unsure = firstUnsure(forecast.pods);
	return unsure?.eviction && unsure.eviction.earliest < next.eviction.earliest
		? `${sure}; before that, ${podKey(unsure)} on ${unsure.node} might be evicted, ${formatWhenAt(unsure.eviction, now)}`
		: sure;
}

/** Among whom chance chooses the pods that go first: those of one node of the zone that is next. */
function chanceWords(pending: readonly PodForecast[]): string {
	const inOrder = pending.toSorted((a, b) => (a.eviction?.earliest ?? 0) - (b.eviction?.earliest ?? 0));
	const zone = inOrder.find(({verdict}) => verdict === 'Expected')?.zone ?? '';
	const waiting = pending.filter((pod) => pod.verdict === 'Expected' && pod.zone === zone);
	const nodes = unique(waiting.map(({node}) => node)).length;
	const owners = unique(waiting.map((pod) => `${pod.namespace}/${workloadOf(pod).name}`));
	return `they are on one of ${nodes} nodes of zone ${zone}, which chance chooses (pods of ${someOf(owners)})`;
}

/** What decides when a kubelet evicts a pod, if there is no upper bound; otherwise undefined. */
function pressureWhen(pod: PodForecast, {pressure = [], observedAt: now}: Forecast): string | undefined {
	if (pod.cause?.kind !== 'NodePressure') return undefined;
	const of = pressure.find(({node}) => node === pod.node);
	const eviction = of && evictionOf(of, podKey(pod));
	return of && eviction?.when.latest === null ? evictedWhenAt(eviction, of, now) : undefined;
}

/** Why some evictions are possible although none is certain: late nodes, or nodes under pressure; empty if none is possible. */
function unsureWords(forecast: Forecast): string {
	const {nodes, pressure = []} = forecast;
	const pressed = nodes.filter((node) => (node.pressure?.conditions.length ?? 0) > 0).map(nameOf);
	const [first, ...others] = pressed;
	if (first === undefined) return calmOf(forecast).evictions === 'possible' ? 'no pod for sure' : '';
	const of = pressure.find(({node}) => node === first);
	const falls = of ? ifFallsWords(of) : '';
	return others.length === 0 && falls !== ''
		? `no pod for sure; on ${first}, ${falls}`
		: `no pod for sure; the kubelet of ${someOf(pressed)} may evict pods`;
}

/** The pods that are held, by reason; that none is, if pods will be evicted. */
function heldTexts(forecast: Forecast): readonly string[] {
	const groups = heldGroups(forecast);
	const isEvicting = forecast.pods.some(({verdict}) => willBeEvicted(verdict));
	const doubts = forecast.zones.flatMap(({stopped}) => (stopped?.isInDoubt ? stopped.by : []));
	if (groups.length === 0 && doubts.length > 0) return doubts.map((by) => `no pod for sure: ${by}`);
	if (groups.length === 0 && isEvicting && forecast.zones.every(({stopped}) => stopped === undefined))
		return ['no pod: evictions are not stopped in any zone'];
	return groups.map(
		({by, releasedBy, pods, zones}) =>
			`${count(pods, 'pod')}${inZones(zones)}: ${by}. Evictions resume when ${releasedBy}. Pods of nodes still down are then evicted`,
	);
}

function heldGroups({pods}: Forecast) {
	const held = pods.flatMap((pod) => (pod.held ? [{...pod.held, zone: pod.zone}] : []));
	const groups = grouped(held, ({by, releasedBy}) => `${by}\n${releasedBy}`);
	return groups.map(([, ones]) => {
		const [first] = ones;
		const zones = unique(ones.map(({zone}) => zone))
			.filter((zone) => zone !== '')
			.toSorted(compareNames);
		return {by: first.by, releasedBy: first.releasedBy, pods: ones.length, zones};
	});
}

const inZones = (zones: readonly string[]) =>
	zones.length === 0 ? '' : ` in ${zones.length === 1 ? 'zone' : 'zones'} ${someOf(zones)}`;

const isAtZero = ({reachesZero, lowest: {at}}: WorkloadImpact) =>
	reachesZero === true && (at?.probability ?? 1) > worthNaming;

/** Workloads that reach zero in fewer of the cases are not named. */
const worthNaming = 0.1;

function zeroText({impacts, forecast}: OutageStatus, now: Instant): string {
	const all = impacts.filter(isAtZero);
	// Late nodes are not known to be lost.
	const late = forecast.nodes.filter(({verdict}) => verdict === 'Late').map(nameOf);
	const isOpen = ({lowest: {at}}: WorkloadImpact) => late.length > 0 && at?.latest === null;
	const [zero, ifLost] = [all.filter((one) => !isOpen(one)), all.filter(isOpen)];
	const unknown = impacts.filter(({reachesZero}) => reachesZero === null).length;
	const text = linked(
		'; ',
		zeroNames(zero, now),
		ifLost.length > 0
			? `if ${someOf(late)} ${late.length === 1 ? 'stays' : 'stay'} silent: ${zeroNames(ifLost, now)}`
			: '',
		unknown > 0 ? `not known of ${count(unknown, 'workload')}` : '',
	);
	return text || (isBlind(forecast) ? notAllKnown : 'no workload');
}

/** The workloads that fall below their budget; empty if none has one. */
function belowBudgetText(status: OutageStatus, now: Instant): string {
	if (status.impacts.every(({budgets}) => budgets.length === 0)) return '';
	const names = belowBudgetNames(status.impacts.filter(isOnlyBelowBudget), now);
	if (names !== '') return `${names}, until new pods are ready or the nodes are back`;
	return status.impacts.some(isBelowBudget) ? 'only workloads that reach zero' : 'no workload';
}

const oneMoreLines = (
	{nextLoss, nearLosses = [], forecast}: OutageStatus,
	now: Instant,
): readonly string[] => {
	if (forecast.problems.some(hidesNodes)) return [notKnown];
	const host = onlyControllerHost(forecast.zones);
	return [
		...(host === undefined ? [] : [controllersLostWords(host)]),
		...nearZonesLines(nearZones(forecast, nextLoss?.losses.zone), nearLosses, now),
		...nextLossLines(nextLoss, now),
	];
};

/** Pods that stay when the evictions end: `8 pods then stay Terminating`; empty if none do. */
function stuckEnd(forecast: Forecast): string {
	const stuck = stuckInTheEnd(forecast).length;
	const then = comingOf(forecast.pods).length > 0 ? 'then ' : '';
	return stuck === 0 ? '' : `${count(stuck, 'pod')} ${then}${stuck === 1 ? 'stays' : 'stay'} Terminating`;
}

function endText(forecast: Forecast, now: Instant): string {
	const last = endOfEvictions(forecast);
	const isUnsure = firstUnsure(forecast.pods) !== undefined || unsureWords(forecast) !== '';
	const isHeld = forecast.pods.some(({verdict}) => verdict === 'Held');
	const rest = isHeld ? '; held pods follow once evictions resume' : '';
	const after = last?.end ?? never;
	const mayGoLater = forecast.pods.some(
		({verdict, eviction}) => verdict === 'Unsure' && (eviction?.end ?? never) > after,
	);
	const later = mayGoLater ? '; pods that might be evicted may go later' : '';
	const conditions = (forecast.pressure ?? []).flatMap((one) =>
		endsOf(one, now).map((text) => `on ${one.node}, ${text}`),
	);
	const unsure = conditions.length > 0 ? '' : 'not known: no eviction is sure';
	const none = isBlind(forecast)
		? notAllKnown
		: `no ${forecast.pods.some(isOverdue) ? 'other ' : ''}eviction is predicted`;
	const evictions = last
		? `the last eviction${isHeld ? ' of a pod that is not held' : ''} comes ${formatWhenAt(last, now)}, if no further node fails${later}`
		: isUnsure
			? unsure
			: none;
	const stuck = last || !isUnsure ? stuckEnd(forecast) : '';
	return linked('; ', evictions, stuck, ...conditions) + rest;
}

export function statusJson(all: OutageStatus): StatusJson {
	const {forecast, impacts, nextLoss} = asTold(all);
	const [next] = comingOf(forecast.pods);
	const inTrouble = forecast.pods.filter(({verdict}) => verdict !== 'Safe');
	const counts = grouped(inTrouble, ({verdict}) => verdict);
	const isBlind = forecast.problems.some(hidesNodes);
	return {
		...headJson('Status', forecast),
		nodes: isBlind
			? null
			: {
					total: forecast.nodes.length,
					notReady: forecast.zones.reduce((sum, {notReady}) => sum + notReady, 0),
				},
		pods: Object.fromEntries(counts.map(([verdict, {length}]) => [verdict, length])),
		next: next ? fieldsOf(next, 'namespace', 'name', 'node', 'eviction') : null,
		held: heldGroups(forecast),
		notYet: {
			late: lateNodes(forecast).map((node) =>
				fieldsOf(node, 'name', 'zone', 'verdict', 'lastRenewal', 'unknown'),
			),
			queued: queuedNodes(forecast).map((node) => fieldsOf(node, 'name', 'zone', 'noExecute')),
			countdowns: countdownsOf(forecast),
		},
		stuck: stuckPods(forecast).map(({pod, end}) => ({...fieldsOf(pod, 'namespace', 'name', 'node'), ...end})),
		reachZero: impacts.filter(({reachesZero}) => reachesZero),
		belowBudget: impacts.filter(isOnlyBelowBudget),
		oneMoreNode: nextLoss && !isBlind ? nextLossJson(nextLoss) : null,
		starts: startOfEvictions(forecast),
		ends: endOfEvictions(forecast),
	};
}
