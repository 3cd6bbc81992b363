import type {TimedEvictionEffect} from '../../src/core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../src/core/nodepressure/evictionLoop.ts';
import type {EvictionWorld} from '../../src/core/nodepressure/evictionWorld.ts';
import type {NodePod} from '../../src/core/nodepressure/nodePod.ts';
import {parseQuantity} from '../../src/core/nodepressure/quantities/parseQuantity.ts';
import type {PodStats, Summary} from '../../src/core/nodepressure/summary.ts';
import {
	type EvictionConfig,
	evictionSettings,
} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import type {Threshold} from '../../src/core/nodepressure/thresholds/threshold.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import type {PressureEvidence, SummarySample} from '../../src/forecast/pressure/observe/pressureEvidence.ts';
import {aNodePod} from './pressure.ts';

/** What a pod has of something at the start, and takes more of each second. */
type Growing = {readonly start: number; readonly growth: number};

export type Leak = {
	readonly name: string;
	/** Mebibytes: at the start, what is added a second, and what is requested. */
	readonly start: number;
	readonly growth: number;
	readonly request: number;
	readonly priority?: number;
	/** When its container starts, and how long it takes from nothing to what it has at the start. */
	readonly startsAt?: Instant;
	readonly startsFor?: Duration;
	/** When all that it takes begins to grow, and when it stops; always where that is left out. */
	readonly growsFrom?: Instant;
	readonly growsUntil?: Instant;
	/** When its containers end by themselves. */
	readonly endsAt?: Instant;
	/** How long they take to end once they are killed: the kubelet waits no longer than it grants. */
	readonly lingers?: Duration;
	/** Its own grace period, in seconds. */
	readonly grace?: number;
	/** Mebibytes in an emptyDir, and its limit. */
	readonly disk?: Growing & {readonly limit?: number};
	/** Mebibytes in the writable layer of its container, whose limit counts the emptyDir as well. */
	readonly layer?: Growing & {readonly limit?: number};
	readonly inodes?: Growing;
	readonly processes?: Growing;
};

/** How a node's statistics are measured. */
export type Measuring = {
	/** The most that a measurement is off by, in mebibytes. */
	readonly noise?: number;
	readonly seed?: number;
	/** Between two measurements of a volume; each look measures where that is left out. */
	readonly volumesEvery?: Duration;
	/** From a kill to the end of its pod. */
	readonly ending?: Duration;
};

/** Mebibytes of memory and of disk, inodes, processes. */
const capacity = {memory: 8192, disk: 100_000, inodes: 1_000_000, processes: 10_000};

/** A node of 8Gi whose pods leak, with a kubelet that runs the ported manager: the truth for a forecast. */
export class LeakyNode implements EvictionWorld {
	readonly #leaks: readonly Leak[];
	readonly #measuring: Measuring;
	readonly pods: readonly NodePod[];
	readonly #endedAt = new Map<string, Instant>();
	readonly #killedAt = new Map<string, Instant>();

	constructor(leaks: readonly Leak[], measuring: Measuring = {}) {
		this.#leaks = leaks;
		this.#measuring = measuring;
		this.pods = leaks.map(({name, request, priority, disk, layer, grace}) =>
			aNodePod(
				name,
				{
					requests: {memory: `${request}Mi`},
					...(layer?.limit !== undefined && {limits: {'ephemeral-storage': `${layer.limit}Mi`}}),
				},
				{
					priority: priority ?? 0,
					...(disk && {volumes: [emptyDir(disk.limit)]}),
					...(grace !== undefined && {terminationGracePeriodSeconds: grace}),
				},
			),
		);
	}

	fileSystems() {
		return {hasDedicatedImageFs: false, hasDedicatedContainerFs: false};
	}

	activePods(now: Instant): readonly NodePod[] {
		return this.pods.filter(({uid}, index) => {
			const {startsAt = 0, endsAt = Number.POSITIVE_INFINITY} = this.#leaks[index] ?? {};
			return now >= startsAt && now < endsAt && now < (this.#endedAt.get(uid) ?? Number.POSITIVE_INFINITY);
		});
	}

	summary(now: Instant): Summary {
		const {noise = 0, seed = 1} = this.#measuring;
		const alive = this.activePods(now);
		const present = this.#leaks.flatMap((leak, index) => {
			const pod = this.pods[index];
			return pod && alive.includes(pod) ? [{leak, pod}] : [];
		});
		const sum = (used: (leak: Leak) => number) => present.reduce((all, {leak}) => all + used(leak), 0);
		const off = (new Random(seed + Math.round(now)).next() * 2 - 1) * noise;
		const memory = 500 + sum((leak) => memoryOf(leak, now)) - off;
		const fs = {
			time: now,
			availableBytes: mebibytes(
				capacity.disk - sum((leak) => grown(leak, leak.disk, now) + grown(leak, leak.layer, now)),
			),
			capacityBytes: mebibytes(capacity.disk),
			inodesFree: BigInt(Math.round(capacity.inodes - sum((leak) => grown(leak, leak.inodes, now)))),
			inodes: BigInt(capacity.inodes),
		};
		const curproc = BigInt(Math.round(200 + sum((leak) => grown(leak, leak.processes, now))));
		return {
			node: {
				memory: {
					availableBytes: mebibytes(capacity.memory - memory),
					workingSetBytes: mebibytes(memory),
					time: now,
				},
				...{fs, imageFs: fs, rlimit: {time: now, maxpid: BigInt(capacity.processes), curproc}},
			},
			pods: present.map(({leak, pod}) => this.#statsOf(leak, pod, now)),
		};
	}

	#statsOf(leak: Leak, {uid}: NodePod, now: Instant): PodStats {
		const {disk, layer, inodes, processes} = leak;
		const every = this.#measuring.volumesEvery ?? 1;
		const time = Math.max(leak.startsAt ?? 0, Math.floor(now / every) * every);
		const written = {time: now, usedBytes: mebibytes(grown(leak, layer, now))};
		const all = mebibytes(grown(leak, layer, now) + grown(leak, disk, time));
		return {
			uid,
			memory: {workingSetBytes: mebibytes(memoryOf(leak, now)), time: now},
			containers: layer ? [{name: 'app', rootfs: written}] : [],
			...(layer && {ephemeralStorage: {time: now, usedBytes: all}}),
			volumes:
				disk || inodes
					? [
							{
								...{name: 'scratch', time, usedBytes: mebibytes(grown(leak, disk, time))},
								inodesUsed: BigInt(Math.round(grown(leak, inodes, time))),
							},
						]
					: [],
			...(processes && {processCount: BigInt(Math.round(grown(leak, processes, now)))}),
		};
	}

	collectGarbage(): undefined {
		return undefined;
	}

	kill({uid}: NodePod, graceSeconds: number, now: Instant): Instant {
		const {lingers} = this.#leaks[this.pods.findIndex((pod) => pod.uid === uid)] ?? {};
		const needs = lingers === undefined ? this.#measuring.ending : Math.min(lingers, graceSeconds * second);
		const endsAt = now + Math.max(needs ?? second, 1);
		this.#killedAt.set(uid, now);
		this.#endedAt.set(uid, endsAt);
		return endsAt;
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
		return {node: 'n1', samples, config, ...this.listed(now)};
	}

	/** What the API server tells of its pods. */
	listed(now: Instant): Pick<PressureEvidence, 'pods' | 'evicted' | 'reports' | 'conditions'> {
		const evicted = this.pods.flatMap(({namespace, name, uid}) => {
			const [killedAt, endedAt] = [this.#killedAt.get(uid), this.#endedAt.get(uid)];
			if (killedAt === undefined || endedAt === undefined || endedAt > now) return [];
			return [{namespace, name, uid, at: Math.floor(endedAt / second) * second, message: ''}];
		});
		return {pods: this.activePods(now), evicted, reports: [], conditions: []};
	}
}

/** For how long a pod has been growing, in seconds. */
const growingFor = ({startsAt = 0, growsFrom = startsAt, growsUntil}: Leak, at: Instant): number =>
	Math.max(0, Math.min(at, growsUntil ?? at) - growsFrom) / second;

const grown = (leak: Leak, of: Growing | undefined, at: Instant): number =>
	of ? Math.max(0, of.start + of.growth * growingFor(leak, at)) : 0;

/** From nothing to what it has at the start, and then what it leaks. */
function memoryOf(leak: Leak, now: Instant): number {
	const {start, startsAt = 0, startsFor = 0} = leak;
	const age = now - startsAt;
	return age < startsFor ? (start * age) / startsFor : grown(leak, leak, now);
}

const emptyDir = (limit: number | undefined): NodePod['volumes'][number] => ({
	...{name: 'scratch', kind: 'emptyDir', medium: ''},
	...(limit !== undefined && {sizeLimit: parseQuantity(`${limit}Mi`)}),
});

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
