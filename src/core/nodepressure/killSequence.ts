import {type Duration, type Instant, never, second} from '../time/instant.ts';
import type {PressurePassStep, TimedEvictionEffect} from './evictionEffect.ts';
import type {EvictionWorld} from './evictionWorld.ts';
import type {NodePod} from './nodePod.ts';

/** The kills of one pass, in sequence; each blocks until its pod has ended or times out. */
export type KillSequence = {
	readonly steps: readonly PressurePassStep[];
	readonly evicted: readonly NodePod[];
	/** The kill in progress; absent before the first and after the last. */
	readonly current?: {readonly pod: NodePod; readonly until: Instant; readonly isTimeout: boolean};
};

/**
 * Advances a sequence as far as possible at this instant.
 *
 * @quirk a kill that timed out counts as an eviction; the pod is ranked and killed again in the next pass
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go evictPod
 */
export function continueKills(
	sequence: KillSequence,
	world: EvictionWorld,
	now: Instant,
): {readonly sequence: KillSequence; readonly effects: readonly TimedEvictionEffect[]} {
	let {steps, evicted, current} = sequence;
	const effects: TimedEvictionEffect[] = [];
	for (;;) {
		if (current) {
			if (current.until > now) break;
			if (current.isTimeout) effects.push({at: now, effect: {type: 'killTimedOut', pod: current.pod}});
			evicted = [...evicted, current.pod];
			current = undefined;
		}
		const [step, ...rest] = steps;
		if (!step) break;
		steps = rest;
		effects.push({at: now, effect: step});
		if (step.type === 'killed') current = startKill(step.pod, step.graceSeconds, world, now);
	}
	return {sequence: {steps, evicted, ...(current && {current})}, effects};
}

export function isDone({steps, current}: KillSequence) {
	return steps.length === 0 && current === undefined;
}

function startKill(pod: NodePod, graceSeconds: number, world: EvictionWorld, now: Instant) {
	const timeout = now + killTimeout(graceSeconds);
	const endsAt = world.kill(pod, graceSeconds, now) ?? never;
	return {pod, until: Math.min(endsAt, timeout), isTimeout: endsAt > timeout};
}

/**
 * How long the kubelet waits for a kill before it continues.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/pod_workers.go killPodNow
 */
export function killTimeout(graceSeconds: number): Duration {
	return Math.max(10, graceSeconds + Math.trunc(graceSeconds / 2)) * second;
}
