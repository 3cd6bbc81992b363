import type {TimedEvictionEffect} from '../../src/core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../src/core/nodepressure/evictionLoop.ts';
import type {EvictionWorld} from '../../src/core/nodepressure/evictionWorld.ts';
import type {NodePod} from '../../src/core/nodepressure/nodePod.ts';
import type {Summary} from '../../src/core/nodepressure/summary.ts';
import {
	type EvictionConfig,
	evictionSettings,
} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import type {Threshold} from '../../src/core/nodepressure/thresholds/threshold.ts';
import {type Instant, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import type {PressureEvidence, SummarySample} from '../../src/forecast/pressure/observe/pressureEvidence.ts';
import {aNodePod} from './pressure.ts';

export type Leak = {
	readonly name: string;
	/** Mebibytes: at the start, what is added a second, and what is requested. */
	readonly start: number;
	readonly growth: number;
	readonly request: number;
	readonly priority?: number;
};

/** A node of 8Gi whose pods leak memory, with a kubelet that runs the ported manager: the truth for a forecast. */
export class LeakyNode implements EvictionWorld {
	readonly #leaks: readonly Leak[];
	readonly #noise: number;
	readonly #seed: number;
	readonly pods: readonly NodePod[];
	readonly #endedAt = new Map<string, Instant>();

	/** @param noise the most that a measurement is off by, in mebibytes */
	constructor(leaks: readonly Leak[], noise = 0, seed = 1) {
		this.#leaks = leaks;
		this.#noise = noise;
		this.#seed = seed;
		this.pods = leaks.map(({name, request, priority}) =>
			aNodePod(name, {requests: {memory: `${request}Mi`}}, {priority: priority ?? 0}),
		);
	}

	fileSystems() {
		return {hasDedicatedImageFs: false, hasDedicatedContainerFs: false};
	}

	activePods(now: Instant): readonly NodePod[] {
		return this.pods.filter(({uid}) => now < (this.#endedAt.get(uid) ?? Number.POSITIVE_INFINITY));
	}

	summary(now: Instant): Summary {
		const alive = this.activePods(now);
		const used = (leak: Leak) => Math.max(0, leak.start + (leak.growth * now) / second);
		const total = this.#leaks
			.filter((_, index) => alive.includes(this.pods[index] as NodePod))
			.reduce((sum, leak) => sum + used(leak), 500);
		const off = (new Random(this.#seed + Math.round(now)).next() * 2 - 1) * this.#noise;
		const memory = {
			availableBytes: mebibytes(8192 - total + off),
			workingSetBytes: mebibytes(total - off),
			time: now,
		};
		return {
			node: {memory},
			pods: this.#leaks.flatMap((leak, index) => {
				const pod = this.pods[index];
				if (!pod || !alive.includes(pod)) return [];
				const workingSetBytes = mebibytes(used(leak));
				return [{uid: pod.uid, memory: {workingSetBytes, time: now}, containers: [], volumes: []}];
			}),
		};
	}

	collectGarbage(): undefined {
		return undefined;
	}

	kill({uid}: NodePod, _graceSeconds: number, now: Instant): Instant {
		this.#endedAt.set(uid, now + second);
		return now + second;
	}

	isCleanedUp(): boolean {
		return true;
	}

	choose(candidates: readonly [Threshold, ...Threshold[]]): Threshold {
		return candidates[0];
	}

	/** What a client has seen that asked every ten seconds, from `phase` up to `now`. */
	evidence(config: EvictionConfig, phase: Instant, now: Instant): PressureEvidence {
		const samples: SummarySample[] = [];
		for (let at = phase; at <= now; at += 10 * second) samples.push({seenAt: at, summary: this.summary(at)});
		return {node: 'n1', samples, config, pods: this.activePods(now), conditions: []};
	}
}

const mebibytes = (amount: number): bigint => BigInt.asUintN(64, BigInt(Math.round(amount * 1024 * 1024)));

/** What the kubelet of a node does, whose first pass is at `phase`. */
export function truth(
	node: LeakyNode,
	config: EvictionConfig,
	phase: Instant,
	until: Instant,
): readonly TimedEvictionEffect[] {
	const loop = new EvictionLoop(evictionSettings(config), node, 0, {phase: {type: 'resting', until: phase}});
	return loop.advanceTo(until);
}
