import {untilFirstEnds} from '../async/taskGroup.ts';
import type {Cluster} from '../cluster/cluster.ts';
import type {KubeletChooser} from '../cluster/kubelet/pressureLooker.ts';
import type {Selection} from '../cluster/transport/selection.ts';
import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {ObservationSink} from '../core/model/observation.ts';
import type {Problem} from '../core/model/problem.ts';
import type {Source} from './session.ts';

const everything: Selection = {pods: {type: 'all'}};
const podRefusals = ['PodsForbidden'];
/** If the nodes may not be read, affected nodes are unknown, so pods cannot be chosen by node. */
const nodeRefusals = ['NodesForbidden'];

/**
 * Watches a cluster: everything, or one namespace if more is forbidden; queries kubelets meanwhile.
 *
 * @param namespace the fallback if reading the pods of all namespaces is forbidden; undefined for no fallback
 * @param kubelets chooses the kubelets to query for pressure; absent to query none
 */
export const clusterSource = (
	cluster: Pick<Cluster, 'watch' | 'watchPressure'>,
	selection: Selection,
	namespace: string | undefined,
	kubelets?: KubeletChooser,
): Source => ({
	run: async (sink, signal) => {
		const watching = (end: AbortSignal) => watch(cluster, selection, namespace, sink, end);
		if (!kubelets) return watching(signal);
		await untilFirstEnds(signal, watching, (end) => cluster.watchPressure(kubelets, sink, end));
	},
});

async function watch(
	cluster: Pick<Cluster, 'watch'>,
	selection: Selection,
	namespace: string | undefined,
	sink: ObservationSink,
	signal: AbortSignal,
) {
	const mayNarrow = namespace === undefined ? [] : podRefusals;
	const isChosen = selection.pods.type === 'chosen';
	const refusals = [...mayNarrow, ...(isChosen ? nodeRefusals : [])];
	let isRefused = await cluster.watch({...selection, refusals}, sink, signal);
	if (isRefused && isChosen)
		isRefused = await cluster.watch({...selection, ...everything, refusals: mayNarrow}, sink, signal);
	if (!isRefused || namespace === undefined) return;
	const pods = {type: 'namespace', namespace} as const;
	await cluster.watch({...selection, pods, notes: [othersForbidden(namespace)]}, sink, signal);
}

/** Reads a cluster once: everything, or one namespace if more is forbidden. */
export async function readOnce(
	cluster: Pick<Cluster, 'snapshot'>,
	selection: Selection,
	namespace: string | undefined,
): Promise<ClusterSnapshot> {
	const first = await cluster.snapshot(selection);
	const areNodesForbidden = selection.pods.type === 'chosen' && has(first, nodeRefusals);
	const snapshot = areNodesForbidden ? await cluster.snapshot({...selection, ...everything}) : first;
	if (namespace === undefined || !has(snapshot, podRefusals)) return snapshot;
	const narrow = await cluster.snapshot({...selection, pods: {type: 'namespace', namespace}});
	return {...narrow, problems: [...narrow.problems, othersForbidden(namespace)]};
}

const has = ({problems}: ClusterSnapshot, reasons: readonly string[]) =>
	problems.some(({reason}) => reasons.includes(reason));

const othersForbidden = (namespace: string): Problem => ({
	reason: 'OtherNamespacesForbidden',
	message:
		`only the pods of ${namespace} may be read: if many pods of other namespaces are deleted too, ` +
		'evictions come later than shown',
});
