import type {VersionedNode} from '../client/clusterApi.ts';
import {call, done, first, type Next, sleep} from '../client/routines.ts';
import type {Node, NodeCondition} from '../model/node.ts';
import {hasTaint} from '../model/taint.ts';
import {beginningOfTime} from '../time/instant.ts';
import type {DeletePodsStep} from './deleteNodePods.ts';
import {evictByTimeout} from './evictionByTimeout.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import {type HealthJudgement, judgeNodeHealth} from './nodeHealth.ts';
import {isExcludedFromDisruptionChecks} from './nodeLabels.ts';
import type {PodReadinessStep} from './podReadiness.ts';
import {markReachable, type ReachableStep} from './reachable.ts';
import {noExecuteFor, swapTaints, type TaintWriteStep} from './taintWrites.ts';

/** One node's part of a monitor pass, when it has to wait for the API server. */
export type NodeCheckStep =
	| {
			readonly do: 'checkHealth' | 'readLease' | 'confirmSilence';
			readonly seen: VersionedNode;
			readonly attempt: number;
	  }
	| Readonly<{
			do: 'sendHealth' | 'writeHealth';
			seen: VersionedNode;
			judged: HealthJudgement;
			attempt: number;
	  }>
	| {readonly do: 'rereadNode'; readonly node: string; readonly attempt: number}
	| {readonly do: 'waitForLock'; readonly seen: VersionedNode; readonly judged: HealthJudgement};

type NodeCheckFollowUp = NodeCheckStep | DeletePodsStep | TaintWriteStep | ReachableStep | PodReadinessStep;

/** How long to wait before a failed write is retried, with the node read again. */
const retrySleepTime = 20;
const nodeHealthUpdateRetry = 5;
/** How often a pass polls the lock that it waits for; Go would wake it at once. */
const lockPollPeriod = 5;

/**
 * Judges a node's health and acts on it. Returns the steps that wait for the API server: none for a healthy node.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go monitorNodeHealth
 */
export function checkNode(
	seen: VersionedNode,
	attempt: number,
	context: LifecycleContext,
): readonly NodeCheckFollowUp[] {
	const {health, settings} = context;
	const {name} = seen.node;
	const judged = judgeNow(seen.node, context);
	if (judged.health !== health.get(name)) health.set(name, judged.health);
	if (judged.isSilent && settings.confirmsSilence) return [{do: 'readLease', seen, attempt}];
	return followJudgement(seen, judged, attempt, context);
}

function judgeNow(node: Node, {api, health, settings, now}: LifecycleContext): HealthJudgement {
	return judgeNodeHealth(node, health.get(node.name), api.leaseRenewTime(node.name, now), settings, now);
}

function followJudgement(
	seen: VersionedNode,
	judged: HealthJudgement,
	attempt: number,
	context: LifecycleContext,
): readonly NodeCheckFollowUp[] {
	if (judged.write) return [{do: 'sendHealth', seen, judged, attempt}];
	return onceFree(seen, judged, context);
}

/**
 * Handles the result of reading a silent node's lease. If the lease was renewed meanwhile, the pass skips the node,
 * without counting or remembering it; the next pass checks it again.
 *
 * @quirk since v1.37 a node that is tainted while a pass reads leases takes another token for nothing
 * @quirk since v1.37 every pass reads the lease of every silent node, also of those that are Unknown already
 * @upstream kubernetes v1.37.2 pkg/controller/nodelifecycle/node_lifecycle_controller.go tryUpdateNodeHealth
 */
function confirmSilence(
	{seen, attempt}: {readonly seen: VersionedNode; readonly attempt: number},
	context: LifecycleContext,
): Next<NodeCheckFollowUp> {
	const judged = judgeNow(seen.node, context);
	if (!judged.isSilent || isTouched(seen.node.name, judged, context)) return done;
	return first(followJudgement(seen, judged, attempt, context));
}

/**
 * Whether the lease was written after the pass that saw its last renewal: its resource version then differs from the
 * remembered one until it is renewed.
 *
 * @quirk since v1.37 a node whose lease somebody else wrote does not turn Unknown, and is left out of its zone
 */
const isTouched = (name: string, {health}: HealthJudgement, {api}: LifecycleContext) =>
	(api.leaseTouchedAt(name) ?? beginningOfTime) > health.probeTimestamp;

export function runNodeCheck(step: NodeCheckStep, context: LifecycleContext): Next<NodeCheckFollowUp> {
	switch (step.do) {
		case 'checkHealth':
			return first(checkNode(step.seen, step.attempt, context));
		case 'readLease':
			return call({...step, do: 'confirmSilence'});
		case 'confirmSilence':
			return confirmSilence(step, context);
		case 'sendHealth':
			return call({...step, do: 'writeHealth'});
		case 'writeHealth':
			return writeHealth(step, context);
		case 'waitForLock':
			if (isLocked(context)) return sleep(lockPollPeriod, step);
			return first(followHealth(step.seen, step.judged, context));
		case 'rereadNode': {
			const seen = context.api.node(step.node);
			// A node that is deleted, or that others keep writing, is left out of this pass.
			if (!seen || step.attempt > nodeHealthUpdateRetry) return done;
			return sleep(retrySleepTime, {do: 'checkHealth', seen, attempt: step.attempt});
		}
	}
}

function writeHealth(
	{
		seen,
		judged,
		attempt,
	}: {readonly seen: VersionedNode; readonly judged: HealthJudgement; readonly attempt: number},
	context: LifecycleContext,
): Next<NodeCheckFollowUp> {
	const {name} = seen.node;
	if (!judged.write) return done;
	if (context.api.writeConditions(name, seen.version, judged.write.conditions) !== 'written') {
		return call({do: 'rereadNode', node: name, attempt: attempt + 1});
	}
	context.health.set(name, judged.write.health);
	return first(onceFree(seen, judged, context));
}

/**
 * Acting on a node's health changes the queues, so it waits for the lock that the pass over them holds.
 *
 * @quirk until v1.24 the NoExecute pass keeps the monitor pass waiting, for as long as its calls take
 * @upstream kubernetes v1.24.17 pkg/controller/nodelifecycle/node_lifecycle_controller.go doEvictionPass
 */
function onceFree(
	seen: VersionedNode,
	judged: HealthJudgement,
	context: LifecycleContext,
): readonly NodeCheckFollowUp[] {
	return isLocked(context) ? [{do: 'waitForLock', seen, judged}] : followHealth(seen, judged, context);
}

const isLocked = ({settings, isNoExecutePassAtWork}: LifecycleContext) =>
	settings.noExecutePassHoldsLock && isNoExecutePassAtWork;

function followHealth(
	seen: VersionedNode,
	{observed, current}: HealthJudgement,
	context: LifecycleContext,
): readonly NodeCheckFollowUp[] {
	const {pass, settings, api} = context;
	const {node, zone} = seen;
	if (!isExcludedFromDisruptionChecks(node, settings)) pass?.count(zone, current?.status);
	if (!current) return [];
	const turnedNotReady = current.status !== 'True' && observed.status === 'True';
	// Called only if they are needed: a pass checks all nodes, and most are healthy.
	const pods = () => api.podsOnNode(node.name);
	const steps = settings.taintBasedEvictions
		? processTaintBasedEviction(seen, observed, current, context)
		: evictByTimeout(node, observed.status, pods, context);
	if (!turnedNotReady) return steps;
	context.record({reason: 'NodeNotReady', about: node.name});
	return [...steps, {do: 'markPodsNotReady', pods: pods(), next: 0}];
}

/**
 * Brings the node's NoExecute taints in line with its Ready condition: swapped at once if it has the opposite taint,
 * queued if it has none, removed if it is ready.
 *
 * @quirk until 1.33 the condition that the pass found decides, so a node is queued one pass after it turned Unknown
 * @quirk until 1.17 a taint removed by hand stays away, since its node is not queued again
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go processTaintBaseEviction
 */
function processTaintBasedEviction(
	{node, zone}: VersionedNode,
	observed: NodeCondition,
	current: NodeCondition,
	context: LifecycleContext,
): readonly (TaintWriteStep | ReachableStep)[] {
	const {status} = context.settings.queuesInPassOfTransition ? current : observed;
	if (status === 'True') return markReachable(node, context, zone);
	const {own, opposite} = noExecuteFor(status);
	if (hasTaint(node.taints, opposite))
		return swapTaints(node, {add: [{...own, timeAdded: context.now}], remove: [opposite]});
	const queue = context.zones.queue(zone);
	const isWaiting = context.settings.requeuesWaitingNodes && !hasTaint(node.taints, own);
	if (isWaiting) queue?.requeue(node.name, context.now, context.random);
	else queue?.add(node.name, context.now, context.random);
	return [];
}
