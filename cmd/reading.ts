import type {Cluster} from '../src/cluster/cluster.ts';
import {hasStatus} from '../src/cluster/requestError.ts';
import type {Selection} from '../src/cluster/selection.ts';
import type {ClusterSnapshot, Problem} from '../src/core/model/clusterSnapshot.ts';
import type {Feed} from '../src/live/drive.ts';
import type {Options} from './options.ts';

/**
 * What is read first. The controllers delete all pods through one client with a limited rate, so that the pods of
 * every namespace decide when one goes; nodes and zones wait for no pod.
 */
export const widestSelection = ({command, exitCode}: Options): Selection =>
	command === undefined || command === 'pods' || exitCode
		? {pods: {type: 'all'}}
		: {pods: {type: 'nodes', nodes: []}};

/** Reads a cluster once: everything, or the one namespace where more is forbidden. */
export async function readOnce(
	cluster: Pick<Cluster, 'snapshot'>,
	selection: Selection,
	namespace: string | undefined,
): Promise<ClusterSnapshot> {
	const snapshot = await cluster.snapshot(selection);
	if (namespace === undefined || !snapshot.problems.some(isPodsForbidden)) return snapshot;
	const narrow = await cluster.snapshot({pods: {type: 'namespace', namespace}});
	return {...narrow, problems: [...narrow.problems, narrowed(namespace)]};
}

/** Watches a cluster: everything, or the one namespace where more is forbidden. Tells its problems as they change. */
export function feedOf(
	cluster: Pick<Cluster, 'watch'>,
	selection: Selection,
	namespace: string | undefined,
	onProblems: (problems: readonly Problem[]) => void,
): Feed {
	return async (onChange, signal) => {
		const refusal = new AbortController();
		const untilRefused = AbortSignal.any([signal, refusal.signal]);
		await cluster.watch(
			selection,
			(observations, arrivedAt, sight) => {
				if (!refusal.signal.aborted) onChange(observations, arrivedAt, sight);
			},
			untilRefused,
			(problems) => {
				if (namespace !== undefined && problems.some(isPodsForbidden)) refusal.abort();
				else onProblems(problems);
			},
		);
		if (namespace === undefined || signal.aborted) return;
		await cluster.watch({pods: {type: 'namespace', namespace}}, onChange, signal, (problems) =>
			onProblems([...problems, narrowed(namespace)]),
		);
	};
}

const isPodsForbidden = ({reason}: Problem): boolean => reason === 'PodsForbidden';

const narrowed = (namespace: string): Problem => ({
	reason: 'OtherNamespacesForbidden',
	message:
		`only the pods of ${namespace} may be read: where many pods of other namespaces are deleted, ` +
		'evictions come later than shown',
});

/** The version of the server; undefined where it may not be asked. */
export const readVersion = (cluster: Pick<Cluster, 'version'>): Promise<string | undefined> =>
	cluster.version().catch((error: unknown) => {
		if (hasStatus(error, 403)) return undefined;
		throw error;
	});
