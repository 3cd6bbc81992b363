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
import {decodeTime, entriesOf, fieldsOf, textOf, uint64Of} from '../codec/rawJson.ts';

// The fields of the kubelet's /stats/summary (stats/v1alpha1) that matter for evictions.
type WireNode = Record<'memory' | 'fs' | 'rlimit' | 'systemContainers', unknown> & {
	runtime: Record<'imageFs' | 'containerFs', unknown>;
};
type WirePod = Record<'startTime' | 'memory' | 'containers' | 'volume' | 'ephemeral-storage', unknown> & {
	podRef: {uid: string};
	process_stats: {process_count: unknown};
};

const decodeMemory = ifObject(
	objectOf<MemoryStats>({
		time: decodeTime,
		availableBytes: uint64Of,
		workingSetBytes: uint64Of,
	}),
);
/**
 * What a kubelet on Windows takes for its node's memory, from v1.31 on: what may still be committed, page files included. Older
 * kubelets do not report it, and use physical memory.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers_windows.go makeMemoryAvailableSignalObservation
 */
const decodeCommitted = (value: unknown): MemoryStats | undefined =>
	decodeMemory({...fieldsOf(value), workingSetBytes: fieldsOf<{usageBytes: unknown}>(value).usageBytes});
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
	name: textOf,
	memory: decodeMemory,
	rootfs: decodeFs,
	logs: decodeFs,
});

/** Decodes a summary of parseExactJson. Missing and invalid fields are left out, as in the kubelet. */
export function decodeSummary(value: unknown): Summary {
	const {node, pods} = fieldsOf<Summary>(value);
	return {node: decodeNodeStats(node), pods: entriesOf(pods).map(decodePodStats)};
}

/** The node of a summary; empty if it is not named. */
export const nodeNameIn = (value: unknown): string =>
	textOf(fieldsOf<{nodeName: unknown}>(fieldsOf<Summary>(value).node).nodeName);

export function decodeNodeStats(value: unknown): NodeStats {
	const node = fieldsOf<WireNode>(value);
	const systemContainers = entriesOf(node.systemContainers).map((entry) => fieldsOf<ContainerStats>(entry));
	const memoryOf = (wanted: string) => systemContainers.find(({name}) => name === wanted)?.memory;
	const committed = memoryOf('windows-global-commit-memory');
	return {
		memory: committed === undefined ? decodeMemory(node.memory) : decodeCommitted(committed),
		podsMemory: decodeMemory(memoryOf('pods')),
		fs: decodeFs(node.fs),
		imageFs: decodeFs(node.runtime?.imageFs),
		containerFs: decodeFs(node.runtime?.containerFs),
		rlimit: decodeRlimit(node.rlimit),
	};
}

export function decodePodStats(value: unknown): PodStats {
	const pod = fieldsOf<WirePod>(value);
	return {
		uid: textOf(pod.podRef?.uid),
		startTime: decodeTime(pod.startTime),
		memory: decodeMemory(pod.memory),
		containers: entriesOf(pod.containers).map(decodeContainer),
		volumes: entriesOf(pod.volume).map((one) => ({
			...fs(one),
			name: textOf(fieldsOf<ContainerStats>(one).name),
		})),
		ephemeralStorage: decodeFs(pod['ephemeral-storage']),
		processCount: uint64Of(pod.process_stats?.process_count),
	};
}
