import type {FsStats, MemoryStats, NodeStats} from '../../../core/nodepressure/summary.ts';
import type {Signal} from '../../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../../core/time/instant.ts';

/**
 * A node's statistics with other available amounts, and the same capacity; unobserved signals stay so.
 *
 * @param left by signal; other signals stay unchanged
 * @param time of the measurements; by default unchanged
 */
export function withAvailable(node: NodeStats, left: ReadonlyMap<Signal, bigint>, time?: Instant): NodeStats {
	const timed = time === undefined ? {} : {time};
	const memory = (stats: MemoryStats | undefined, signal: Signal): MemoryStats | undefined => {
		const {availableBytes, workingSetBytes} = stats ?? {};
		const amount = left.get(signal);
		if (availableBytes === undefined || workingSetBytes === undefined || amount === undefined) return stats;
		const capacity = availableBytes + workingSetBytes;
		return {
			...stats,
			...timed,
			availableBytes: unsigned(amount),
			workingSetBytes: unsigned(capacity - amount),
		};
	};
	const fs = (
		stats: FsStats | undefined,
		name: 'nodefs' | 'imagefs' | 'containerfs',
	): FsStats | undefined => {
		const [bytes, inodes] = [left.get(`${name}.available`), left.get(`${name}.inodesFree`)];
		return (
			stats && {
				...stats,
				...timed,
				...(bytes !== undefined && {availableBytes: unsigned(bytes)}),
				...(inodes !== undefined && {inodesFree: unsigned(inodes)}),
			}
		);
	};
	const processes = left.get('pid.available');
	const {rlimit} = node;
	const parts: {readonly [Part in keyof NodeStats]: NodeStats[Part] | undefined} = {
		memory: memory(node.memory, 'memory.available'),
		podsMemory: memory(node.podsMemory, 'allocatableMemory.available'),
		fs: fs(node.fs, 'nodefs'),
		imageFs: fs(node.imageFs, 'imagefs'),
		containerFs: fs(node.containerFs, 'containerfs'),
		rlimit:
			rlimit?.maxpid === undefined || processes === undefined
				? rlimit
				: {...rlimit, ...timed, curproc: unsigned(rlimit.maxpid - processes)},
	};
	return Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
}

/** As the kubelet sends amounts: negative ones wrap around. */
const unsigned = (amount: bigint): bigint => BigInt.asUintN(64, amount);
