import {podUsage} from '../../core/nodepressure/ranking.ts';
import {statsByUid} from '../../core/nodepressure/summary.ts';
import {observeSignals} from '../../core/nodepressure/thresholds/observations.ts';
import type {Signal} from '../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {PressureEvidence} from './observe/pressureEvidence.ts';
import type {PressureForecast} from './pressureForecast.ts';
import {withAvailable} from './simulate/withAvailable.ts';
import {guessFileSystems} from './situation.ts';

/**
 * The same node with other available amounts from now on, and no trend, as for `what-if --pressure
 * NODE=memory.available=50Mi`. Unchanged if the node was never measured.
 */
export function withSupposedPressure(
	evidence: PressureEvidence,
	left: ReadonlyMap<Signal, bigint>,
	now: Instant,
): PressureEvidence {
	const newest = evidence.samples.at(-1);
	if (!newest) return evidence;
	const summary = {...newest.summary, node: withAvailable(newest.summary, left, now)};
	return {...evidence, samples: [{seenAt: now, summary}], isSupposed: true};
}

/** The same node as if some pods had never existed: their usage is free, and their growth is not in its trends. */
export function withoutPods(evidence: PressureEvidence, uids: ReadonlySet<string>): PressureEvidence {
	const pods = evidence.pods.filter(({uid}) => !uids.has(uid));
	const removed = evidence.pods.filter(({uid}) => uids.has(uid));
	const samples = evidence.samples.map(({seenAt, summary}) => {
		const stats = statsByUid(summary);
		const fileSystems = guessFileSystems(summary) ?? {
			hasDedicatedImageFs: false,
			hasDedicatedContainerFs: false,
		};
		const left = [...observeSignals(summary)].map(([signal, {available}]) => {
			const freed = removed.reduce((sum, pod) => {
				const ofPod = stats.get(pod.uid);
				return sum + (ofPod ? podUsage(pod, ofPod, signal, fileSystems) : 0n);
			}, 0n);
			return [signal, available + freed] as const;
		});
		const others = summary.pods.filter(({uid}) => !uids.has(uid));
		return {seenAt, summary: {node: withAvailable(summary, new Map(left)), pods: others}};
	});
	return {...evidence, pods, samples};
}

export type SupposedPressure = {
	readonly node: string;
	readonly signal: Signal;
	/** Bytes, inodes or processes. */
	readonly left: bigint;
};

/** The effects of pressure on a node as it is, and with other available amounts from now on. */
export type PressureWhatIf = {
	readonly supposed: readonly SupposedPressure[];
	readonly before: PressureForecast;
	readonly after: PressureForecast;
};
