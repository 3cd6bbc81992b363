import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import type {NodeStats, PodStats} from '../../core/nodepressure/summary.ts';
import {
	amount,
	encodeMessage,
	list,
	map,
	number,
	part,
	quantities,
	quantity,
	text,
	time,
} from '../codec/wire/message.ts';
import {toleration} from '../codec/wire/objects.ts';

// A kubelet's data as JSON, with only the fields that a pressure forecast reads. The live decoders read the same from it. The
// fields have no numbers: kubelets answer in JSON.

const memory = (...amounts: readonly string[]) => part('memory', [time('time'), ...amounts.map(amount)]);
const usedFs = [time('time'), amount('usedBytes'), amount('inodesUsed')];
/** Of a node, the free space matters; of a pod's file systems, the used space. */
const freeFs = [
	time('time'),
	...['availableBytes', 'capacityBytes', 'inodesFree', 'inodes'].map((name) => amount(name)),
];
const nodeMemory = memory('availableBytes', 'workingSetBytes');
const podMemory = memory('workingSetBytes');

const {message: nodeStats} = part('node', [
	nodeMemory,
	list('systemContainers', [text('name'), nodeMemory]),
	part('fs', freeFs),
	part('runtime', [part('imageFs', freeFs), part('containerFs', freeFs)]),
	part('rlimit', [time('time'), amount('maxpid'), amount('curproc')]),
]);

const {message: podStats} = part('pod', [
	part('podRef', [text('uid')]),
	time('startTime'),
	podMemory,
	list('containers', [text('name'), podMemory, part('rootfs', usedFs), part('logs', usedFs)]),
	list('volume', [text('name'), ...usedFs]),
	part('ephemeral-storage', usedFs),
	part('process_stats', [amount('process_count')]),
]);

const resources = part('resources', [quantities('requests'), quantities('limits')]);
const container = [text('name'), resources];

const {message: nodePod} = part('pod', [
	part('metadata', [
		...['namespace', 'name', 'uid'].map((name) => text(name)),
		map('annotations'),
		time('deletionTimestamp'),
	]),
	part('spec', [
		number('priority'),
		list('containers', container),
		list('initContainers', [...container, text('restartPolicy')]),
		resources,
		quantities('overhead'),
		list('volumes', [
			text('name'),
			part('emptyDir', [text('medium'), quantity('sizeLimit')]),
			...['hostPath', 'configMap', 'gitRepo'].map((name) => part(name, [])),
		]),
		number('terminationGracePeriodSeconds'),
		list('tolerations', toleration),
	]),
	part('status', [text('qosClass')]),
]);

/** A node's part of /stats/summary. */
export const encodeNodeStats = (stats: NodeStats): object =>
	encodeMessage(nodeStats, {
		...stats,
		systemContainers: stats.podsMemory && [{name: 'pods', memory: stats.podsMemory}],
		runtime: stats,
	});

/** A pod's part of /stats/summary. */
export const encodePodStats = (stats: PodStats): object =>
	encodeMessage(podStats, {
		...stats,
		podRef: stats,
		volume: stats.volumes,
		'ephemeral-storage': stats.ephemeralStorage,
		process_stats: stats.processCount === undefined ? undefined : {process_count: stats.processCount},
	});

/** A Pod as its kubelet knows it: with the allocated resources, a static pod with the UID of its manifest. */
export function encodeNodePod(pod: NodePod): object {
	const {configSource, isMirror, containers, initContainers, volumes} = pod;
	const withResources = (one: NodePod['containers'][number]) => ({...one, resources: one});
	return encodeMessage(nodePod, {
		metadata: {
			...pod,
			annotations: {
				...(configSource !== undefined && {'kubernetes.io/config.source': configSource}),
				// Only the fact; its kubelet knows it by its UID.
				...(isMirror && {'kubernetes.io/config.mirror': ''}),
			},
		},
		spec: {
			...pod,
			containers: containers.map(withResources),
			initContainers: initContainers.map((one) => ({
				...withResources(one),
				restartPolicy: one.isSidecar ? 'Always' : '',
			})),
			volumes: volumes.map((volume) => ({...volume, [volume.kind]: volume})),
		},
		status: pod,
	});
}
