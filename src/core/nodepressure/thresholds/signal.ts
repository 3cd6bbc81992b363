import type {Node} from '../../model/node.ts';
import type {QuantityFormat} from '../quantities/quantity.ts';

/** The signal of a threshold: the remaining amount of a resource. */
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

/** The resource that runs short and is reclaimed. */
export type StarvedResource = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';

/** The node condition that is True while a threshold of a signal is met, and for a while after. */
export const pressureConditions = ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;
export type PressureCondition = (typeof pressureConditions)[number];

/** Whether a condition, by its type, is one that a kubelet sets under pressure. */
export const isPressureCondition = (type: string): type is PressureCondition =>
	pressureConditions.some((condition) => condition === type);

/** The pressure conditions of a node that are True. */
export const pressureConditionsOf = ({conditions}: Node): readonly PressureCondition[] =>
	conditions.flatMap(({type, status}) => (status === 'True' && isPressureCondition(type) ? type : []));

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

/** All signals, in the order of display. */
export const signals = Object.keys(facts) as readonly Signal[];

/**
 * Whether a kubelet knows a signal; case matters.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go validSignal
 */
export function isSignal(name: string): name is Signal {
	return Object.hasOwn(facts, name);
}

/** The resource that a signal's thresholds reclaim. */
export function resourceOf(signal: Signal): StarvedResource {
	return facts[signal].resource;
}

/** The condition that a signal's thresholds set. */
export function conditionOf(signal: Signal): PressureCondition {
	return facts[signal].condition;
}

/** Bytes are written in powers of 1024, inodes and processes in powers of ten. */
export function formatOf(signal: Signal): QuantityFormat {
	const resource = resourceOf(signal);
	return resource === 'inodes' || resource === 'pids' ? 'DecimalSI' : 'BinarySI';
}
