import {recordedTime} from '../../cluster/codec/recordedTime.ts';
import {encodeNodePod, encodeNodeStats, encodePodStats} from '../../cluster/kubelet/encodeKubelet.ts';
import {kept} from '../../core/collections/kept.ts';
import type {
	EvictedPod,
	KubeletReport,
	PressureLook,
	PressureNews,
} from '../../core/nodepressure/pressureLook.ts';
import {ListEncoder} from './listPatch.ts';

/** What was written about a node; the next look repeats most of it. */
class WrittenNode {
	readonly pods = new ListEncoder();
	readonly stats = new ListEncoder();
	readonly evicted = new ListEncoder();
	config: string | undefined;
}

/** Encodes kubelet reports as changes. */
export class PressureEncoder {
	readonly #nodes = new Map<string, WrittenNode>();
	readonly #reports = new ListEncoder();

	/** The line's content; none if nothing changed. */
	metas(news: PressureNews): readonly object[] {
		switch (news.type) {
			case 'chosen': {
				const names = new Set(news.nodes);
				for (const name of this.#nodes.keys()) if (!names.has(name)) this.#nodes.delete(name);
				return [{kind: 'Pressure', chosen: news.nodes, problems: news.problems}];
			}
			case 'looked':
				return [{kind: 'Pressure', ...this.#look(news.look)}];
			case 'reported': {
				const reported = this.#reports.patch(news.reports.map(withKeptMessage));
				return reported ? [{kind: 'Pressure', reported}] : [];
			}
		}
	}

	#look({node, seenAt, summary, source, config, pods, evicted, problems}: PressureLook): object {
		const written = kept(this.#nodes, node, () => new WrittenNode());
		const configText = config && JSON.stringify(config);
		const isNewConfig = configText !== undefined && configText !== written.config;
		written.config = configText ?? written.config;
		return {
			looked: node,
			seenAt: recordedTime(seenAt),
			source,
			node: summary && encodeNodeStats(summary.node),
			stats: summary && written.stats.patch(summary.pods.map(encodePodStats)),
			...(isNewConfig && {config}),
			pods: written.pods.patch(pods.map(encodeNodePod)),
			evicted: written.evicted.patch(evicted.map(withKeptMessage)),
			...(problems.length > 0 && {problems}),
		};
	}
}

const withKeptMessage = ({at, message, ...rest}: EvictedPod | KubeletReport): object => ({
	...rest,
	at: recordedTime(at),
	...(evictionWords.test(message.trimEnd()) && {message}),
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
