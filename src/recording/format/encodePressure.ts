import {presentText} from '../../cluster/codec/rawJson.ts';
import {kept} from '../../core/collections/kept.ts';
import type {PressureLook, PressureNews} from '../../core/nodepressure/pressureLook.ts';
import {nothingLeft} from '../pruned/pruned.ts';
import {
	prunedEvicted,
	prunedNodePod,
	prunedNodeStats,
	prunedPodStats,
	prunedReport,
} from '../pruned/prunedPressure.ts';
import {recordedTime} from '../pruned/recordedTime.ts';
import {ListEncoder} from './listPatch.ts';

/** What was told of a node, as the next look has most of it again. */
class ToldNode {
	readonly pods = new ListEncoder();
	readonly stats = new ListEncoder();
	readonly evicted = new ListEncoder();
	config: string | undefined;
}

/** Tells what kubelets tell by what is new in it. */
export class PressureEncoder {
	readonly #nodes = new Map<string, ToldNode>();
	readonly #reports = new ListEncoder();

	/** What to write of it; undefined where all of it was told before. */
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
		nothingLeft(rest);
		const told = kept(this.#nodes, node, () => new ToldNode());
		const configText = config && JSON.stringify(config);
		const isNewConfig = configText !== undefined && configText !== told.config;
		told.config = configText ?? told.config;
		return {
			looked: node,
			seenAt: recordedTime(seenAt),
			...presentText('source', source),
			...(summary && {node: prunedNodeStats(summary.node)}),
			...(summary && presentText('stats', told.stats.patch(summary.pods.map(prunedPodStats)))),
			...(isNewConfig && {config}),
			...presentText('pods', told.pods.patch(pods.map(prunedNodePod))),
			...presentText('evicted', told.evicted.patch(evicted.map(prunedEvicted))),
			...(problems.length > 0 && {problems}),
		};
	}
}
