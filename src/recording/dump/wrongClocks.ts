import type {ClusterSnapshot} from '../../core/model/clusterSnapshot.ts';
import {isControllerManagerLease, type Lease, nodeLeaseNamespace} from '../../core/model/lease.ts';
import {nodeCondition} from '../../core/model/node.ts';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {DumpInstant} from './dumpInstant.ts';

/** After this silence, a controller has certainly marked the node, even with the longest usual grace period. */
const noticedAfter: Duration = 75 * second;
/** A leader lease that is not renewed for longer has expired. */
const leaderTimeout: Duration = 15 * second;
/** Maximum number of nodes in a message. */
const maxNamed = 5;

/**
 * Finds kubelets with wrong clocks: ahead of all others, or so far behind that a controller, which uses arrival times, would
 * have marked the node. Their renewals are only known to be newer than that.
 */
export function checkClocks(
	{nodes, leases}: {readonly nodes: ClusterSnapshot['nodes']; readonly leases: readonly Lease[]},
	{newest, ahead}: DumpInstant,
) {
	const behind = findSlow(nodes, leases, newest);
	const renewedBetween = {lo: newest - noticedAfter, hi: newest};
	const isWrong = ({namespace, name}: Lease) =>
		namespace === nodeLeaseNamespace && (ahead.has(name) || behind.has(name));
	return {
		leases: leases.map((lease) => (isWrong(lease) && !isDated(lease) ? {...lease, renewedBetween} : lease)),
		problems: [
			...skewProblem(ahead, 'ahead', 'what it says is left out, and whether it is alive cannot be told'),
			...skewProblem(
				behind,
				'behind',
				'else it would be marked as Unknown by now; whether it is silent cannot be told from this file, but from one ' +
					'written with --show-managed-fields',
			),
		],
	};
}

/** Nodes that are Ready although silent for very long by their own clock, and for how long. */
function findSlow(
	nodes: ClusterSnapshot['nodes'],
	leases: readonly Lease[],
	newest: Instant,
): ReadonlyMap<string, Duration> {
	const statusOf = new Map(nodes.map((node) => [node.name, nodeCondition(node, 'Ready')]));
	const turned = [...statusOf.values()].map((ready) =>
		ready?.status === 'Unknown' ? ready.lastTransitionTime : 0,
	);
	// A pass that marks many nodes takes minutes; others may not have been reached.
	const isPassing = turned.some((at) => at > newest - noticedAfter);
	if (isPassing || !hasWatched(leases.find(isControllerManagerLease), newest)) return new Map();
	const slow = leases.flatMap((lease): readonly [string, Duration][] => {
		const {namespace, name, renewTime} = lease;
		const isOld = renewTime !== undefined && renewTime < newest - noticedAfter;
		const isReady = namespace === nodeLeaseNamespace && statusOf.get(name)?.status === 'True';
		return isOld && isReady && !isDated(lease) ? [[name, newest - renewTime]] : [];
	});
	return new Map(slow);
}

/** Whether a controller has run long enough to notice a silence; assumed if no leader lease is visible. */
function hasWatched(leader: Lease | undefined, newest: Instant): boolean {
	if (leader?.renewTime === undefined) return true;
	const isRunning = newest <= leader.renewTime + (leader.leaseDuration ?? leaderTimeout);
	return isRunning && newest - (leader.acquireTime ?? 0) > noticedAfter;
}

const isDated = ({writes = []}: Lease) => writes.length > 0;

function skewProblem(
	nodes: ReadonlyMap<string, Duration>,
	where: 'ahead' | 'behind',
	meaning: string,
): readonly Problem[] {
	if (nodes.size === 0) return [];
	const sorted = [...nodes].toSorted(([, a], [, b]) => b - a);
	const named = sorted.slice(0, maxNamed).map(([name, by]) => `${name} by ${Math.round(by / second)} s`);
	const more = sorted.length > maxNamed ? ` and ${sorted.length - maxNamed} more` : '';
	const message = `the clock of the kubelet is ${where} on ${named.join(', ')}${more}: ${meaning}`;
	return [{reason: 'ClockSkew', message}];
}
