import type {LogLine} from './node.ts';

/** A pod that the kubelet evicted. Instants are milliseconds since the epoch. */
export type Eviction = {
	readonly pod: string;
	/** When it was decided. */
	readonly at: number;
	readonly cause: 'pressure' | 'limit';
	readonly message: string;
};

type LoggedPod = {readonly name: string; readonly namespace: string};

/** The evictions that a kubelet's log tells of, at verbosity 3. One whose pod does not end is tried again. */
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

/** How the kubelet ranked its pods, each time. */
export const rankingsIn = (log: readonly LogLine[]): string[] =>
	log
		.filter(({msg}) => msg === 'Eviction manager: pods ranked for eviction')
		.map((line) => (line['pods'] as LoggedPod[]).map(({name}) => name).join(' '));
