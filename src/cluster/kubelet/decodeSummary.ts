import type {
	ContainerStats,
	FsStats,
	MemoryStats,
	NodeStats,
	PodStats,
	RlimitStats,
	Summary,
	VolumeStats,
} from '../../core/nodepressure/summary.ts';
import {decodeTime, entriesOf, fieldsOf, isObject, present, textOf, uint64Of} from '../codec/rawJson.ts';

/** The kubelet's /stats/summary (stats/v1alpha1), as far as evictions go by it. */
type WireSummary = {readonly node: unknown; readonly pods: unknown};
type WireNode = Record<'memory' | 'fs' | 'runtime' | 'rlimit' | 'systemContainers', unknown>;
type WireRuntime = Record<'imageFs' | 'containerFs', unknown>;
type WireMemory = Record<'time' | 'availableBytes' | 'workingSetBytes' | 'usageBytes', unknown>;
type WireFs = Record<
	'name' | 'time' | 'availableBytes' | 'capacityBytes' | 'usedBytes' | 'inodesFree' | 'inodes' | 'inodesUsed',
	unknown
>;
type WireContainer = Record<'name' | 'memory' | 'rootfs' | 'logs', unknown>;
type WirePod = Record<
	'podRef' | 'startTime' | 'memory' | 'containers' | 'volume' | 'ephemeral-storage' | 'process_stats',
	unknown
>;

/** Reads a summary of parseExactJson. What is missing or makes no sense is left out, as the kubelet would leave it. */
export function decodeSummary(value: unknown): Summary {
	const {node, pods} = fieldsOf<WireSummary>(value);
	return {node: decodeNodeStats(node), pods: entriesOf(pods).map(decodePodStats)};
}

/** Reads what a summary says of the node as a whole. */
export function decodeNodeStats(value: unknown): NodeStats {
	const node = fieldsOf<WireNode>(value);
	const runtime = fieldsOf<WireRuntime>(node.runtime);
	const pods = entriesOf(node.systemContainers).find(
		(container) => fieldsOf<WireContainer>(container).name === 'pods',
	);
	return {
		...present('memory', decodeMemory(node.memory)),
		...present('podsMemory', decodeMemory(fieldsOf<WireContainer>(pods).memory)),
		...present('fs', decodeFs(node.fs)),
		...present('imageFs', decodeFs(runtime.imageFs)),
		...present('containerFs', decodeFs(runtime.containerFs)),
		...present('rlimit', decodeRlimit(node.rlimit)),
	};
}

/** Reads what a summary says of one pod. */
export function decodePodStats(value: unknown): PodStats {
	const pod = fieldsOf<WirePod>(value);
	return {
		uid: textOf(fieldsOf<{uid: unknown}>(pod.podRef).uid),
		...present('startTime', decodeTime(pod.startTime)),
		...present('memory', decodeMemory(pod.memory)),
		containers: entriesOf(pod.containers).map(decodeContainer),
		volumes: entriesOf(pod.volume).map(decodeVolume),
		...present('ephemeralStorage', decodeFs(pod['ephemeral-storage'])),
		...present('processCount', uint64Of(fieldsOf<{process_count: unknown}>(pod.process_stats).process_count)),
	};
}

function decodeContainer(value: unknown): ContainerStats {
	const container = fieldsOf<WireContainer>(value);
	return {
		name: textOf(container.name),
		...present('memory', decodeMemory(container.memory)),
		...present('rootfs', decodeFs(container.rootfs)),
		...present('logs', decodeFs(container.logs)),
	};
}

function decodeMemory(value: unknown): MemoryStats | undefined {
	if (!isObject(value)) return undefined;
	const memory = fieldsOf<WireMemory>(value);
	return {
		...present('time', decodeTime(memory.time)),
		...present('availableBytes', uint64Of(memory.availableBytes)),
		...present('workingSetBytes', uint64Of(memory.workingSetBytes)),
		...present('usageBytes', uint64Of(memory.usageBytes)),
	};
}

function decodeFs(value: unknown): FsStats | undefined {
	if (!isObject(value)) return undefined;
	const fs = fieldsOf<WireFs>(value);
	return {
		...present('time', decodeTime(fs.time)),
		...present('availableBytes', uint64Of(fs.availableBytes)),
		...present('capacityBytes', uint64Of(fs.capacityBytes)),
		...present('usedBytes', uint64Of(fs.usedBytes)),
		...present('inodesFree', uint64Of(fs.inodesFree)),
		...present('inodes', uint64Of(fs.inodes)),
		...present('inodesUsed', uint64Of(fs.inodesUsed)),
	};
}

const decodeVolume = (value: unknown): VolumeStats => ({
	...decodeFs(value),
	name: textOf(fieldsOf<WireFs>(value).name),
});

function decodeRlimit(value: unknown): RlimitStats | undefined {
	if (!isObject(value)) return undefined;
	const rlimit = fieldsOf<Record<'time' | 'maxpid' | 'curproc', unknown>>(value);
	return {
		...present('time', decodeTime(rlimit.time)),
		...present('maxpid', uint64Of(rlimit.maxpid)),
		...present('curproc', uint64Of(rlimit.curproc)),
	};
}
