import {ascending} from '../core/collections/ascending.ts';
import {countBy} from '../core/collections/countBy.ts';
import {maxOf} from '../core/collections/extremes.ts';
import {grouped} from '../core/collections/grouped.ts';
import {unique} from '../core/collections/unique.ts';
import {nameOf} from '../core/model/objectName.ts';
import {isPodTerminal, podKey} from '../core/model/pod.ts';
import type {Budget, Controller, Related} from '../core/model/workloads/related.ts';
import {hasLabels, selects} from '../core/model/workloads/selects.ts';
import {type WorkloadName, workloadKey} from '../core/model/workloads/workload.ts';
import {type Duration, never, second} from '../core/time/instant.ts';
import {hasEnded} from '../core/workloads/job.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import {passMayLast} from '../forecast/observe/latencies.ts';
import {livingOf} from '../forecast/pending.ts';
import {isEndedByKubelet, isLost, type PodForecast} from '../forecast/podForecast.ts';
import {Range} from '../forecast/range.ts';
import {allReadyAgain, type ReadyAgain} from '../forecast/readyAgain.ts';
import {
	type BudgetImpact,
	budgetImpact,
	type EndpointImpact,
	Endpoints,
	lossAt,
	type PodLossStep,
} from './endpoints.ts';
import {ownerChainOf} from './owners.ts';

type Loss = Omit<PodLossStep, 'wasReady'> & {
	/** How many are ready then, if none are added; null if not known. */
	readonly ready: number | null;
};

export type WorkloadImpact = WorkloadName &
	Readonly<{
		namespace: string;
		/** The desired and the ready number of pods; null if they could not be read. */
		desired: number | null;
		readyNow: number | null;
		/** In expected chronological order. */
		losses: readonly Loss[];
		/** The lowest number of ready pods, if none are added, and from when; `at` is null if it is reached already. */
		lowest: {readonly ready: number | null; readonly at: Range | null};
		/** Whether no ready pod is left; null if not known. */
		reachesZero: boolean | null;
		/** When it has as many ready pods as before, if nobody intervenes; absent if it needs none of those that it loses. */
		readyAgain?: ReadyAgain;
		/** The PodDisruptionBudgets that cover its pods; evictions by taints ignore them. */
		budgets: readonly BudgetImpact[];
		/** Services that lose endpoints, and the losses that are known. */
		services: readonly string[];
		endpoints: readonly EndpointImpact[];
		priority: number;
		/** The number of Held pods, which are evicted once evictions resume. */
		held: number;
		/** The number of pods per outcome. */
		outcomes: Readonly<Record<string, number>>;
	}>;

/** The effects of a forecast on workloads; those that lose pods first come first. */
export function workloadImpacts(forecast: Forecast, related: Related): readonly WorkloadImpact[] {
	const notReadyAtByNode = new Map(forecast.nodes.map((node) => [node.name, podsNotReadyAt(node, forecast)]));
	// A pod that stays on a lost node is also lost to its workload, before and after the node becomes Unknown; so is one of a
	// late node that nothing evicts.
	const isMeant = (pod: PodForecast) =>
		pod.ready === 'True'
			? notReadyAtByNode.get(pod.node) != null || (isLost(pod) && pod.verdict !== 'Stays')
			: isLost(pod);
	// What has ended is no replica; one that its kubelet evicted shows that its workload is in trouble.
	const inTrouble = forecast.pods.filter(
		(pod) => isMeant(pod) && (!isPodTerminal(pod) || isEndedByKubelet(pod)),
	);
	const living = livingOf(inTrouble);
	const stepsByPod = new Map(
		living.map((pod) => [pod, stepsOf(pod, notReadyAtByNode.get(pod.node) ?? null)]),
	);
	const budgets = lossesOfBudgets(related.budgets, inTrouble, stepsByPod);
	const services = Map.groupBy(related.services, ({namespace}) => namespace);
	const behind = related.endpoints.length > 0 ? inTrouble : [];
	const stepsBehind = behind.map((pod) => [podKey(pod), stepsByPod.get(pod) ?? []] as const);
	const endpoints = new Endpoints(related, new Map(stepsBehind));
	const isBeingMarked = (node: string) =>
		(notReadyAtByNode.get(node)?.earliest ?? never) <= forecast.observedAt + statusLag;
	const impacts = groupsOf(inTrouble, related).map(({workload, controllers, pods}): WorkloadImpact => {
		const controller = sumOf(controllers);
		const desired = controller?.desired;
		const namespace = pods[0]?.namespace ?? '';
		const readyNow = controller ? readyOf(controller, pods, isBeingMarked) : bareReadyOf(workload, pods);
		const living = livingOf(pods);
		const ordered = living
			.flatMap((pod) => stepsByPod.get(pod) ?? [])
			.toSorted(ascending(({at}) => at.expected));
		const losses = countDown(ordered, readyNow);
		const again = allReadyAgain(living, forecast.observedAt);
		const outcomes = pods.flatMap(({after}) => after?.outcome ?? []);
		const ready = losses.at(-1)?.ready ?? readyNow;
		// Pods of one workload have the same labels, unless their templates differ.
		const labels = unique(pods.map((pod) => pod.labels));
		const served = (services.get(namespace) ?? []).filter(({selector}) =>
			labels.some((one) => hasLabels(one, selector)),
		);
		return {
			...workload,
			namespace,
			desired: desired ?? (workload.kind === 'Pod' ? 1 : null),
			readyNow,
			losses,
			lowest: {ready, at: readyNow === null || ready === null ? null : lossAt(ordered, readyNow - ready)},
			reachesZero: ready === null ? null : ready === 0 && desired !== 0,
			...(again && {readyAgain: again}),
			budgets: (budgets.get(namespace) ?? [])
				.filter((covered) => labels.some((one) => covered.labels.has(one)))
				.map(({budget, steps}) => budgetImpact(steps, budget, readyNow, desired)),
			services: served.map(nameOf),
			// If a service publishes pods that are not ready, it loses no endpoint.
			endpoints: served.flatMap(({name, publishesNotReady}) =>
				publishesNotReady ? [] : (endpoints.of(namespace, name) ?? []),
			),
			priority: maxOf(
				pods.map((pod) => pod.priority ?? 0),
				0,
			),
			held: living.filter(({verdict}) => verdict === 'Held').length,
			outcomes: Object.fromEntries(countBy(outcomes, (outcome) => outcome)),
		};
	});
	const firstAt = ({losses}: WorkloadImpact) => losses[0]?.at.expected ?? never;
	return impacts.toSorted((a, b) => firstAt(a) - firstAt(b) || (a.name < b.name ? -1 : 1));
}

/** The pods of each workload, with its controllers. */
function groupsOf(inTrouble: readonly PodForecast[], related: Related) {
	const byOwner = Map.groupBy(inTrouble, ({owner, uid, namespace}) => `${namespace}/${owner?.uid ?? uid}`);
	const groups = new Map<string, {workload: WorkloadName; controllers: Controller[]; pods: PodForecast[]}>();
	for (const pods of byOwner.values()) {
		const [sample] = pods;
		if (!sample || sample.owner?.kind === 'Node') continue;
		const {workload, root, owner} = ownerChainOf(sample, related);
		if (owner?.job && hasEnded(owner.job)) continue;
		const controller = root ?? owner;
		const controllers = controller ? [controller] : [];
		const key = workloadKey({...workload, namespace: sample.namespace});
		const known = groups.get(key);
		if (!known) groups.set(key, {workload, controllers, pods});
		else {
			for (const pod of pods) known.pods.push(pod);
			if (controller && !known.controllers.includes(controller)) known.controllers.push(controller);
		}
	}
	return [...groups.values()];
}

/** What the pods lose that budgets cover, by namespace. */
function lossesOfBudgets(
	all: readonly Budget[],
	inTrouble: readonly PodForecast[],
	stepsByPod: ReadonlyMap<PodForecast, readonly PodLossStep[]>,
) {
	// A budget may cover several workloads. Pods of one workload share their labels.
	const alike = new Map(
		grouped(inTrouble, ({namespace}) => namespace).map(
			([namespace, pods]) => [namespace, Map.groupBy(pods, ({labels}) => labels)] as const,
		),
	);
	/** A budget, the labels of the pods that it covers, and their losses in expected chronological order. */
	const coveredBy = (budget: Budget) => {
		const covered = [...(alike.get(budget.namespace) ?? [])].filter(([labels]) =>
			selects(budget.selector, labels),
		);
		const steps = covered.flatMap(([, pods]) => pods.flatMap((pod) => stepsByPod.get(pod) ?? []));
		return {
			budget,
			labels: new Set(covered.map(([labels]) => labels)),
			steps: steps.toSorted(ascending(({at}) => at.expected)),
		};
	};
	return Map.groupBy(all.map(coveredBy), ({budget}) => budget.namespace);
}

/** Several Jobs of a CronJob count together. */
function sumOf(controllers: readonly Controller[]): Controller | undefined {
	const [first] = controllers;
	const sum = (of: (one: Controller) => number) => controllers.reduce((all, one) => all + of(one), 0);
	return first && {...first, desired: sum(({desired}) => desired), ready: sum(({ready}) => ready)};
}

/** The ready pods of a workload without a controller: one pod; null if its controller is not known. */
const bareReadyOf = ({kind}: WorkloadName, pods: readonly PodForecast[]) =>
	kind === 'Pod' ? pods.filter(({ready}) => ready === 'True').length : null;

/**
 * The ready pods of a controller, made consistent with its pods that were seen: its status is from another moment, and counts
 * pods as ready that have been marked since, or not as ready that were marked later. The others are ready as far as it says;
 * pods that are being marked are taken for marked in it, as otherwise healthy pods would seem not to be ready.
 */
function readyOf(
	{desired, ready}: Controller,
	pods: readonly PodForecast[],
	isBeingMarked: (node: string) => boolean,
): number {
	const replicas = pods.filter((pod) => pod.verdict !== 'Terminating' && !isPodTerminal(pod));
	const seenReady = replicas.filter((pod) => pod.ready === 'True');
	const counted = seenReady.filter(({node}) => !isBeingMarked(node)).length;
	const others = Math.max(0, Math.max(desired, ready) - replicas.length);
	return seenReady.length + Math.min(ready >= counted ? ready - counted : ready, others);
}

/** How much later than the pods the status of their controller may be read. */
const statusLag: Duration = 5 * second;

/**
 * When the pods of a node that are still Ready are marked not ready: as the node becomes Unknown or, if it is
 * Unknown, before the end of the pass that found it. Without a running controller, that pass does not end.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/util/node/controller_utils.go MarkPodsNotReady
 */
function podsNotReadyAt(
	{unknown, ready, zone: own}: NodeForecast,
	{observedAt: now, pass, zones, markingLasts = 0}: Forecast,
): Range | null {
	if (unknown)
		return unknown.latest === null || markingLasts === 0
			? unknown
			: unknown.until(unknown.latest + markingLasts);
	if (ready !== 'Unknown') return null;
	const isControlled = zones.find(({zone}) => zone === own)?.stopped?.kind !== 'ControllerDown';
	const passEnds = pass ? (pass.endsAt?.latest ?? never) : now + Math.max(passMayLast, markingLasts);
	return Range.over({lo: now, hi: isControlled ? passEnds : never});
}

/**
 * Whether a pod counts as ready for its workload and its budgets: a pod that is being deleted does not.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/disruption/disruption.go countHealthyPods
 */
const isCounted = ({ready, verdict}: PodForecast) => ready === 'True' && verdict !== 'Terminating';

/** The losses of one pod: it becomes not ready with its node, and it is evicted. */
function stepsOf(pod: PodForecast, nodeNotReadyAt: Range | null): readonly PodLossStep[] {
	const of = {pod: pod.name, node: pod.node};
	const isReady = isCounted(pod);
	const losesReadiness = isReady && nodeNotReadyAt !== null;
	const steps: PodLossStep[] = [];
	if (losesReadiness) steps.push({...of, at: nodeNotReadyAt, kind: 'NotReady', wasReady: true});
	if (pod.eviction)
		steps.push({...of, at: pod.eviction, kind: 'Evicted', wasReady: isReady && !losesReadiness});
	return steps;
}

function countDown(steps: readonly PodLossStep[], readyNow: number | null): readonly Loss[] {
	let ready = readyNow;
	return steps.map(({pod, node, at, kind, wasReady}) => {
		if (ready !== null && wasReady) ready = Math.max(0, ready - 1);
		return {pod, node, at, kind, ready};
	});
}
