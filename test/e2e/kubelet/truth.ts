import type {LogLine} from './node.ts';

/** A pod that the kubelet evicted. Instants are milliseconds since the epoch. */
export type Eviction = {
	readonly pod: string;
	/** When the kubelet decided it. */
	readonly at: number;
	readonly cause: 'pressure' | 'limit';
	readonly message: string;
};

type LoggedPod = {readonly name: string; readonly namespace: string};

/** The evictions in a kubelet's log, at verbosity 3. The eviction of a pod that does not end is retried. */
export function evictionsIn(log: readonly LogLine[]): Eviction[] {
	const first = new Map<string, Eviction>();
	for (const line of log) {
		if (line.msg !== 'Evicting pod') continue;
		const {name: pod} = line['pod'] as LoggedPod;
		const message = String(line['message']);
		const cause = message.startsWith('The node was low on resource') ? 'pressure' : 'limit';
		if (!first.has(pod)) first.set(pod, {pod, at: line.ts, cause, message});
	}
	return [...first.values()];
}

/** The kubelet's rankings of its pods. */
export const rankingsIn = (log: readonly LogLine[]): string[] =>
	log
		.filter(({msg}) => msg === 'Eviction manager: pods ranked for eviction')
		.map((line) => (line['pods'] as LoggedPod[]).map(({name}) => name).join(' '));
