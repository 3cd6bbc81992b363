import {untilFirstEnds} from '../async/taskGroup.ts';
import type {Cluster} from '../cluster/cluster.ts';
import type {KubeletChooser} from '../cluster/kubelet/pressureLooker.ts';
import type {Selection} from '../cluster/transport/selection.ts';
import type {ClusterSnapshot} from '../core/model/clusterSnapshot.ts';
import type {ObservationSink} from '../core/model/observation.ts';
import type {Problem} from '../core/model/problem.ts';
import type {Source} from './session.ts';

const everything: Selection = {pods: {type: 'all'}};
const ofPods = ['PodsForbidden'];
/** Where the nodes may not be read, which of them are in trouble cannot be seen: no choice of pods by node is a good one. */
const ofNodes = ['NodesForbidden'];

/** Watches a cluster: everything, or the one namespace where more is forbidden; and asks kubelets meanwhile. */
export class ClusterSource implements Source {
	readonly #cluster: Pick<Cluster, 'watch' | 'watchPressure'>;
	readonly #selection: Selection;
	readonly #namespace: string | undefined;
	readonly #kubelets: KubeletChooser | undefined;

	/**
	 * @param namespace the one that may be read instead; undefined where all are asked for
	 * @param kubelets chooses whom to ask of pressure; absent where nobody is
	 */
	constructor(
		cluster: Pick<Cluster, 'watch' | 'watchPressure'>,
		selection: Selection,
		namespace: string | undefined,
		kubelets?: KubeletChooser,
	) {
		this.#cluster = cluster;
		this.#selection = selection;
		this.#namespace = namespace;
		this.#kubelets = kubelets;
	}

	async run(sink: ObservationSink, signal: AbortSignal): Promise<void> {
		const kubelets = this.#kubelets;
		if (!kubelets) return this.#watch(sink, signal);
		await untilFirstEnds(
			signal,
			(end) => this.#watch(sink, end),
			(end) => this.#cluster.watchPressure(kubelets, sink, end),
		);
	}

	async #watch(sink: ObservationSink, signal: AbortSignal): Promise<void> {
		const cluster = this.#cluster;
		const [selection, namespace] = [this.#selection, this.#namespace];
		const mayNarrow = namespace === undefined ? [] : ofPods;
		const isChosen = selection.pods.type === 'chosen';
		const refusals = [...mayNarrow, ...(isChosen ? ofNodes : [])];
		let isRefused = await cluster.watch({...selection, refusals}, sink, signal);
		if (isRefused && isChosen)
			isRefused = await cluster.watch({...selection, ...everything, refusals: mayNarrow}, sink, signal);
		if (!isRefused || namespace === undefined) return;
		const oneNamespace = {
			...selection,
			pods: {type: 'namespace', namespace},
			notes: [narrowed(namespace)],
		} as const;
		await cluster.watch(oneNamespace, sink, signal);
	}
}

/** Reads a cluster once: everything, or the one namespace where more is forbidden. */
export async function readOnce(
	cluster: Pick<Cluster, 'snapshot'>,
	selection: Selection,
	namespace: string | undefined,
): Promise<ClusterSnapshot> {
	const first = await cluster.snapshot(selection);
	const isBlind = selection.pods.type === 'chosen' && has(first, ofNodes);
	const snapshot = isBlind ? await cluster.snapshot({...selection, ...everything}) : first;
	if (namespace === undefined || !has(snapshot, ofPods)) return snapshot;
	const narrow = await cluster.snapshot({...selection, pods: {type: 'namespace', namespace}});
	return {...narrow, problems: [...narrow.problems, narrowed(namespace)]};
}

const has = ({problems}: ClusterSnapshot, reasons: readonly string[]): boolean =>
	problems.some(({reason}) => reasons.includes(reason));

const narrowed = (namespace: string): Problem => ({
	reason: 'OtherNamespacesForbidden',
	message:
		`only the pods of ${namespace} may be read: if many pods of other namespaces are deleted too, ` +
		'evictions come later than shown',
});
