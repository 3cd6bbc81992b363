import type {EvictionConfig} from '../../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import type {Collection, KubeletScenario, Sample, Timestamps} from '../../../conformance/kubelet/vector.ts';
import {Draw} from './draw.ts';
import {aKubeletPod, gibibyte, mebibyte, statsOf} from './randomKubeletPod.ts';

/** The signals that a node may run short of here. */
const signals = [
	'memory.available',
	'allocatableMemory.available',
	'nodefs.available',
	'nodefs.inodesFree',
	'imagefs.available',
	'imagefs.inodesFree',
	'pid.available',
] as const;
type Signal = (typeof signals)[number];

/** A node's capacity of each signal; thresholds are shares of it, and the available amount falls below them. */
const capacity: Readonly<Record<Signal, number>> = {
	'memory.available': 8 * gibibyte,
	'allocatableMemory.available': 7 * gibibyte,
	'nodefs.available': 100 * gibibyte,
	'nodefs.inodesFree': 6_000_000,
	'imagefs.available': 200 * gibibyte,
	'imagefs.inodesFree': 8_000_000,
	'pid.available': 32_768,
};

/** Draws a node that runs short of something; the real kubelet decides what is evicted. */
export function randomKubelet(seed: number): KubeletScenario {
	const draw = new Draw(seed);
	const until = 60 + draw.index(300);
	const short = [...new Set([draw.of(signals), draw.of(signals)])];
	const nodeSetup = draw.of([
		{dedicatedImageFs: false, dedicatedContainerFs: false},
		{dedicatedImageFs: true, dedicatedContainerFs: false},
		{dedicatedImageFs: true, dedicatedContainerFs: true},
	]);
	const pods = Array.from({length: 1 + draw.index(9)}, (_, index) => aKubeletPod(`p${index}`, until, draw));
	return {
		name: `kubelet-drawn-${seed}`,
		config: aConfig(short, draw),
		nodeSetup: {
			...nodeSetup,
			...(draw.oneIn(12) && {imageFsError: 'no answer from the runtime', imageFsErrorUntilSeconds: 15}),
		},
		pods,
		samples: samplesOf(short, pods, until, draw),
		gc: {
			image: Array.from({length: draw.index(3)}, () => aCollection(draw)),
			container: Array.from({length: draw.index(3)}, () => aCollection(draw)),
		},
		// Separate from all passes, which begin on whole seconds.
		admissionProbes: Array.from({length: draw.index(4)}, (_, index) => ({
			atMs: draw.index(until) * 1000 + 370 + index,
			pod: aKubeletPod(`new${index}`, until, draw).pod,
		})).toSorted((a, b) => a.atMs - b.atMs),
		untilSeconds: until,
	};
}

function aConfig(short: readonly Signal[], draw: Draw): EvictionConfig {
	const hard: Record<string, string> = {};
	const soft: Record<string, string> = {};
	const grace: Record<string, string> = {};
	const minimum: Record<string, string> = {};
	for (const signal of short.filter(isConfigured)) {
		const isSoft = draw.oneIn(3);
		if (!isSoft || draw.oneIn(2)) hard[signal] = amountOf(signal, 0.08, draw);
		if (isSoft) {
			soft[signal] = amountOf(signal, 0.15, draw);
			grace[signal] = draw.of(['0s', '5s', '30s', '1m30s']);
		}
		if (draw.oneIn(4)) minimum[signal] = amountOf(signal, 0.03, draw);
	}
	return {
		enforceNodeAllocatable: short.includes('allocatableMemory.available') ? ['pods'] : [],
		...(draw.oneIn(4) || short.some((signal) => !isConfigured(signal))
			? {evictionHard: {'memory.available': '300Mi', ...hard}}
			: Object.keys(hard).length > 0 && {evictionHard: hard}),
		...(Object.keys(soft).length > 0 && {evictionSoft: soft, evictionSoftGracePeriod: grace}),
		...(Object.keys(minimum).length > 0 && {evictionMinimumReclaim: minimum}),
		evictionMaxPodGracePeriod: draw.of([0, 60, 5, -1]),
		evictionPressureTransitionPeriod: draw.of(['5m0s', '30s', '0s']),
		monitoringInterval: draw.of(['10s', '10s', '3s']),
		localStorageCapacityIsolation: !draw.oneIn(5),
	};
}

/** The kubelet derives the threshold of allocatable memory itself. */
const isConfigured = (signal: Signal) => signal !== 'allocatableMemory.available';

function amountOf(signal: Signal, share: number, draw: Draw): string {
	if (draw.oneIn(3)) return `${draw.of([share * 100, share * 100 + 0.5, share * 70])}%`;
	const amount = Math.floor(capacity[signal] * share);
	return amount > gibibyte ? `${Math.round(amount / mebibyte)}Mi` : String(amount);
}

/** The node is healthy at first, and then short of something; sometimes its stats are old or unavailable. */
function samplesOf(
	short: readonly Signal[],
	pods: KubeletScenario['pods'],
	until: number,
	draw: Draw,
): readonly Sample[] {
	const seconds = new Set(Array.from({length: 1 + draw.index(6)}, () => 1 + draw.index(until * 0.8)));
	const times = [0, ...[...seconds].toSorted((a, b) => a - b)];
	return times.map((atSeconds, index): Sample => {
		if (index > 0 && draw.oneIn(10)) return {atSeconds, error: 'the runtime is busy'};
		const left = (signal: Signal) =>
			Math.floor(
				capacity[signal] *
					(short.includes(signal) && index > 0 ? draw.of([0.02, 0.06, 0.07, 0.09, 0.12, 0.3]) : 0.5),
			);
		const timestamps = draw.of<Timestamps>(['live', 'live', 'live', 'live', 'frozen', 'none']);
		return {
			atSeconds,
			node: nodeStats(left),
			...((index === 0 || draw.oneIn(2)) && {pods: (pods ?? []).map(({pod}) => statsOf(pod, draw))}),
			timestamps,
			...(draw.oneIn(10) && {timestampOverrides: {memory: 'frozen', fs: 'none'}}),
		};
	});
}

function nodeStats(left: (signal: Signal) => number): unknown {
	const memory = (signal: Signal) => ({
		availableBytes: left(signal),
		workingSetBytes: capacity[signal] - left(signal),
	});
	const fs = (bytes: Signal, inodes: Signal) => ({
		availableBytes: left(bytes),
		capacityBytes: capacity[bytes],
		inodesFree: left(inodes),
		inodes: capacity[inodes],
	});
	const imageFs = fs('imagefs.available', 'imagefs.inodesFree');
	return {
		nodeName: 'node-1',
		memory: memory('memory.available'),
		fs: fs('nodefs.available', 'nodefs.inodesFree'),
		runtime: {imageFs, containerFs: imageFs},
		rlimit: {maxpid: capacity['pid.available'], curproc: capacity['pid.available'] - left('pid.available')},
		systemContainers: [{name: 'pods', memory: memory('allocatableMemory.available')}],
	};
}

function aCollection(draw: Draw): Collection {
	if (draw.oneIn(6)) return {error: 'the runtime refused'};
	const freed = draw.index(12 * gibibyte);
	return {fs: freed, imageFs: freed, containerFs: freed, fsInodes: draw.index(300_000)};
}
