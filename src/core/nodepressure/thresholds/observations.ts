import type {Instant} from '../../time/instant.ts';
import {newQuantity, type Quantity} from '../quantities/quantity.ts';
import type {FsStats, MemoryStats, PodStats, RlimitStats, Summary, Uint64} from '../summary.ts';
import {formatOf, type Signal} from './signal.ts';

/** The values of a signal in a summary, as int64. */
export type SignalObservation = {
	readonly available: bigint;
	readonly capacity: bigint;
	/** Absent if the summary has no time. */
	readonly time?: Instant;
};

export type Observations = ReadonlyMap<Signal, SignalObservation>;

/** What an eviction pass reads of a summary. */
export type MeasuredSummary = {readonly observations: Observations; readonly pods: readonly PodStats[]};

export const measuredIn = (summary: Summary): MeasuredSummary => ({
	observations: observeSignals(summary),
	pods: summary.pods,
});

/**
 * Reads the signals from a summary. A signal with a missing field is not observed.
 *
 * @quirk amounts that wrapped around below zero are read as the negative numbers they are
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go makeSignalObservations
 */
export function observeSignals({node}: Summary): Observations {
	const found: readonly [Signal, SignalObservation | undefined][] = [
		['memory.available', observeMemory(node.memory)],
		['allocatableMemory.available', observeMemory(node.podsMemory)],
		['nodefs.available', observeBytes(node.fs)],
		['nodefs.inodesFree', observeInodes(node.fs)],
		['imagefs.available', observeBytes(node.imageFs)],
		['imagefs.inodesFree', observeInodes(node.imageFs)],
		['containerfs.available', observeBytes(node.containerFs)],
		['containerfs.inodesFree', observeInodes(node.containerFs)],
		['pid.available', observeProcesses(node.rlimit)],
	];
	return new Map(found.filter((entry): entry is [Signal, SignalObservation] => entry[1] !== undefined));
}

/** The available amount, in the signal's own format. */
export function availableQuantity(signal: Signal, {available}: SignalObservation): Quantity {
	return newQuantity(available, formatOf(signal));
}

function observeMemory(stats: MemoryStats | undefined): SignalObservation | undefined {
	const {availableBytes, workingSetBytes, time} = stats ?? {};
	if (availableBytes === undefined || workingSetBytes === undefined) return undefined;
	return observation(availableBytes, availableBytes + workingSetBytes, time);
}

const observeBytes = (stats: FsStats | undefined) =>
	observation(stats?.availableBytes, stats?.capacityBytes, stats?.time);

const observeInodes = (stats: FsStats | undefined) =>
	observation(stats?.inodesFree, stats?.inodes, stats?.time);

function observeProcesses({maxpid, curproc, time}: RlimitStats = {}): SignalObservation | undefined {
	return maxpid === undefined || curproc === undefined
		? undefined
		: observation(maxpid - curproc, maxpid, time);
}

function observation(
	available: Uint64 | undefined,
	capacity: Uint64 | undefined,
	time: Instant | undefined,
): SignalObservation | undefined {
	if (available === undefined || capacity === undefined) return undefined;
	return {
		available: BigInt.asIntN(64, available),
		capacity: BigInt.asIntN(64, capacity),
		...(time !== undefined && {time}),
	};
}
