import type {VersionedNode} from '../../core/client/clusterApi.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {MonitorPass} from '../../core/nodelifecycle/monitorPass.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/rateLimitedTimedQueue.ts';
import type {ZoneCount} from '../../core/nodelifecycle/zoneState.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {callDuration, passMayLast} from '../observe/latencies.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import type {Hypothesis} from './hypothesis.ts';
import type {PassInProgress} from './throttledPass.ts';

/** In a throttled pass more events come than can be posted; so many wait at the most. */
const eventBacklog = 1000;

/**
 * When the zones' queues are looked at next: in the one extreme just after a pass has queued a node, before it judges
 * the zones at its end, in the other just before.
 */
export function queuePassAt({schedule, quantile, passInProgress}: Hypothesis, now: Instant): Instant {
	// A pass that is through in a moment may be passed by, or not.
	if (passInProgress && !passInProgress.isLong)
		return quantile < 0.5 ? now + 1 : now + nodeEvictionPeriod - 1;
	const at = schedule.nextPass + (quantile < 0.5 ? callDuration.hi + 1 : -1);
	return now + ((((at - now) % nodeEvictionPeriod) + nodeEvictionPeriod) % nodeEvictionPeriod);
}

/** Puts the pass that is at work where it stands: what it has still to look at, and to mark. */
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
	const {startedAt, passedBy, marking, isLong} = running;
	const isMarked = new Set(running.marked.map(({node}) => node.name));
	const isLeft = new Set(running.left.map(({node}) => node.name));
	const {nodes, queued} = asListed(machine, startedAt, affected, quantile);
	// In the one extreme it takes all that are left, and has queued those that have their taint by now. In the other
	// it has passed by all that it could, and comes to those tainted ones yet.
	const isDone = (name: string) => isMarked.has(name) || (quantile < 0.5 ? queued : passedBy).has(name);
	const done = nodes.filter(({node}) => isDone(node.name));
	const rest = nodes.filter(({node}) => !isDone(node.name));
	const toCome = [
		...rest.filter(({node}) => !isLeft.has(node.name)),
		...rest.filter(({node}) => isLeft.has(node.name)),
	];
	// Should all zones be down at its end, the taints go that it has listed: one that it swaps meanwhile stays.
	const mayHaveSwapped = queuesInPassOfTransition && quantile >= 0.5;
	const listed = done.filter(({node}) => !(mayHaveSwapped && isMarked.has(node.name)));
	const counts = countsOf(done, affected, settings);
	const pass = new MonitorPass(toCome, counts, monitorWorkers, startedAt, listed);
	const atWork = marking.slice(-monitorWorkers);
	machine.controllers?.lifecycle.startPasses(undefined, queuePassAt(hypothesis, now));
	const tokens = isLong ? -quantile * atWork.length : (1 - quantile) * kubeApiBurst;
	machine.controllers?.lifecycle.adoptPass(pass, atWork, tokens, isLong ? eventBacklog : 0, now);
}

/**
 * How the nodes that a pass is done with count for their zones, and all those that nobody looks at one by one, by zone.
 * Those that are left out of disruption checks count for none.
 */
export function countsOf(
	done: readonly VersionedNode[],
	{others}: Pick<AffectedNodes, 'others'>,
	settings: ControllerSettings,
): Map<string, ZoneCount> {
	const counts = new Map(others);
	for (const {node} of done) {
		if (isExcludedFromDisruptionChecks(node, settings)) continue;
		const {size, notReady} = counts.get(zoneKey(node)) ?? {size: 0, notReady: 0};
		const isReady = isReadyNode(node);
		counts.set(zoneKey(node), {size: size + 1, notReady: notReady + (isReady ? 0 : 1)});
	}
	return counts;
}

/**
 * The nodes as the pass listed them when it began: without the taints that they got since, which it takes off none.
 *
 * @returns also the names of those that have such a taint: they were in their zone's queue by then
 */
function asListed(
	machine: Simulation,
	startedAt: Instant,
	affected: AffectedNodes,
	quantile: number,
): {readonly nodes: readonly VersionedNode[]; readonly queued: ReadonlySet<string>} {
	// What is not known to have come before its first action, or after it, is tried as both.
	const since = quantile < 0.5 ? 'lo' : 'hi';
	const earliest = quantile < 0.5 ? startedAt : startedAt - passMayLast;
	const tainted = affected.nodes.filter(({taintedAt}) => taintedAt && taintedAt[since] > earliest);
	const queued = new Set(tainted.map(({node}) => node.name));
	const nodes = machine.state.nodes().map(({node, version}) => {
		if (!queued.has(node.name)) return {node, version};
		const own = lifecycleTaint(node);
		return {node: {...node, taints: node.taints.filter((taint) => taint !== own)}, version};
	});
	return {nodes, queued};
}
