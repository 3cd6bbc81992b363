import {presentText} from '../../cluster/codec/rawJson.ts';
import {kept} from '../../core/collections/kept.ts';
import type {PressureLook, PressureNews} from '../../core/nodepressure/pressureLook.ts';
import {assertAllWritten} from '../pruned/pruned.ts';
import {
	prunedEvicted,
	prunedNodePod,
	prunedNodeStats,
	prunedPodStats,
	prunedReport,
} from '../pruned/prunedPressure.ts';
import {recordedTime} from '../pruned/recordedTime.ts';
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

	/** The line's content; undefined if nothing changed. */
	meta(news: PressureNews): object | undefined {
		switch (news.type) {
			case 'chosen': {
				const names = new Set(news.nodes);
				for (const name of this.#nodes.keys()) if (!names.has(name)) this.#nodes.delete(name);
				return {kind: 'Pressure', chosen: news.nodes, problems: news.problems};
			}
			case 'looked':
				return {kind: 'Pressure', ...this.#look(news.look)};
			case 'reported': {
				const reported = this.#reports.patch(news.reports.map(prunedReport));
				return reported && {kind: 'Pressure', reported};
			}
		}
	}

	#look({node, seenAt, summary, source, config, pods, evicted, problems, ...rest}: PressureLook): object {
		assertAllWritten(rest);
		const written = kept(this.#nodes, node, () => new WrittenNode());
		const configText = config && JSON.stringify(config);
		const isNewConfig = configText !== undefined && configText !== written.config;
		written.config = configText ?? written.config;
		return {
			looked: node,
			seenAt: recordedTime(seenAt),
			...presentText('source', source),
			...(summary && {node: prunedNodeStats(summary.node)}),
			...(summary && presentText('stats', written.stats.patch(summary.pods.map(prunedPodStats)))),
			...(isNewConfig && {config}),
			...presentText('pods', written.pods.patch(pods.map(prunedNodePod))),
			...presentText('evicted', written.evicted.patch(evicted.map(prunedEvicted))),
			...(problems.length > 0 && {problems}),
		};
	}
}
