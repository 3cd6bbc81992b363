import {objectOf, optional} from '../../cluster/codec/objectOf.ts';
import {
	decodeTime,
	entriesOf,
	type Fields,
	fieldsOf,
	isNamespaceName,
	isObject,
	isObjectName,
	textOf,
} from '../../cluster/codec/rawJson.ts';
import {decodeNodePod} from '../../cluster/kubelet/decodeNodePod.ts';
import {decodeNodeStats, decodePodStats} from '../../cluster/kubelet/decodeSummary.ts';
import {decodeEvictionConfig} from '../../cluster/kubelet/nodePressure.ts';
import {kept} from '../../core/collections/kept.ts';
import type {ObjectName} from '../../core/model/objectName.ts';
import {namesInKey} from '../../core/model/pod.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {
	EvictedPod,
	KubeletReport,
	PressureLook,
	PressureNews,
} from '../../core/nodepressure/pressureLook.ts';
import type {EvictionConfig} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import type {Instant} from '../../core/time/instant.ts';
import {listDecoder} from './listPatch.ts';

export type RawPressure = Readonly<
	Record<keyof PressureLook | 'chosen' | 'reported' | 'looked' | 'stats', unknown>
>;

/** Decodes lines on node pressure. @param report receives decoding errors of objects */
export function pressureDecoder(report: (flaw: string) => void) {
	let broken = 0;
	const reading =
		<T>(read: (entry: unknown) => T | undefined) =>
		(entry: unknown): T | undefined => {
			const found = isObject(entry) ? read(entry) : undefined;
			if (found === undefined) broken += 1;
			return found;
		};
	const nothingRead = () => ({
		pods: listDecoder(reading((entry) => ifNamed(decodeNodePod(entry, report)))),
		stats: listDecoder(reading(decodePodStats)),
		evicted: listDecoder(reading((entry) => ifNamed(readEvicted(entry)))),
		config: undefined as EvictionConfig | undefined,
	});
	const nodes = new Map<string, ReturnType<typeof nothingRead>>();
	const reports = listDecoder(reading(reportOf));

	const lookOf = (node: string, meta: Fields<RawPressure>, at: Instant): PressureLook => {
		const lists = kept(nodes, node, nothingRead);
		if (isObject(meta.config)) lists.config = decodeEvictionConfig(meta.config);
		return {
			node,
			seenAt: decodeTime(meta.seenAt) ?? at,
			summary: isObject(meta.node)
				? {node: decodeNodeStats(meta.node), pods: lists.stats(meta.stats)}
				: undefined,
			source: sources.find((known) => known === meta.source),
			config: lists.config,
			pods: lists.pods(meta.pods),
			evicted: lists.evicted(meta.evicted),
			problems: problemsOf(meta.problems),
		};
	};

	return {
		broken: () => broken,
		/** Decodes a line; undefined if it is unreadable. */
		take(meta: Fields<RawPressure>, at: Instant): PressureNews | undefined {
			if (Array.isArray(meta.chosen)) {
				const chosen = meta.chosen.filter(isNodeName);
				for (const name of nodes.keys()) if (!chosen.includes(name)) nodes.delete(name);
				return {type: 'chosen', nodes: chosen, problems: problemsOf(meta.problems)};
			}
			if (Array.isArray(meta.reported)) return {type: 'reported', reports: reports(meta.reported)};
			if (isNodeName(meta.looked)) return {type: 'looked', look: lookOf(meta.looked, meta, at)};
			broken += 1;
			return undefined;
		},
	};
}

const sources = ['kubelet', 'metrics'] as const;

const isNodeName = (value: unknown): value is string => typeof value === 'string' && isObjectName(value);

// Names appear in commands that users paste, so invalid ones are rejected.
const isPodName = ({namespace, name}: ObjectName) => isNamespaceName(namespace) && isObjectName(name);

const ifNamed = <T extends ObjectName>(pod: T): T | undefined => (isPodName(pod) ? pod : undefined);

const readEvicted = objectOf<EvictedPod>({
	namespace: textOf,
	name: textOf,
	uid: textOf,
	at: decodeTime,
	message: textOf,
});

const readReport = objectOf<KubeletReport>({
	node: textOf,
	reason: textOf,
	message: textOf,
	pod: optional(textOf),
	uid: optional(textOf),
	at: (value) => decodeTime(value) ?? Number.NaN,
});

function reportOf(entry: unknown): KubeletReport | undefined {
	const report = readReport(entry);
	const {node, at, pod} = report;
	const isSound = isNodeName(node) && !Number.isNaN(at) && (pod === undefined || isPodName(namesInKey(pod)));
	return isSound ? report : undefined;
}

export const problemsOf = (value: unknown): readonly Problem[] =>
	entriesOf(value).flatMap((entry) => {
		const {reason, message, isOfPods} = fieldsOf<Problem>(entry);
		if (typeof reason !== 'string' || typeof message !== 'string') return [];
		return [{reason, message, isOfPods: isOfPods === true || undefined}];
	});
