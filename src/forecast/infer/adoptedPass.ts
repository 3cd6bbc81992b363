import type {VersionedNode} from '../../core/client/clusterApi.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type ConditionStatus, isReadyNode, type Node} from '../../core/model/node.ts';
import {MonitorPass} from '../../core/nodelifecycle/monitorPass.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {countNode, type ZoneCount} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {isEarly} from '../observe/interval.ts';
import {callDuration, passMayLast} from '../observe/latencies.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import {namesOf} from '../observe/nodes/nodeEvidence.ts';
import type {Hypothesis} from './hypothesis.ts';
import type {PassInProgress} from './passInProgress.ts';

/** The most events that wait to be posted: a throttled pass makes more. */
const eventBacklog = 1000;

/**
 * When the next NoExecute pass runs. At one extreme that is just after a monitor pass has queued a node and before it judges
 * the zones; at the other it is just before the monitor pass. If one runs in each monitor pass, it is neither.
 */
export function noExecutePassAt(hypothesis: Hypothesis, now: Instant): Instant {
	const {passInProgress, quantile, noExecuteAt} = hypothesis;
	const isShort = passInProgress?.isThrottled === false;
	const isBetween = quantile > 0 && isEarly(quantile);
	// An unthrottled pass ends in a moment: a NoExecute pass may come before or after that.
	const isLast = noExecuteAt === 'beforePass' || noExecuteAt === 'afterEachPass';
	if (isShort && !isBetween) return isLast ? now + nodeEvictionPeriod - 1 : now + 1;
	const at = isShort ? amidPass(passInProgress) : besidePass(hypothesis);
	return now + ((((at - now) % nodeEvictionPeriod) + nodeEvictionPeriod) % nodeEvictionPeriod);
}

const besidePass = ({schedule: {nextPass}, noExecuteAt}: Hypothesis): Instant =>
	nextPass +
	{
		beforePass: -1,
		inNextPass: callDuration.hi + 1,
		inEachPass: nodeEvictionPeriod / 2,
		afterEachPass: nodeEvictionPeriod - 1,
	}[noExecuteAt];

/** By then a later pass, like the one in progress, has turned a node Unknown and not marked its pods. */
const amidPass = ({startedAt}: PassInProgress): Instant => startedAt + 1.5 * callDuration.hi;

/** Puts a machine into the middle of the pass in progress: with nodes still to check, and pods still to mark. */
export function adoptPassInProgress(
	machine: Simulation,
	hypothesis: Hypothesis,
	running: PassInProgress,
	affected: AffectedNodes,
	settings: ControllerSettings,
	now: Instant,
): void {
	const {monitorWorkers, kubeApiBurst, queuesInPassOfTransition} = settings;
	const {quantile} = hypothesis;
	const {startedAt, passedBy, marking, isThrottled} = running;
	const isMarked = namesOf(running.marked);
	const isRemaining = namesOf(running.remaining);
	const {nodes, queued, returned} = asListed(machine, startedAt, affected, quantile);
	// At one extreme the pass checks all remaining nodes, and has queued those that are tainted now. At the other it has skipped
	// all that it could, and the tainted ones are still to come. Between them it checks all, and ends before the queues are
	// processed.
	const isDone = (name: string) =>
		isMarked.has(name) || returned.has(name) || (quantile <= 0.5 ? queued : passedBy).has(name);
	const done = nodes.filter(({node}) => isDone(node.name));
	const rest = nodes.filter(({node}) => !isDone(node.name));
	const unchecked = [
		...rest.filter(({node}) => !isRemaining.has(node.name)),
		...rest.filter(({node}) => isRemaining.has(node.name)),
	];
	// If all zones are down at its end, the listed taints are removed; a taint that was swapped meanwhile stays.
	const mayHaveSwapped = queuesInPassOfTransition && !isEarly(quantile);
	const listed = done.filter(({node}) => !(mayHaveSwapped && isMarked.has(node.name)));
	const counts = countsOf(done, affected, settings);
	const pass = new MonitorPass(unchecked, counts, monitorWorkers, startedAt, listed);
	const atWork = marking.slice(-monitorWorkers);
	machine.controllers?.lifecycle.startPasses(undefined, noExecutePassAt(hypothesis, now));
	const isSpent = !isEarly(quantile);
	const tokens = isThrottled ? -quantile * atWork.length : isSpent ? 0 : (1 - quantile) * kubeApiBurst;
	// Each turn to Unknown makes an event, which waits for the same client.
	const events = isThrottled ? eventBacklog : isSpent ? running.marked.length : 0;
	machine.controllers?.lifecycle.adoptPass(pass, atWork, tokens, events, now);
}

/**
 * Counts the nodes of each zone: those that a pass has checked, and those that are not simulated. Nodes that are excluded
 * from disruption checks do not count.
 */
export function countsOf(
	done: readonly VersionedNode[],
	{others}: Pick<AffectedNodes, 'others'>,
	settings: ControllerSettings,
): Map<string, ZoneCount> {
	const counts = new Map(others);
	for (const {node, zone} of done) {
		if (isExcludedFromDisruptionChecks(node, settings)) continue;
		countNode(counts, zone, isReadyNode(node));
	}
	return counts;
}

/**
 * The nodes as the pass listed them when it began, or judged them since: without the taints that were added since, and not
 * ready if they returned since.
 *
 * @returns also the names of the nodes that were tainted since, which were in their zone's queue when the pass began, and of
 * those that returned
 */
function asListed(machine: Simulation, startedAt: Instant, affected: AffectedNodes, quantile: number) {
	// A taint that may have come before or after the pass began is tried as both.
	const since = isEarly(quantile) ? 'lo' : 'hi';
	const earliest = isEarly(quantile) ? startedAt : startedAt - passMayLast;
	const tainted = affected.nodes.filter(({taintedAt}) => taintedAt && taintedAt[since] > earliest);
	const queued = namesOf(tainted);
	const back = affected.nodes.filter(
		({node, wasReady, readyChangedAt}) =>
			// The pass does not know a node that was created later.
			node.createdAt <= startedAt &&
			isReadyNode(node) &&
			wasReady === false &&
			readyChangedAt &&
			readyChangedAt[since] > startedAt,
	);
	const returned = namesOf(back);
	const nodes = machine.state.nodes().map((seen): VersionedNode => {
		const {node} = seen;
		if (returned.has(node.name)) return {...seen, node: withReady(node, 'Unknown')};
		if (!queued.has(node.name)) return seen;
		const own = lifecycleTaint(node);
		return {...seen, node: {...node, taints: node.taints.filter((taint) => taint !== own)}};
	});
	return {nodes, queued, returned};
}

const withReady = (node: Node, status: ConditionStatus): Node => ({
	...node,
	conditions: node.conditions.map((one) => (one.type === 'Ready' ? {...one, status} : one)),
});
