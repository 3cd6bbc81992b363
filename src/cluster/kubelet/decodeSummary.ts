import type {
	ContainerStats,
	FsStats,
	MemoryStats,
	NodeStats,
	PodStats,
	RlimitStats,
	Summary,
} from '../../core/nodepressure/summary.ts';
import {ifObject, objectOf} from '../codec/objectOf.ts';
import {decodeTime, entriesOf, fieldsOf, present, textOf, uint64Of} from '../codec/rawJson.ts';

// The fields of the kubelet's /stats/summary (stats/v1alpha1) that matter for evictions.
type WirePod = Record<
	'podRef' | 'startTime' | 'memory' | 'containers' | 'volume' | 'ephemeral-storage' | 'process_stats',
	unknown
>;

const decodeMemory = ifObject(
	objectOf<MemoryStats>({
		time: decodeTime,
		availableBytes: uint64Of,
		workingSetBytes: uint64Of,
	}),
);
const fs = objectOf<FsStats>({
	time: decodeTime,
	availableBytes: uint64Of,
	capacityBytes: uint64Of,
	usedBytes: uint64Of,
	inodesFree: uint64Of,
	inodes: uint64Of,
	inodesUsed: uint64Of,
});
const decodeFs = ifObject(fs);
const decodeRlimit = ifObject(objectOf<RlimitStats>({time: decodeTime, maxpid: uint64Of, curproc: uint64Of}));
const decodeContainer = objectOf<ContainerStats>({
	...{name: textOf, memory: decodeMemory, rootfs: decodeFs, logs: decodeFs},
});

/** Decodes a summary of parseExactJson. Missing and invalid fields are left out, as in the kubelet. */
export function decodeSummary(value: unknown): Summary {
	const {node, pods} = fieldsOf<Summary>(value);
	return {node: decodeNodeStats(node), pods: entriesOf(pods).map(decodePodStats)};
}

export function decodeNodeStats(value: unknown): NodeStats {
	const node = fieldsOf<Record<'memory' | 'fs' | 'runtime' | 'rlimit' | 'systemContainers', unknown>>(value);
	const runtime = fieldsOf<Record<'imageFs' | 'containerFs', unknown>>(node.runtime);
	const pods = entriesOf(node.systemContainers)
		.map(decodeContainer)
		.find(({name}) => name === 'pods');
	return {
		...present('memory', decodeMemory(node.memory)),
		...present('podsMemory', pods?.memory),
		...present('fs', decodeFs(node.fs)),
		...present('imageFs', decodeFs(runtime.imageFs)),
		...present('containerFs', decodeFs(runtime.containerFs)),
		...present('rlimit', decodeRlimit(node.rlimit)),
	};
}

export function decodePodStats(value: unknown): PodStats {
	const pod = fieldsOf<WirePod>(value);
	return {
		uid: textOf(fieldsOf<{uid: unknown}>(pod.podRef).uid),
		...present('startTime', decodeTime(pod.startTime)),
		...present('memory', decodeMemory(pod.memory)),
		containers: entriesOf(pod.containers).map(decodeContainer),
		volumes: entriesOf(pod.volume).map((one) => ({
			...fs(one),
			name: textOf(fieldsOf<ContainerStats>(one).name),
		})),
		...present('ephemeralStorage', decodeFs(pod['ephemeral-storage'])),
		...present('processCount', uint64Of(fieldsOf<{process_count: unknown}>(pod.process_stats).process_count)),
	};
}
