import {presentText} from '../../cluster/codec/rawJson.ts';
import type {
	ContainerResources,
	InitContainer,
	NodePod,
	PodContainer,
	PodVolume,
	ResourceList,
} from '../../core/nodepressure/nodePod.ts';
import type {EvictedPod, KubeletReport} from '../../core/nodepressure/pressureLook.ts';
import {formatQuantity} from '../../core/nodepressure/quantities/formatQuantity.ts';
import type {
	ContainerStats,
	FsStats,
	MemoryStats,
	NodeStats,
	PodStats,
	RlimitStats,
	Uint64,
	VolumeStats,
} from '../../core/nodepressure/summary.ts';
import {assertAllWritten, time} from './pruned.ts';
import {prunedToleration} from './prunedPod.ts';

// Kubelet data in its original form, with only the fields that a pressure forecast reads. The live decoders read the same
// from it.

/** A number, or a string if a number cannot hold it, such as an underflow. */
const amount = <Name extends string>(name: Name, value: Uint64 | undefined) =>
	presentText(
		name,
		value === undefined || value <= BigInt(Number.MAX_SAFE_INTEGER)
			? value === undefined
				? undefined
				: Number(value)
			: String(value),
	);

const part = <Name extends string, T>(name: Name, value: T | undefined, prune: (value: T) => object) =>
	presentText(name, value && prune(value));

export function prunedNodeStats({
	memory,
	podsMemory,
	fs,
	imageFs,
	containerFs,
	rlimit,
	...rest
}: NodeStats): object {
	assertAllWritten(rest);
	return {
		...part('memory', memory, nodeMemory),
		...(podsMemory && {systemContainers: [{name: 'pods', memory: nodeMemory(podsMemory)}]}),
		...part('fs', fs, nodeFs),
		runtime: {...part('imageFs', imageFs, nodeFs), ...part('containerFs', containerFs, nodeFs)},
		...part('rlimit', rlimit, prunedRlimit),
	};
}

function nodeMemory({time: at, availableBytes, workingSetBytes, ...rest}: MemoryStats) {
	assertAllWritten(rest);
	return {
		...time('time', at),
		...amount('availableBytes', availableBytes),
		...amount('workingSetBytes', workingSetBytes),
	};
}

/** Of a node, the free space matters; of a pod's file systems, the used space. */
function nodeFs({time: at, availableBytes, capacityBytes, inodesFree, inodes, ...more}: FsStats) {
	const {usedBytes: _, inodesUsed: __, ...rest} = more;
	assertAllWritten(rest);
	return {
		...time('time', at),
		...amount('availableBytes', availableBytes),
		...amount('capacityBytes', capacityBytes),
		...amount('inodesFree', inodesFree),
		...amount('inodes', inodes),
	};
}

function prunedRlimit({time: at, maxpid, curproc, ...rest}: RlimitStats) {
	assertAllWritten(rest);
	return {...time('time', at), ...amount('maxpid', maxpid), ...amount('curproc', curproc)};
}

export function prunedPodStats(stats: PodStats): object {
	const {uid, startTime, memory, containers, volumes, ephemeralStorage, processCount, ...rest} = stats;
	assertAllWritten(rest);
	return {
		podRef: {uid},
		...time('startTime', startTime),
		...part('memory', memory, podMemory),
		containers: containers.map(prunedContainerStats),
		...(volumes.length > 0 && {volume: volumes.map(prunedVolumeStats)}),
		...part('ephemeral-storage', ephemeralStorage, podFs),
		...(processCount !== undefined && {process_stats: amount('process_count', processCount)}),
	};
}

function prunedContainerStats({name, memory, rootfs, logs, ...rest}: ContainerStats) {
	assertAllWritten(rest);
	return {
		name,
		...part('memory', memory, podMemory),
		...part('rootfs', rootfs, podFs),
		...part('logs', logs, podFs),
	};
}

const prunedVolumeStats = ({name, ...fs}: VolumeStats) => ({name, ...podFs(fs)});

function podMemory({time: at, workingSetBytes, availableBytes: _, ...rest}: MemoryStats) {
	assertAllWritten(rest);
	return {...time('time', at), ...amount('workingSetBytes', workingSetBytes)};
}

function podFs({time: at, usedBytes, inodesUsed, availableBytes: _, capacityBytes: __, ...more}: FsStats) {
	const {inodesFree: ___, inodes: ____, ...rest} = more;
	assertAllWritten(rest);
	return {...time('time', at), ...amount('usedBytes', usedBytes), ...amount('inodesUsed', inodesUsed)};
}

export function prunedNodePod(pod: NodePod): object {
	const {namespace, name, uid, configSource, isMirror, priority, containers, initContainers, ...more} = pod;
	const {resources, overhead, volumes, terminationGracePeriodSeconds, deletionTimestamp, ...others} = more;
	// Whether it has sidecar limits follows from the node's version.
	const {tolerations, qosClass, hasSidecarLimits: _, ...rest} = others;
	assertAllWritten(rest);
	const annotations = {
		...presentText('kubernetes.io/config.source', configSource),
		// Only the fact; its kubelet knows it by its UID.
		...(isMirror && {'kubernetes.io/config.mirror': ''}),
	};
	return {
		metadata: {
			...{namespace, name, uid},
			...(Object.keys(annotations).length > 0 && {annotations}),
			...time('deletionTimestamp', deletionTimestamp),
		},
		spec: {
			...presentText('priority', priority),
			containers: containers.map(prunedContainer),
			...(initContainers.length > 0 && {initContainers: initContainers.map(prunedInit)}),
			...part('resources', resources, prunedResources),
			...list('overhead', overhead),
			...(volumes.length > 0 && {volumes: volumes.map(prunedVolume)}),
			...presentText('terminationGracePeriodSeconds', terminationGracePeriodSeconds),
			...(tolerations.length > 0 && {tolerations: tolerations.map(prunedToleration)}),
		},
		status: presentText('qosClass', qosClass),
	};
}

function prunedContainer({name, requests, limits, ...rest}: PodContainer) {
	assertAllWritten(rest);
	return {name, resources: prunedResources({requests, limits})};
}

const prunedInit = ({isSidecar, ...container}: InitContainer) => ({
	...prunedContainer(container),
	...(isSidecar && {restartPolicy: 'Always'}),
});

function prunedResources({requests, limits, ...rest}: ContainerResources) {
	assertAllWritten(rest);
	return {...list('requests', requests), ...list('limits', limits)};
}

function list<Name extends string>(name: Name, amounts: ResourceList) {
	const entries = Object.entries(amounts).map(([resource, one]) => [resource, formatQuantity(one)]);
	return presentText(name, entries.length > 0 ? Object.fromEntries(entries) : undefined);
}

function prunedVolume({name, kind, medium, sizeLimit, ...rest}: PodVolume) {
	assertAllWritten(rest);
	if (kind === 'other') return {name};
	return {
		name,
		[kind]: {
			...presentText('medium', medium),
			...presentText('sizeLimit', sizeLimit && formatQuantity(sizeLimit)),
		},
	};
}

export function prunedEvicted({namespace, name, uid, at, message, ...rest}: EvictedPod): object {
	assertAllWritten(rest);
	return {namespace, name, uid, ...time('at', at), ...presentText('message', keptMessage(message))};
}

export function prunedReport({node, reason, at, message, pod, uid, ...rest}: KubeletReport): object {
	assertAllWritten(rest);
	return {
		...{node, reason},
		...time('at', at),
		...presentText('message', keptMessage(message)),
		...presentText('pod', pod),
		...presentText('uid', uid),
	};
}

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

const keptMessage = (message: string): string => (evictionWords.test(message.trimEnd()) ? message : '');
