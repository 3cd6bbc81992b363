import type {ScenarioPod} from '../../../conformance/kubelet/vector.ts';
import type {Draw} from './draw.ts';

export const mebibyte = 1024 ** 2;
export const gibibyte = 1024 ** 3;

/** The fields of a v1.Pod that the eviction manager reads. */
type Pod = {
	readonly metadata: {readonly name: string; readonly namespace: string; readonly uid: string};
	readonly spec: {
		readonly containers: readonly {readonly name: string}[];
		readonly volumes?: readonly {readonly name: string}[];
	};
};

/** A pod of any quality of service, priority and storage, with the duration of its end and what that frees. */
export function aKubeletPod(name: string, until: number, draw: Draw): ScenarioPod {
	const isStatic = draw.oneIn(15);
	const pod = {
		metadata: {
			...{name, namespace: 'default', uid: `uid-${name}`},
			...(isStatic && {annotations: {'kubernetes.io/config.source': 'file'}}),
		},
		spec: {
			containers: [aContainer('app', draw), ...(draw.oneIn(3) ? [aContainer('side', draw)] : [])],
			...(draw.oneIn(2) && {priority: draw.of([0, 100, -5, 2_000_000_000])}),
			...(draw.oneIn(3) && {terminationGracePeriodSeconds: draw.of([30, 3, 0])}),
			...(draw.oneIn(4) && {volumes: [{name: 'scratch', emptyDir: draw.of([{}, {sizeLimit: '1Gi'}])}]}),
			...(draw.oneIn(6) && {tolerations: [draw.of(tolerations)]}),
		},
	};
	const startAtSeconds = draw.oneIn(8) ? draw.index(until) : undefined;
	const memory = draw.index(600) * mebibyte;
	const storage = draw.index(4 * gibibyte);
	return {
		pod,
		...(startAtSeconds !== undefined && {startAtSeconds}),
		...(draw.oneIn(10) && {stopAtSeconds: (startAtSeconds ?? 0) + 1 + draw.index(until)}),
		terminationSeconds: draw.of([0, 0, 1, 8, 20, -1]),
		cleanupSeconds: draw.of([0, 0, 1, 4, 40]),
		...(!draw.oneIn(4) && {
			freesOnTermination: {
				...{memory, podsMemory: memory, fs: storage, fsInodes: draw.index(200_000)},
				...{imageFs: storage, containerFs: storage, pids: draw.index(1500)},
			},
		}),
	};
}

const tolerations = [
	{operator: 'Exists'},
	{key: 'node.kubernetes.io/memory-pressure', operator: 'Exists', effect: 'NoSchedule'},
	{key: 'node.kubernetes.io/disk-pressure', operator: 'Exists'},
] as const;

function aContainer(name: string, draw: Draw): {readonly name: string} {
	const memory = `${1 + draw.index(800)}Mi`;
	const storage = draw.of(['100Mi', '2Gi', '1G']);
	switch (draw.index(6)) {
		case 0:
			return {name};
		case 1: {
			const all = {cpu: '1', memory};
			return {name, ...{resources: {requests: all, limits: all}}};
		}
		case 2:
			return {
				name,
				...{resources: {requests: {memory}, limits: {memory: '2Gi', 'ephemeral-storage': storage}}},
			};
		case 3:
			return {name, ...{resources: {requests: {memory, 'ephemeral-storage': storage}}}};
		default:
			return {name, ...{resources: {requests: {memory}}}};
	}
}

/** A pod's part of /stats/summary. Amounts are coarse, so that pods sometimes tie; some have no storage statistics. */
export function statsOf(pod: unknown, draw: Draw): unknown {
	const {metadata, spec} = pod as Pod;
	const steps = (step: number) => draw.index(20) * step;
	const hasStorage = !draw.oneIn(4);
	const containers = spec.containers.map(({name}) => ({
		name,
		memory: {workingSetBytes: steps(64 * mebibyte)},
		...(hasStorage && {
			rootfs: {usedBytes: steps(200 * mebibyte), inodesUsed: steps(20_000)},
			logs: {usedBytes: steps(50 * mebibyte), inodesUsed: steps(10)},
		}),
	}));
	const volume = (spec.volumes ?? []).map(({name}) => ({
		name,
		usedBytes: steps(100 * mebibyte),
		inodesUsed: steps(50),
	}));
	return {
		podRef: metadata,
		containers,
		...(!draw.oneIn(8) && {
			memory: {workingSetBytes: containers.reduce((sum, {memory}) => sum + memory.workingSetBytes, 0)},
		}),
		...(volume.length > 0 && {volume}),
		...(hasStorage && draw.oneIn(2) && {'ephemeral-storage': {usedBytes: steps(300 * mebibyte)}}),
		...(!draw.oneIn(6) && {process_stats: {process_count: steps(100)}}),
	};
}
