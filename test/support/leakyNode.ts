import type {TimedEvictionEffect} from '../../src/core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../src/core/nodepressure/evictionLoop.ts';
import type {EvictionWorld} from '../../src/core/nodepressure/evictionWorld.ts';
import type {NodePod} from '../../src/core/nodepressure/nodePod.ts';
import {parseQuantity} from '../../src/core/nodepressure/quantities/parseQuantity.ts';
import type {FsStats, MemoryStats, PodStats, Summary} from '../../src/core/nodepressure/summary.ts';
import {
	type EvictionConfig,
	evictionSettings,
} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {measuredIn} from '../../src/core/nodepressure/thresholds/observations.ts';
import type {Threshold} from '../../src/core/nodepressure/thresholds/threshold.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import type {PressureEvidence, SummarySample} from '../../src/forecast/pressure/observe/pressureEvidence.ts';
import {aNodePod} from './pressure.ts';

/** A pod's usage of a resource at the start, and its growth per second. */
type Growing = {readonly start: number; readonly growth: number};

export type Leak = {
	readonly name: string;
	/** Mebibytes: usage at the start, growth per second, and request. */
	readonly start: number;
	readonly growth: number;
	readonly request: number;
	readonly priority?: number;
	/** When its container starts, and how long it takes to reach its usage at the start. */
	readonly startsAt?: Instant;
	readonly startsFor?: Duration;
	/** When all its usage starts and stops to grow; it always grows by default. */
	readonly growsFrom?: Instant;
	readonly growsUntil?: Instant;
	/** When its containers end by themselves. */
	readonly endsAt?: Instant;
	/** How long the containers take to end after a kill, at most the grace period. */
	readonly lingers?: Duration;
	/** The source of the pod in its kubelet, such as `file` for a static pod. */
	readonly configSource?: string;
	/** Whether its containers never end, even after a kill. */
	readonly isStuck?: boolean;
	/** Whether its kubelet has no statistics of it. */
	readonly isUnmeasured?: boolean;
	/** Its own grace period, in seconds. */
	readonly grace?: number;
	/** Mebibytes in an emptyDir, and its limit. */
	readonly disk?: Growing & {readonly limit?: number};
	/** Mebibytes in the writable layer of its container, and its limit, which also counts the emptyDir. */
	readonly layer?: Growing & {readonly limit?: number};
	readonly inodes?: Growing;
	readonly processes?: Growing;
};

/** How a node's statistics are measured. */
export type Measuring = {
	/** The maximum error of a measurement, in mebibytes. */
	readonly noise?: number;
	readonly seed?: number;
	/** The time between two measurements of a volume; by default, each look measures. */
	readonly volumesEvery?: Duration;
	/** From a kill to the end of its pod. */
	readonly ending?: Duration;
	/** From the end of a pod to the end of its cleanup. */
	readonly cleanup?: Duration;
	/** The time between two measurements of memory, and of disks; by default, each look measures. */
	readonly memoryEvery?: Duration;
	readonly disksEvery?: Duration;
	/** The time between two measurements of the images' and the containers' file systems by the container runtime. */
	readonly imagesEvery?: Duration;
	/** The images' file system, and whether it holds the writable layers; the node's own by default. */
	readonly images?: 'withLayers' | 'alone';
	/** How many mebibytes the first garbage collection frees. */
	readonly garbage?: number;
	/** Whether the kubelet lists pods in a different order each time, and picks a random threshold if several are met. */
	readonly isRandom?: boolean;
	/** The pods' allocatable memory in mebibytes; unlimited by default. */
	readonly allocatable?: number;
};

/** Mebibytes of memory and of disks, inodes, processes. */
const capacity = {memory: 8192, disk: 100_000, images: 40_000, inodes: 1_000_000, processes: 10_000};

/** A node of 8Gi whose pods leak, with a kubelet that runs the ported manager: the ground truth of forecasts. */
export class LeakyNode implements EvictionWorld {
	readonly #leaks: readonly Leak[];
	readonly #measuring: Measuring;
	readonly pods: readonly NodePod[];
	readonly #endedAt = new Map<string, Instant>();
	readonly #killedAt = new Map<string, Instant>();
	#collected = 0;

	constructor(leaks: readonly Leak[], measuring: Measuring = {}) {
		this.#leaks = leaks;
		this.#measuring = measuring;
		this.pods = leaks.map(({name, request, priority, disk, layer, grace, configSource}) =>
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
					...(configSource !== undefined && {configSource}),
				},
			),
		);
	}

	fileSystems() {
		const {images} = this.#measuring;
		return {hasDedicatedImageFs: images !== undefined, hasDedicatedContainerFs: images === 'alone'};
	}

	activePods(now: Instant): readonly NodePod[] {
		const {isRandom = false, seed = 1} = this.#measuring;
		const turn = isRandom ? Math.floor(new Random(seed + Math.round(now)).next() * this.pods.length) : 0;
		return [...this.pods.slice(turn), ...this.pods.slice(0, turn)].filter((pod) => this.#isActive(pod, now));
	}

	#isActive({uid}: NodePod, now: Instant): boolean {
		const {startsAt = 0, endsAt = Number.POSITIVE_INFINITY} = this.#leakOf(uid);
		return now >= startsAt && now < endsAt && now < (this.#endedAt.get(uid) ?? Number.POSITIVE_INFINITY);
	}

	#leakOf(of: string): Leak {
		const leak = this.#leaks[this.pods.findIndex(({uid}) => uid === of)];
		if (!leak) throw new Error(`no pod ${of}`);
		return leak;
	}

	measured(now: Instant) {
		return measuredIn(this.summary(now));
	}

	summary(now: Instant): Summary {
		const {memoryEvery = 1, disksEvery = 1, imagesEvery = disksEvery, allocatable, images} = this.#measuring;
		const lastOf = (every: Duration) => Math.floor(now / every) * every;
		const memoryAt = lastOf(memoryEvery);
		const memory = 500 + this.#sum(memoryAt, (leak) => memoryOf(leak, memoryAt)) - this.#noiseAt(memoryAt);
		const ofPods = this.#sum(now, (leak) => memoryOf(leak, now));
		const [disksAt, imagesAt] = [lastOf(disksEvery), lastOf(imagesEvery)];
		const fs = this.#fsAt(disksAt);
		const imageFs = images ? this.#imageFsAt(imagesAt) : fs;
		const curproc = BigInt(Math.round(200 + this.#sum(now, (leak) => grown(leak, leak.processes, now))));
		return {
			node: {
				memory: memoryStatsOf(memory, capacity.memory, memoryAt),
				...(allocatable !== undefined && {podsMemory: memoryStatsOf(ofPods, allocatable, now)}),
				...{fs, imageFs, ...(images === 'alone' && {containerFs: this.#fsAt(imagesAt)})},
				rlimit: {time: now, maxpid: BigInt(capacity.processes), curproc},
			},
			pods: this.#present(now)
				.filter(({leak}) => !leak.isUnmeasured)
				.map(({leak, pod}) => this.#statsOf(leak, pod, now)),
		};
	}

	/** The node's own file system, which also holds the images and the writable layers if those have none of their own. */
	#fsAt(time: Instant): FsStats {
		const {images} = this.#measuring;
		const volumes = this.#sum(time, (leak) => grown(leak, leak.disk, time));
		const inodes = this.#sum(time, (leak) => grown(leak, leak.inodes, time));
		const layers = images === 'withLayers' ? 0 : this.#layersAt(time);
		return {
			time,
			availableBytes: mebibytes(capacity.disk - volumes - layers + (images ? 0 : this.#collected)),
			capacityBytes: mebibytes(capacity.disk),
			inodesFree: BigInt(Math.round(capacity.inodes - inodes)),
			inodes: BigInt(capacity.inodes),
		};
	}

	#imageFsAt(time: Instant): FsStats {
		const layers = this.#measuring.images === 'withLayers' ? this.#layersAt(time) : 0;
		return {
			...this.#fsAt(time),
			availableBytes: mebibytes(capacity.images - layers + this.#collected),
			capacityBytes: mebibytes(capacity.images),
			inodesFree: BigInt(capacity.inodes),
		};
	}

	#layersAt = (time: Instant): number => this.#sum(time, (leak) => grown(leak, leak.layer, time));

	#present(now: Instant) {
		return this.#leaks.flatMap((leak, index) => {
			const pod = this.pods[index];
			return pod && this.#isActive(pod, now) ? [{leak, pod}] : [];
		});
	}

	#sum(now: Instant, used: (leak: Leak) => number): number {
		return this.#present(now).reduce((all, {leak}) => all + used(leak), 0);
	}

	#noiseAt(now: Instant): number {
		const {noise = 0, seed = 1} = this.#measuring;
		return (new Random(seed + Math.round(now)).next() * 2 - 1) * noise;
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
		this.#collected = this.#measuring.garbage ?? 0;
		return undefined;
	}

	kill({uid}: NodePod, graceSeconds: number, now: Instant): Instant | undefined {
		const {lingers, isStuck = false} = this.#leakOf(uid);
		if (!this.#killedAt.has(uid)) this.#killedAt.set(uid, now);
		if (isStuck) return undefined;
		const needs = lingers === undefined ? this.#measuring.ending : Math.min(lingers, graceSeconds * second);
		const endsAt = now + Math.max(needs ?? second, 1);
		this.#endedAt.set(uid, endsAt);
		return endsAt;
	}

	isCleanedUp({uid}: NodePod, now: Instant): boolean {
		const {cleanup} = this.#measuring;
		return cleanup === undefined || now >= (this.#endedAt.get(uid) ?? Number.POSITIVE_INFINITY) + cleanup;
	}

	choose(candidates: readonly [Threshold, ...Threshold[]]): Threshold {
		const {isRandom = false, seed = 1} = this.#measuring;
		return candidates[isRandom ? seed % candidates.length : 0] ?? candidates[0];
	}

	/** The evidence of a client that queried every ten seconds, from `phase` to `now`. */
	evidence(config: EvictionConfig, phase: Instant, now: Instant): PressureEvidence {
		const samples: SummarySample[] = [];
		for (let at = phase; at <= now; at += 10 * second) samples.push({seenAt: at, summary: this.summary(at)});
		return {node: 'n1', samples, config, ...this.listed(now)};
	}

	/** The API server's data about its pods. */
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

/** Memory rises from zero to its usage at the start, and then leaks. */
function memoryOf(leak: Leak, now: Instant): number {
	const {start, startsAt = 0, startsFor = 0} = leak;
	const age = now - startsAt;
	return age < startsFor ? (start * age) / startsFor : grown(leak, leak, now);
}

const emptyDir = (limit: number | undefined): NodePod['volumes'][number] => ({
	...{name: 'scratch', kind: 'emptyDir', medium: ''},
	...(limit !== undefined && {sizeLimit: parseQuantity(`${limit}Mi`)}),
});

const memoryStatsOf = (used: number, all: number, time: Instant): MemoryStats => ({
	...{time, availableBytes: mebibytes(all - used), workingSetBytes: mebibytes(used)},
});

const mebibytes = (amount: number): bigint => BigInt.asUintN(64, BigInt(Math.round(amount * 1024 * 1024)));

/** The effects of a node's kubelet whose first pass is at `phase`. */
export function truth(
	node: LeakyNode,
	config: EvictionConfig,
	phase: Instant,
	until: Instant,
): readonly TimedEvictionEffect[] {
	const loop = new EvictionLoop(evictionSettings(config), node, 0, {phase: {type: 'resting', until: phase}});
	return loop.advanceTo(until);
}
