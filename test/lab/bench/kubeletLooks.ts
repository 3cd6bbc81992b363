import {gzipSync} from 'node:zlib';
import type {PodStats, Summary} from '../../../src/core/nodepressure/summary.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Random} from '../../../src/core/time/random.ts';
import {entryEncoder} from '../../../src/recording/format/encodeEntry.ts';
import {aNodePod} from '../../support/pressure.ts';

// Measures an hour of one node's statistics in a recording: all memory values change each time, every third disk each minute.

const looksAnHour = 360;
const start = Date.UTC(2026, 0, 31, 14);
const usual = {requests: {memory: '128Mi', cpu: '100m'}, limits: {memory: '256Mi'}};
const random = new Random(1);
const about = (amount: number) => BigInt(Math.round(amount * (1 + random.next() / 50)));

/** Sizes in bytes, plain and compressed. */
export type LooksSize = {
	readonly pods: number;
	readonly containers: number;
	readonly plain: number;
	readonly packed: number;
};

/** An hour of statistics of a node. */
export function sizeOfLooks(pods: number, containers: number): LooksSize {
	const listed = Array.from({length: pods}, (_, index) =>
		aNodePod(`workload-${index}-7d9f8b6c5-x${index}`, usual, {
			uid: `8f5937c0-fd00-40cb-8b67-${String(random.next()).slice(2, 14)}`,
			...{qosClass: 'Burstable', volumes: [{name: 'kube-api-access-abcde', kind: 'other'}]},
			tolerations: ['not-ready', 'unreachable'].map((name) => ({
				...{key: `node.kubernetes.io/${name}`, operator: 'Exists', value: ''},
				...{effect: 'NoExecute', tolerationSeconds: 300},
			})),
		}),
	);
	const encoder = entryEncoder();
	let text = '';
	for (let index = 0; index < looksAnHour; index += 1) {
		const at = start + index * 10 * second;
		const stats = listed.map(({uid}, place) => podStats(uid, place, containers, index));
		const summary: Summary = {node: nodeStats(at), pods: stats};
		const look = {
			node: 'n1',
			seenAt: at,
			source: 'kubelet',
			summary,
			pods: listed,
			evicted: [],
			problems: [],
		} as const;
		text += [...encoder.lines({type: 'pressure', at, news: {type: 'looked', look}})].join('');
	}
	return {pods, containers, plain: text.length, packed: gzipSync(text).length};
}

const nodeStats = (time: number): Summary['node'] => ({
	memory: {time, availableBytes: about(2e9), workingSetBytes: about(6e9)},
	fs: {
		time,
		availableBytes: about(5e10),
		capacityBytes: 107_374_182_400n,
		inodesFree: about(4e6),
		inodes: 6_553_600n,
	},
	rlimit: {time, maxpid: 32_768n, curproc: about(900)},
});

function podStats(uid: string, place: number, containers: number, look: number): PodStats {
	const time = start + look * 10 * second - Math.round(random.next() * 15) * second;
	const minutes = Math.floor(look / 6);
	const fs = (more: number) => ({
		time: start + minutes * 60 * second,
		usedBytes: BigInt(40_960 + (place + more) * 4096 + ((place + more) % 3 === 0 ? minutes * 8192 : 0)),
		inodesUsed: BigInt(10 + place),
	});
	const memory = (amount: number) => ({time, workingSetBytes: about(amount)});
	return {
		...{uid, memory: memory(1e8), processCount: 12n, ephemeralStorage: fs(0)},
		containers: Array.from({length: containers}, (_, index) => ({
			...{name: `app-${index}`, memory: memory(5e7), rootfs: fs(0), logs: fs(1)},
		})),
		volumes: [{name: 'kube-api-access-abcde', ...fs(3)}],
	};
}
