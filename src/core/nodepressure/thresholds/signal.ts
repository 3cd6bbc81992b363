import type {QuantityFormat} from '../quantities/quantity.ts';

/** What a threshold is about: how much is left of something. */
export type Signal =
	| 'memory.available'
	| 'allocatableMemory.available'
	| 'nodefs.available'
	| 'nodefs.inodesFree'
	| 'imagefs.available'
	| 'imagefs.inodesFree'
	| 'containerfs.available'
	| 'containerfs.inodesFree'
	| 'pid.available';

/** What runs short, and is reclaimed. */
export type StarvedResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';

/** The condition that a node shows while a threshold of a signal is met, and for a while after. */
export const pressureConditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;
export type PressureCondition = (typeof pressureConditions)[number];

type SignalFacts = {readonly resource: StarvedResource; readonly condition: PressureCondition};

const memory: SignalFacts = {resource: 'memory', condition: 'MemoryPressure'};
const storage: SignalFacts = {resource: 'ephemeral-storage', condition: 'DiskPressure'};
const inodes: SignalFacts = {resource: 'inodes', condition: 'DiskPressure'};

const facts: Readonly<Record<Signal, SignalFacts>> = {
	'memory.available': memory,
	'allocatableMemory.available': memory,
	'nodefs.available': storage,
	'nodefs.inodesFree': inodes,
	'imagefs.available': storage,
	'imagefs.inodesFree': inodes,
	'containerfs.available': storage,
	'containerfs.inodesFree': inodes,
	'pid.available': {resource: 'pids', condition: 'PIDPressure'},
};

/** All signals, in the order in which people look for them. */
export const signals = Object.keys(facts) as readonly Signal[];

/**
 * Whether a kubelet knows a signal; case counts.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go validSignal
 */
export function isSignal(name: string): name is Signal {
	return Object.hasOwn(facts, name);
}

/** What a signal's thresholds reclaim. */
export function resourceOf(signal: Signal): StarvedResource {
	return facts[signal].resource;
}

/** The condition that a signal's thresholds raise. */
export function conditionOf(signal: Signal): PressureCondition {
	return facts[signal].condition;
}

/** Bytes are written in powers of 1024, inodes and processes in powers of ten. */
export function formatOf(signal: Signal): QuantityFormat {
	const resource = resourceOf(signal);
	return resource === 'inodes' || resource === 'pids' ? 'DecimalSI' : 'BinarySI';
}
