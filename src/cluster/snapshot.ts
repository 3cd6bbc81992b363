import type {ClusterSnapshot, Problem} from '../core/model/clusterSnapshot.ts';
import type {Pod} from '../core/model/pod.ts';
import {Decoder} from './decoder.ts';
import {list} from './list.ts';
import {distinct, problemOf} from './problem.ts';
import {hasStatus} from './requestError.ts';
import {events, leaderLease, nodeLeases, nodes, pods, type Resource} from './resource.ts';
import type {Selection} from './selection.ts';
import type {Timing} from './timing.ts';
import type {Transport} from './transport.ts';
import {UserError} from './userError.ts';
import {readVersion} from './version.ts';

/** How many nodes' pods are listed at a time. */
const listsAtOnce = 8;

/**
 * Reads a cluster once. What may not be read is a problem in the snapshot, which has no nodes where those may not.
 *
 * @throws UserError where the nodes cannot be read for another reason.
 */
export async function takeSnapshot(
	transport: Transport,
	selection: Selection,
	timing: Timing,
): Promise<ClusterSnapshot> {
	const decoder = new Decoder();
	const problems: Problem[] = [];
	const attempt = <T>(name: Parameters<typeof problemOf>[0], reading: Promise<T>) =>
		reading.catch((error: unknown) => {
			if (!(error instanceof UserError)) throw error;
			problems.push(problemOf(name, error));
			return undefined;
		});
	const attemptNodes = () =>
		list(transport, nodes(decoder)).catch((error: unknown) => {
			if (!hasStatus(error, 403)) throw error;
			problems.push(problemOf('Nodes', error));
			return {objects: []};
		});
	const [listedNodes, kubernetesVersion, heartbeats, leader, listedEvents] = await Promise.all([
		attemptNodes(),
		attempt('Version', readVersion(transport)),
		attempt('Leases', list(transport, nodeLeases(decoder))),
		attempt('LeaderLease', list(transport, leaderLease(decoder))),
		Promise.all(events(selection, decoder).map((resource) => attempt('Events', list(transport, resource)))),
	]);
	const listPods = async (resource: Resource<Pod>) =>
		(await attempt('Pods', list(transport, resource)))?.objects ?? [];
	// Nodes come first: a pod on a node that is not known yet looks like one whose node was deleted.
	const listedPods = await inTurns(pods(selection, decoder), listPods);
	return {
		observedAt: timing.now(),
		source: 'cluster',
		...(kubernetesVersion !== undefined && {kubernetesVersion}),
		nodes: listedNodes.objects,
		leases: heartbeats && [...heartbeats.objects, ...(leader?.objects ?? [])],
		...(leader?.objects[0] && {leaderLease: leader.objects[0]}),
		pods: listedPods.flat(),
		events: listedEvents.some((one) => one) ? listedEvents.flatMap((one) => one?.objects ?? []) : undefined,
		problems: distinct([...problems, decoder.problem, transport.clockOffset.problem]),
	};
}

/** Does a few at a time, and keeps their order. */
async function inTurns<T, R>(values: readonly T[], work: (value: T) => Promise<R>): Promise<readonly R[]> {
	const results: R[] = [];
	for (let start = 0; start < values.length; start += listsAtOnce) {
		results.push(...(await Promise.all(values.slice(start, start + listsAtOnce).map(work))));
	}
	return results;
}
