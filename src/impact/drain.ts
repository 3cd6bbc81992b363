import {maxOf} from '../core/collections/extremes.ts';
import {mapBy} from '../core/collections/mapBy.ts';
import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {isPodTerminal, type Pod} from '../core/model/pod.ts';
import {unreachableTaint} from '../core/model/taint.ts';
import {settingsFor} from '../core/model/versionProfile.ts';
import type {Budget, Related} from '../core/model/workloads/related.ts';
import {selects} from '../core/model/workloads/selects.ts';
import type {NamespacedWorkload} from '../core/model/workloads/workload.ts';
import {type Duration, second} from '../core/time/instant.ts';
import {type DrainFlag, drainFlags, evictionNow} from '../core/workloads/eviction.ts';
import {gracePeriodOf} from '../core/workloads/podEnd.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {isStuck, podEnds, untilGone} from '../forecast/podEnd.ts';
import type {After, PodForecast} from '../forecast/podForecast.ts';
import {Range} from '../forecast/range.ts';
import {allReadyAgain} from '../forecast/readyAgain.ts';
import {ownerChainOf} from './owners.ts';
import {newlyAtZero, newlyBelowBudget, whatIfImpacts} from './whatIfImpact.ts';
import {withAfter} from './withAfter.ts';
import type {WorkloadImpact} from './workloadImpact.ts';

/**
 * What becomes of a pod. AtOnce: its eviction is granted. SomeAtOnce: of its budget's pods some are granted at once, and chance
 * chooses. Waits: its budget allows none now, and kubectl tries every 5 s. Error: the API cannot evict it. Ignored: a pod of a
 * DaemonSet, or a static one.
 */
export type DrainedPod = Readonly<{
	namespace: string;
	name: string;
	uid: string;
	eviction: 'AtOnce' | 'SomeAtOnce' | 'Waits' | 'Error' | 'Ignored';
	/** Without these flags kubectl evicts no pod of the node. */
	needs: readonly DrainFlag[];
	/** The names of the budgets that cover it. */
	budgets: readonly string[];
	graceSeconds: number;
	/** What follows its eviction; null if it is ignored. */
	after: After | null;
	/** Until when its object stays, if nothing limits that; null otherwise. */
	stays: string | null;
}>;

/** A budget that does not let all pods of a node go at once; it expects no pods that are over. */
export type DrainBlock = Pick<
	Budget,
	'namespace' | 'name' | 'currentHealthy' | 'desiredHealthy' | 'expectedPods'
> &
	Readonly<{
		/**
		 * How many pods of the node ask it, and how many of them may go at once: perhaps more, if it wants none to be healthy, and some
		 * are not ready: their evictions count only until its controller counts again.
		 */
		pods: number;
		atOnce: number;
		/**
		 * Why no more go: it wants all its pods to be healthy (Strict), pods that go get no replacement that could be healthy
		 * (Unreplaced), pods are not healthy now (Unhealthy), or their replacements have to be ready first (Replacements).
		 */
		reason: 'Strict' | 'Unreplaced' | 'Unhealthy' | 'Replacements';
		/** Whether it blocks the drain for ever, unless somebody acts. */
		isForever: boolean;
		/** The workload of the first of the pods. */
		workload: NamespacedWorkload;
		isOfMissing: boolean;
		/** Whether a pod that waits is not ready itself, and a budget may let such pods go in any case (since v1.27). */
		hasUnready: boolean;
	}>;

/** What `kubectl drain` does to one node. */
export type DrainedNode = Readonly<{
	node: string;
	pods: readonly DrainedPod[];
	blocks: readonly DrainBlock[];
	/**
	 * Never: it does not end. Fails: it ends with an error. Unsure: its node is late, and it never ends if that stays silent.
	 * Waits: for a budget. Ends: within the grace periods.
	 */
	verdict: 'Never' | 'Fails' | 'Unsure' | 'Waits' | 'Ends';
	/** How long it takes at least, or at most if nothing waits. */
	takes: Duration;
}>;

/** What `kubectl drain NODE... --ignore-daemonsets` would do now, with the flags that it needs. */
export type Drain = {
	/** In the order in which they are drained: all are cordoned first. */
	readonly nodes: readonly DrainedNode[];
	/** The workloads that have no ready pod, or fewer than a budget wants, until replacements are ready. */
	readonly toZero: readonly WorkloadImpact[];
	readonly belowBudget: readonly WorkloadImpact[];
};

/** How long kubectl waits before it asks again for an eviction. */
const retryDelay: Duration = 5 * second;

const nameOf = ({name}: Budget) => name;
const hasNoSuccessor = ({after}: DrainedPod) => after?.outcome !== 'Replaced' || after.placement === 'None';

/** @param names of nodes whose pods were read, as budgets are now for each of them */
export function drainOf(names: readonly string[], forecast: Forecast, related: Related): Drain {
	const budgetsByNamespace = Map.groupBy(related.budgets, ({namespace}) => namespace);
	const coveringOf = ({namespace, labels}: Pod) =>
		(budgetsByNamespace.get(namespace) ?? []).filter(({selector}) => selects(selector, labels));
	const ofNode = Map.groupBy(forecast.pods, ({node}) => node);
	const podsOf = (name: string) => ofNode.get(name) ?? [];
	const suppose = supposing(names, forecast, related);
	const going = names.flatMap(podsOf).filter(({object}) => object && drainFlags(object));
	const then = mapBy(suppose(going).pods, ({after}) => after.uid);
	const ends = podEnds(forecast);
	const settings = settingsFor(forecast.kubernetesVersion);
	const granted = new Set<PodForecast>();
	let standing: Standing | undefined;

	function drained(pod: PodForecast, object: Pod): DrainedPod & {readonly asks?: Budget} {
		const needs = drainFlags(object);
		const covering = coveringOf(object);
		const {namespace, name, uid} = pod;
		const of = {namespace, name, uid, budgets: covering.map(nameOf), graceSeconds: gracePeriodOf(object)};
		if (!needs) return {...of, eviction: 'Ignored', needs: [], after: null, stays: null};
		const end = ends.of(evicted(pod, forecast));
		const told = {
			...of,
			needs,
			after: then.get(uid)?.after.after ?? null,
			stays: isStuck(end) ? untilGone(end) : null,
		};
		const answer = evictionNow(object, covering, settings);
		const [asks] = covering;
		if (answer === 'Allowed') granted.add(pod);
		if (answer === 'Allowed') return {...told, eviction: 'AtOnce'};
		return answer === 'Error' || !asks ? {...told, eviction: 'Error'} : {...told, eviction: 'Waits', asks};
	}

	function nodeOf(node: string): DrainedNode {
		const all = podsOf(node).flatMap((pod) => (pod.object ? {pod, told: drained(pod, pod.object)} : []));
		const blocks: DrainBlock[] = [];
		const evictions = new Map<PodForecast, DrainedPod['eviction']>();
		for (const [budget, asking] of Map.groupBy(all, ({told}) => told.asks)) {
			if (!budget) continue;
			const {disruptionsAllowed = 0} = budget;
			const isEnough = asking.length <= disruptionsAllowed;
			for (const {pod} of asking.slice(0, disruptionsAllowed)) granted.add(pod);
			for (const {pod} of asking)
				evictions.set(pod, isEnough ? 'AtOnce' : disruptionsAllowed > 0 ? 'SomeAtOnce' : 'Waits');
			if (isEnough) continue;
			standing ??= standingOf(forecast, related);
			blocks.push(blockOf(budget, asking, {related, settings, standing}));
		}
		const pods = all.map(({pod, told: {asks, ...told}}) => ({
			...told,
			eviction: evictions.get(pod) ?? told.eviction,
		}));
		const gone = pods.filter(({eviction}) => eviction !== 'Ignored' && eviction !== 'Error');
		const isLate = gone.length > 0 && ends.nodeForecast(node)?.verdict === 'Late';
		const graces = gone.map(({graceSeconds}) => graceSeconds);
		return {
			node,
			pods,
			blocks,
			verdict: verdictOf(pods, blocks, isLate),
			takes: blocks.length > 0 ? retryDelay : maxOf(graces, 0) * second,
		};
	}

	const nodes = names.map(nodeOf);
	const {workloads} = suppose([...granted]);
	return {nodes, toZero: newlyAtZero(workloads), belowBudget: newlyBelowBudget(workloads)};
}

function verdictOf(
	pods: readonly DrainedPod[],
	blocks: readonly DrainBlock[],
	isLate: boolean,
): DrainedNode['verdict'] {
	if (
		pods.some(({stays, eviction}) => stays !== null && eviction !== 'Error') ||
		blocks.some(({isForever}) => isForever)
	)
		return 'Never';
	if (pods.some(({eviction}) => eviction === 'Error')) return 'Fails';
	if (isLate) return 'Unsure';
	return blocks.length > 0 ? 'Waits' : 'Ends';
}

/** A pod as it is once its eviction is granted, whatever else would end it. */
function evicted(pod: PodForecast, {observedAt: at}: Forecast): PodForecast {
	return {...pod, verdict: 'Expected', eviction: new Range(at, at, at), cause: null};
}

/** Supposes that nodes are cordoned, and some pods evicted now. */
function supposing(names: readonly string[], forecast: Forecast, related: Related) {
	const impactOf = whatIfImpacts(forecast, related);
	const at = forecast.observedAt;
	const end = {isTainted: false, isBack: false, isNotReady: false, isUnnoticed: false, isGone: false};
	return (pods: readonly PodForecast[]) =>
		impactOf({
			at,
			changes: names.map((node) => ({type: 'cordon', node, unschedulable: true, at})),
			nodes: names.map((name) => ({
				...end,
				name,
				taint: unreachableTaint,
				isControlled: true,
				turnsAt: null,
			})),
			pods: pods.map((pod) => ({
				before: pod,
				after: evicted(pod, forecast),
				effect: 'added',
				shift: null,
				endings: {before: [], after: []},
			})),
			isControlled: true,
			zones: [],
		});
}

/** The pods that are not ready, and never will be. */
type Standing = {
	/** Those that nothing but somebody's doing makes ready again: they, and what replaces them, wait for their node. */
	readonly unready: readonly PodForecast[];
	/** Those that are not wanted any more: they have ended, or are being deleted and their controller has made another. */
	readonly over: readonly PodForecast[];
};

function standingOf(forecast: Forecast, related: Related): Standing {
	const down = new Set(forecast.nodes.flatMap(({name, ready}) => (ready === 'True' ? [] : name)));
	const pods = forecast.pods.filter(
		(pod) => pod.ready !== 'True' && (down.has(pod.node) || isPodTerminal(pod)),
	);
	const isOver = (pod: PodForecast) =>
		isPodTerminal(pod) || (pod.verdict === 'Terminating' && pod.after?.outcome === 'Replaced');
	const told = withAfter({...forecast, pods}, related).pods;
	const unready = told.filter((pod) => {
		if (isOver(pod)) return false;
		const again = allReadyAgain([pod], forecast.observedAt);
		return again?.isKnown === true && again.all === null;
	});
	return {unready, over: told.filter(isOver)};
}

type BlockScene = {
	readonly related: Related;
	readonly settings: ControllerSettings;
	readonly standing: Standing;
};

/** Why a budget does not let all of these pods go at once. */
function blockOf(
	budget: Budget,
	asking: readonly {readonly pod: PodForecast; readonly told: DrainedPod}[],
	{related, settings, standing}: BlockScene,
): DrainBlock {
	const {namespace, name, selector, currentHealthy, desiredHealthy} = budget;
	const {disruptionsAllowed: atOnce = 0, isOfMissing = false} = budget;
	const [first] = asking;
	const covered = (pods: readonly PodForecast[]) =>
		pods.filter((pod) => pod.namespace === namespace && selects(selector, pod.labels)).length;
	const expectedPods = budget.expectedPods - (budget.countsPods ? covered(standing.over) : 0);
	const isStrict = desiredHealthy >= expectedPods;
	const isUnhealthy = currentHealthy < expectedPods;
	const isLasting = isUnhealthy && expectedPods - covered(standing.unready) <= desiredHealthy;
	const isUnreplaced = asking.every(({told}) => hasNoSuccessor(told));
	const reason = isStrict
		? 'Strict'
		: isUnhealthy
			? 'Unhealthy'
			: isUnreplaced
				? 'Unreplaced'
				: 'Replacements';
	return {
		namespace,
		name,
		currentHealthy,
		desiredHealthy,
		expectedPods,
		reason,
		atOnce,
		isOfMissing,
		pods: asking.length,
		isForever: reason === 'Strict' || reason === 'Unreplaced' || isLasting,
		workload: first
			? {namespace, ...ownerChainOf(first.pod, related).workload}
			: {namespace, kind: 'Pod', name},
		hasUnready: settings.unhealthyPodEvictionPolicy && asking.some(({pod}) => pod.ready !== 'True'),
	};
}
