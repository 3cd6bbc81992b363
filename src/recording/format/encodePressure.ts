import {recordedTime} from '../../cluster/codec/recordedTime.ts';
import {encodeNodePod, encodeNodeStats, encodePodStats} from '../../cluster/kubelet/encodeKubelet.ts';
import {kept} from '../../core/collections/kept.ts';
import type {
	EvictedPod,
	KubeletReport,
	PressureLook,
	PressureNews,
} from '../../core/nodepressure/pressureLook.ts';
import {listEncoder} from './listPatch.ts';

/** What was written about a node; the next look repeats most of it. */
const nothingWritten = () => ({
	pods: listEncoder(),
	stats: listEncoder(),
	evicted: listEncoder(),
	config: undefined as string | undefined,
});

/** Encodes kubelet reports as changes. */
export function pressureEncoder() {
	const nodes = new Map<string, ReturnType<typeof nothingWritten>>();
	const reports = listEncoder();

	const lookMeta = ({node, seenAt, summary, source, config, pods, evicted, problems}: PressureLook) => {
		const written = kept(nodes, node, nothingWritten);
		const configText = config && JSON.stringify(config);
		const isNewConfig = configText !== undefined && configText !== written.config;
		written.config = configText ?? written.config;
		return {
			looked: node,
			seenAt: recordedTime(seenAt),
			source,
			node: summary && encodeNodeStats(summary.node),
			stats: summary && written.stats(summary.pods.map(encodePodStats)),
			config: isNewConfig ? config : undefined,
			pods: written.pods(pods.map(encodeNodePod)),
			evicted: written.evicted(evicted.map(withKeptMessage)),
			problems: problems.length > 0 ? problems : undefined,
		};
	};

	/** The line's content; none if nothing changed. */
	return (news: PressureNews): readonly object[] => {
		switch (news.type) {
			case 'chosen': {
				const chosen = new Set(news.nodes);
				for (const name of nodes.keys()) if (!chosen.has(name)) nodes.delete(name);
				return [{kind: 'Pressure', chosen: news.nodes, problems: news.problems}];
			}
			case 'looked':
				return [{kind: 'Pressure', ...lookMeta(news.look)}];
			case 'reported': {
				const reported = reports(news.reports.map(withKeptMessage));
				return reported ? [{kind: 'Pressure', reported}] : [];
			}
		}
	};
}

const withKeptMessage = ({at, message, ...rest}: EvictedPod | KubeletReport): object => ({
	...rest,
	at: recordedTime(at),
	message: evictionWords.test(message.trimEnd()) ? message : undefined,
});

const [word, size] = [String.raw`[\w./-]+`, String.raw`-?[\w.+-]+`];
/** Eviction messages of kubelets, which contain only amounts and names; other messages may quote anything. */
const evictionWords = new RegExp(
	[
		String.raw`^The node was low on resource: ${word}\.(?: Threshold quantity: ${size}, available: ${size}\.)?(?: (?:Pod|Container) ${word} was using ${size}, request is ${size}, has larger consumption of ${word}\.)*$`,
		String.raw`^Usage of EmptyDir volume "${word}" exceeds the limit "${size}"\.$`,
		String.raw`^Pod ephemeral local storage usage exceeds the total limit of containers ${size}\.$`,
		String.raw`^Container ${word} exceeded its local ephemeral storage limit "${size}"\.$`,
		`^Attempting to reclaim ${word}$`,
	].join('|'),
);
