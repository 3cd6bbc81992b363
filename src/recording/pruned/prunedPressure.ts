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
import {nothingLeft, time} from './pruned.ts';
import {prunedToleration} from './prunedPod.ts';

// What kubelets tell, in the form in which they tell it, with no more in it than a forecast of pressure reads. The decoders
// of the live cluster read the same from it again.

/** An amount as a number; as a text where no number holds it, as one that wrapped around below zero. */
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

/** A node's own statistics as they are recorded. */
export function prunedNodeStats({
	memory,
	podsMemory,
	fs,
	imageFs,
	containerFs,
	rlimit,
	...rest
}: NodeStats): object {
	nothingLeft(rest);
	return {
		...part('memory', memory, nodeMemory),
		...(podsMemory && {systemContainers: [{name: 'pods', memory: nodeMemory(podsMemory)}]}),
		...part('fs', fs, nodeFs),
		runtime: {...part('imageFs', imageFs, nodeFs), ...part('containerFs', containerFs, nodeFs)},
		...part('rlimit', rlimit, prunedRlimit),
	};
}

function nodeMemory({time: at, availableBytes, workingSetBytes, usageBytes: _, ...rest}: MemoryStats) {
	nothingLeft(rest);
	return {
		...time('time', at),
		...amount('availableBytes', availableBytes),
		...amount('workingSetBytes', workingSetBytes),
	};
}

/** Of a node it counts what is left, of the part of a pod what it uses. */
function nodeFs({time: at, availableBytes, capacityBytes, inodesFree, inodes, ...more}: FsStats) {
	const {usedBytes: _, inodesUsed: __, ...rest} = more;
	nothingLeft(rest);
	return {
		...time('time', at),
		...amount('availableBytes', availableBytes),
		...amount('capacityBytes', capacityBytes),
		...amount('inodesFree', inodesFree),
		...amount('inodes', inodes),
	};
}

function prunedRlimit({time: at, maxpid, curproc, ...rest}: RlimitStats) {
	nothingLeft(rest);
	return {...time('time', at), ...amount('maxpid', maxpid), ...amount('curproc', curproc)};
}

/** A pod's statistics as they are recorded. */
export function prunedPodStats(stats: PodStats): object {
	const {uid, startTime, memory, containers, volumes, ephemeralStorage, processCount, ...rest} = stats;
	nothingLeft(rest);
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
	nothingLeft(rest);
	return {
		name,
		...part('memory', memory, podMemory),
		...part('rootfs', rootfs, podFs),
		...part('logs', logs, podFs),
	};
}

const prunedVolumeStats = ({name, ...fs}: VolumeStats) => ({name, ...podFs(fs)});

function podMemory({time: at, workingSetBytes, availableBytes: _, usageBytes: __, ...rest}: MemoryStats) {
	nothingLeft(rest);
	return {...time('time', at), ...amount('workingSetBytes', workingSetBytes)};
}

function podFs({time: at, usedBytes, inodesUsed, availableBytes: _, capacityBytes: __, ...more}: FsStats) {
	const {inodesFree: ___, inodes: ____, ...rest} = more;
	nothingLeft(rest);
	return {...time('time', at), ...amount('usedBytes', usedBytes), ...amount('inodesUsed', inodesUsed)};
}

/** A pod as an eviction manager knows it, as it is recorded. */
export function prunedNodePod(pod: NodePod): object {
	const {namespace, name, uid, configSource, isMirror, priority, containers, initContainers, ...more} = pod;
	const {resources, overhead, volumes, terminationGracePeriodSeconds, deletionTimestamp, ...others} = more;
	// That it has sidecar limits follows from its node's version.
	const {tolerations, qosClass, hasSidecarLimits: _, ...rest} = others;
	nothingLeft(rest);
	const annotations = {
		...presentText('kubernetes.io/config.source', configSource),
		// That it is a mirror, and not of what: the UID is what its kubelet knows it by.
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
	nothingLeft(rest);
	return {name, resources: prunedResources({requests, limits})};
}

const prunedInit = ({isSidecar, ...container}: InitContainer) => ({
	...prunedContainer(container),
	...(isSidecar && {restartPolicy: 'Always'}),
});

function prunedResources({requests, limits, ...rest}: ContainerResources) {
	nothingLeft(rest);
	return {...list('requests', requests), ...list('limits', limits)};
}

function list<Name extends string>(name: Name, amounts: ResourceList) {
	const entries = Object.entries(amounts).map(([resource, one]) => [resource, formatQuantity(one)]);
	return presentText(name, entries.length > 0 ? Object.fromEntries(entries) : undefined);
}

function prunedVolume({name, kind, medium, sizeLimit, ...rest}: PodVolume) {
	nothingLeft(rest);
	if (kind === 'other') return {name};
	return {
		name,
		[kind]: {
			...presentText('medium', medium),
			...presentText('sizeLimit', sizeLimit && formatQuantity(sizeLimit)),
		},
	};
}

/** A pod that was evicted, as it is recorded. */
export function prunedEvicted({namespace, name, uid, at, message, ...rest}: EvictedPod): object {
	nothingLeft(rest);
	return {namespace, name, uid, ...time('at', at), ...presentText('message', keptMessage(message))};
}

/** What a kubelet reported, as it is recorded. */
export function prunedReport({node, reason, at, message, pod, uid, ...rest}: KubeletReport): object {
	nothingLeft(rest);
	return {
		...{node, reason},
		...time('at', at),
		...presentText('message', keptMessage(message)),
		...presentText('pod', pod),
		...presentText('uid', uid),
	};
}

const [word, size] = [String.raw`[\w./-]+`, String.raw`-?[\w.+-]+`];
/** An eviction in a kubelet's own words, which say amounts and names; others may quote anything. */
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
