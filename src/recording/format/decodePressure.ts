import {objectOf} from '../../cluster/codec/objectOf.ts';
import {
	decodeTime,
	entriesOf,
	type Fields,
	fieldsOf,
	isNamespaceName,
	isObject,
	isObjectName,
	present,
	textOf,
} from '../../cluster/codec/rawJson.ts';
import {decodeNodePod} from '../../cluster/kubelet/decodeNodePod.ts';
import {decodeNodeStats, decodePodStats} from '../../cluster/kubelet/decodeSummary.ts';
import {decodeEvictionConfig} from '../../cluster/kubelet/nodePressure.ts';
import {kept} from '../../core/collections/kept.ts';
import type {ObjectName} from '../../core/model/objectName.ts';
import {namesInKey} from '../../core/model/pod.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import type {
	EvictedPod,
	KubeletReport,
	PressureLook,
	PressureNews,
} from '../../core/nodepressure/pressureLook.ts';
import type {PodStats} from '../../core/nodepressure/summary.ts';
import type {EvictionConfig} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import type {Instant} from '../../core/time/instant.ts';
import {ListDecoder} from './listPatch.ts';

export type RawPressure = Readonly<
	Record<keyof PressureLook | 'chosen' | 'reported' | 'looked' | 'stats', unknown>
>;

class NodeLists {
	readonly pods = new ListDecoder<NodePod>();
	readonly stats = new ListDecoder<PodStats>();
	readonly evicted = new ListDecoder<EvictedPod>();
	config: EvictionConfig | undefined;
}

export class PressureDecoder {
	readonly #report: (flaw: string) => void;
	readonly #nodes = new Map<string, NodeLists>();
	readonly #reports = new ListDecoder<KubeletReport>();
	#broken = 0;

	/** @param report receives decoding errors of objects */
	constructor(report: (flaw: string) => void) {
		this.#report = report;
	}

	get broken(): number {
		return this.#broken;
	}

	/** Decodes a line; undefined if it is unreadable. */
	take(meta: Fields<RawPressure>, at: Instant): PressureNews | undefined {
		if (Array.isArray(meta.chosen)) {
			const nodes = meta.chosen.filter(isNodeName);
			for (const name of this.#nodes.keys()) if (!nodes.includes(name)) this.#nodes.delete(name);
			return {type: 'chosen', nodes, problems: problemsOf(meta.problems)};
		}
		if (Array.isArray(meta.reported))
			return {type: 'reported', reports: this.#reports.take(meta.reported, this.#read(reportOf))};
		if (isNodeName(meta.looked)) return {type: 'looked', look: this.#look(meta.looked, meta, at)};
		this.#broken += 1;
		return undefined;
	}

	#look(node: string, meta: Fields<RawPressure>, at: Instant): PressureLook {
		const lists = kept(this.#nodes, node, () => new NodeLists());
		if (isObject(meta.config)) lists.config = decodeEvictionConfig(meta.config);
		const source = sources.find((known) => known === meta.source);
		return {
			node,
			seenAt: decodeTime(meta.seenAt) ?? at,
			...(isObject(meta.node) && {
				summary: {
					node: decodeNodeStats(meta.node),
					pods: lists.stats.take(meta.stats, this.#read(decodePodStats)),
				},
			}),
			...present('source', source),
			...present('config', lists.config),
			pods: lists.pods.take(
				meta.pods,
				this.#read((entry) => ifNamed(decodeNodePod(entry, this.#report))),
			),
			evicted: lists.evicted.take(
				meta.evicted,
				this.#read((entry) => ifNamed(readEvicted(entry))),
			),
			problems: problemsOf(meta.problems),
		};
	}

	#read =
		<T>(read: (entry: unknown) => T | undefined) =>
		(entry: unknown): T | undefined => {
			const found = isObject(entry) ? read(entry) : undefined;
			if (found === undefined) this.#broken += 1;
			return found;
		};
}

const sources = ['kubelet', 'metrics'] as const;

const isNodeName = (value: unknown): value is string => typeof value === 'string' && isObjectName(value);

// Names appear in commands that users paste, so invalid ones are rejected.
const isPodName = ({namespace, name}: ObjectName): boolean =>
	isNamespaceName(namespace) && isObjectName(name);

const ifNamed = <T extends ObjectName>(pod: T): T | undefined => (isPodName(pod) ? pod : undefined);

const readEvicted = objectOf<EvictedPod>({
	...{namespace: textOf, name: textOf, uid: textOf, at: decodeTime, message: textOf},
});

function reportOf(entry: unknown): KubeletReport | undefined {
	const {node, reason, at, message, pod, uid} = fieldsOf<KubeletReport>(entry);
	const reportedAt = decodeTime(at);
	if (!isNodeName(node) || reportedAt === undefined) return undefined;
	if (pod !== undefined && !isPodName(namesInKey(textOf(pod)))) return undefined;
	return {
		...{node, reason: textOf(reason), at: reportedAt, message: textOf(message)},
		...present('pod', pod === undefined ? undefined : textOf(pod)),
		...present('uid', uid === undefined ? undefined : textOf(uid)),
	};
}

export const problemsOf = (value: unknown): readonly Problem[] =>
	entriesOf(value).flatMap((entry) => {
		const {reason, message, isOfPods} = fieldsOf<Problem>(entry);
		if (typeof reason !== 'string' || typeof message !== 'string') return [];
		return [{reason, message, ...(isOfPods === true && {isOfPods})}];
	});
