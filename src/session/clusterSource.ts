import {untilFirstEnds} from '../async/taskGroup.ts';
import type {Cluster} from '../cluster/cluster.ts';
import type {KubeletChooser} from '../cluster/kubelet/pressureLooker.ts';
import {everyPod, type Selection} from '../cluster/transport/selection.ts';
import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {ObservationSink} from '../core/model/observation.ts';
import type {Problem} from '../core/model/problem.ts';
import type {Source} from './session.ts';

const podRefusals = ['PodsForbidden'];
/** If the nodes may not be read, affected nodes are unknown, so pods cannot be chosen by node. */
const nodeRefusals = ['NodesForbidden'];

/** What is read if the pods of all namespaces may not be. */
export type Fallback = Pick<Cluster, 'namespace'> & {
	/** Whether only this namespace was asked for; otherwise the pods of the others are hidden. */
	readonly isAsked?: boolean;
};

/**
 * Watches a cluster: everything, or one namespace if more is forbidden; queries kubelets meanwhile.
 *
 * @param kubelets chooses the kubelets to query for pressure; absent to query none
 */
export const clusterSource = (
	cluster: Pick<Cluster, 'watch' | 'watchPressure'>,
	selection: Selection,
	fallback: Fallback | undefined,
	kubelets?: KubeletChooser,
): Source => ({
	run: async (sink, signal) => {
		const watching = (end: AbortSignal) => watch(cluster, selection, fallback, sink, end);
		if (!kubelets) return watching(signal);
		await untilFirstEnds(signal, watching, (end) => cluster.watchPressure(kubelets, sink, end));
	},
});

async function watch(
	cluster: Pick<Cluster, 'watch'>,
	selection: Selection,
	fallback: Fallback | undefined,
	sink: ObservationSink,
	signal: AbortSignal,
) {
	const mayNarrow = fallback ? podRefusals : [];
	const isChosen = selection.pods.type === 'chosen';
	const refusals = [...mayNarrow, ...(isChosen ? nodeRefusals : [])];
	let isRefused = await cluster.watch({...selection, refusals}, sink, signal);
	if (isRefused && isChosen)
		isRefused = await cluster.watch({...selection, ...everyPod, refusals: mayNarrow}, sink, signal);
	if (!isRefused || !fallback) return;
	const notes = [othersForbidden(fallback)];
	await cluster.watch({...selection, pods: podsOf(fallback), notes}, sink, signal);
}

/** Reads a cluster once: everything, or one namespace if more is forbidden. */
export async function readOnce(
	cluster: Pick<Cluster, 'snapshot'>,
	selection: Selection,
	fallback: Fallback | undefined,
): Promise<ClusterSnapshot> {
	const first = await cluster.snapshot(selection);
	const areNodesForbidden = selection.pods.type === 'chosen' && has(first, nodeRefusals);
	const snapshot = areNodesForbidden ? await cluster.snapshot({...selection, ...everyPod}) : first;
	if (!fallback || !has(snapshot, podRefusals)) return snapshot;
	const narrow = await cluster.snapshot({...selection, pods: podsOf(fallback)});
	return {...narrow, problems: [...narrow.problems, othersForbidden(fallback)]};
}

const has = ({problems}: ClusterSnapshot, reasons: readonly string[]) =>
	problems.some(({reason}) => reasons.includes(reason));

const podsOf = ({namespace}: Fallback) => ({type: 'namespace', namespace}) as const;

const othersForbidden = ({namespace, isAsked}: Fallback): Problem => ({
	reason: 'OtherNamespacesForbidden',
	...(isAsked ? {} : {isOfPods: true}),
	message:
		`only the pods of ${namespace} may be read: if many pods of other namespaces are deleted too, ` +
		'evictions come later than shown',
});
