import {decodeNodePod} from '../../../src/cluster/kubelet/decodeNodePod.ts';
import {decodeSummary} from '../../../src/cluster/kubelet/decodeSummary.ts';
import type {EvictionWorld} from '../../../src/core/nodepressure/evictionWorld.ts';
import type {NodePod} from '../../../src/core/nodepressure/nodePod.ts';
import type {FsStats, MemoryStats, NodeStats, Summary} from '../../../src/core/nodepressure/summary.ts';
import {measuredIn} from '../../../src/core/nodepressure/thresholds/observations.ts';
import type {Threshold} from '../../../src/core/nodepressure/thresholds/threshold.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Freed, FreedKey, KubeletScenario, Sample, StatsPart, Timestamps} from './vector.ts';

type Entry = {
	readonly pod: NodePod;
	readonly startAt: Instant;
	readonly stopAt: Instant;
	readonly termination: number;
	readonly cleanup: number;
	readonly frees: Freed;
};

/** The node of a scenario, which the manager under test observes; it behaves like the recorder's fakes. */
export class ScenarioWorld implements EvictionWorld {
	readonly #scenario: KubeletScenario;
	readonly #entries: readonly Entry[];
	readonly #choose: EvictionWorld['choose'];
	/** When each killed pod ends, by UID. */
	readonly #endsAt = new Map<string, Instant>();
	readonly #collected: Freed[] = [];
	/** The summary of each sample, with the values that it keeps from earlier samples. */
	readonly #samples: readonly {readonly sample: Sample; readonly summary: Summary}[];
	#collections = {containerGC: 0, imageGC: 0};

	constructor(scenario: KubeletScenario, choose: (candidates: readonly Threshold[]) => number) {
		this.#scenario = scenario;
		this.#choose = (candidates) => candidates[choose(candidates)] ?? candidates[0];
		this.#samples = decodeSamples(scenario.samples);
		this.#entries = (scenario.pods ?? []).map((entry) => ({
			pod: decodePod(entry.pod),
			startAt: (entry.startAtSeconds ?? 0) * second,
			stopAt: entry.stopAtSeconds === undefined ? Number.POSITIVE_INFINITY : entry.stopAtSeconds * second,
			termination: entry.terminationSeconds,
			cleanup: entry.cleanupSeconds,
			frees: entry.freesOnTermination ?? {},
		}));
	}

	fileSystems(now: Instant) {
		const {dedicatedImageFs, dedicatedContainerFs, imageFsError, imageFsErrorUntilSeconds} =
			this.#scenario.nodeSetup;
		if (imageFsError !== undefined && now < (imageFsErrorUntilSeconds ?? 0) * second) {
			return {error: imageFsError};
		}
		return {hasDedicatedImageFs: dedicatedImageFs, hasDedicatedContainerFs: dedicatedContainerFs};
	}

	activePods(now: Instant): readonly NodePod[] {
		return this.#alive(now).map(({pod}) => pod);
	}

	measured(now: Instant) {
		const {sample, summary} = this.#samples.findLast((one) => one.sample.atSeconds * second <= now) ?? before;
		if (sample.error !== undefined) return {error: sample.error};
		const alive = new Set(this.#alive(now).map(({pod}) => pod.uid));
		return measuredIn({
			node: timed(relieved(summary.node, this.#freed(now)), sample, now),
			pods: summary.pods.filter(({uid}) => alive.has(uid)),
		});
	}

	collectGarbage(what: 'containerGC' | 'imageGC') {
		const calls = this.#scenario.gc?.[what === 'imageGC' ? 'image' : 'container'];
		const {error, ...freed} = calls?.[this.#collections[what]] ?? {};
		this.#collections[what] += 1;
		this.#collected.push(freed);
		return error === undefined ? undefined : {error};
	}

	kill(pod: NodePod, _graceSeconds: number, now: Instant): Instant | undefined {
		const entry = this.#entries.find((one) => one.pod === pod);
		if (!entry || entry.termination < 0) return undefined;
		const endsAt = this.#endsAt.get(pod.uid) ?? now + entry.termination * second;
		this.#endsAt.set(pod.uid, endsAt);
		return endsAt;
	}

	isCleanedUp(pod: NodePod, now: Instant): boolean {
		const entry = this.#entries.find((one) => one.pod === pod);
		const endsAt = this.#endsAt.get(pod.uid);
		return entry !== undefined && endsAt !== undefined && now >= endsAt + entry.cleanup * second;
	}

	choose(candidates: readonly [Threshold, ...Threshold[]]): Threshold {
		return this.#choose(candidates);
	}

	#alive(now: Instant): readonly Entry[] {
		return this.#entries.filter(
			({pod, startAt, stopAt}) => startAt <= now && now < stopAt && !this.#hasEnded(pod, now),
		);
	}

	#hasEnded = (pod: NodePod, now: Instant): boolean =>
		now >= (this.#endsAt.get(pod.uid) ?? Number.POSITIVE_INFINITY);

	#freed(now: Instant): (key: FreedKey) => bigint {
		const ended = this.#entries.filter(({pod}) => this.#hasEnded(pod, now)).map(({frees}) => frees);
		const all = [...ended, ...this.#collected];
		return (key) => all.reduce((sum, freed) => sum + BigInt(freed[key] ?? 0), 0n);
	}
}

/** Before the first sample there are no statistics. */
const before: {readonly sample: Sample; readonly summary: Summary} = {
	sample: {atSeconds: 0},
	summary: {node: {}, pods: []},
};

function decodeSamples(samples: readonly Sample[]) {
	let [node, pods]: unknown[] = [];
	return samples.map((sample) => {
		node = sample.node ?? node;
		pods = sample.pods ?? pods;
		return {sample, summary: decodeSummary({node, pods})};
	});
}

type RawPod = {readonly metadata?: {readonly uid?: string}; readonly status?: object};

/**
 * Decodes a pod of a scenario. The recorder's manager got exactly this object: unlike with pods from an API server, a static
 * pod's UID and a container's allocated resources are not taken from other objects.
 */
export function decodePod(pod: unknown): NodePod {
	const {metadata, status, ...rest} = pod as RawPod;
	const asHanded = {
		...rest,
		metadata,
		status: {...status, containerStatuses: undefined, initContainerStatuses: undefined},
	};
	const decoded = decodeNodePod(asHanded, (flaw) => {
		throw new Error(flaw);
	});
	return {...decoded, uid: metadata?.uid ?? decoded.uid};
}

function relieved(node: NodeStats, freed: (key: FreedKey) => bigint): NodeStats {
	const memory = (stats: MemoryStats | undefined, key: FreedKey) =>
		stats && {
			...stats,
			...added('availableBytes', stats, freed(key)),
			...added('workingSetBytes', stats, -freed(key)),
		};
	const fs = (stats: FsStats | undefined, bytes: FreedKey, inodes: FreedKey) =>
		stats && {
			...stats,
			...added('availableBytes', stats, freed(bytes)),
			...added('inodesFree', stats, freed(inodes)),
		};
	return {
		...node,
		...there('memory', memory(node.memory, 'memory')),
		...there('podsMemory', memory(node.podsMemory, 'podsMemory')),
		...there('fs', fs(node.fs, 'fs', 'fsInodes')),
		...there('imageFs', fs(node.imageFs, 'imageFs', 'imageFsInodes')),
		...there('containerFs', fs(node.containerFs, 'containerFs', 'containerFsInodes')),
		...there('rlimit', node.rlimit && {...node.rlimit, ...added('curproc', node.rlimit, -freed('pids'))}),
	};
}

/** Additions wrap around as in Go; subtractions stop at zero. */
function added<Name extends string>(
	name: Name,
	stats: {readonly [Key in Name]?: bigint | undefined},
	change: bigint,
) {
	const value = stats[name];
	if (value === undefined) return {};
	const changed = change < 0n && value + change < 0n ? 0n : BigInt.asUintN(64, value + change);
	return {[name]: changed} as {[Key in Name]: bigint};
}

function timed(node: NodeStats, sample: Sample, now: Instant): NodeStats {
	const timeOf = (part: StatsPart) => {
		const kind: Timestamps = sample.timestampOverrides?.[part] ?? sample.timestamps ?? 'live';
		if (kind === 'none') return {};
		return {time: kind === 'live' ? now : sample.atSeconds * second};
	};
	const parts = ['memory', 'podsMemory', 'fs', 'imageFs', 'containerFs', 'rlimit'] as const;
	return Object.fromEntries(
		parts.flatMap((part) => (node[part] ? [[part, {...node[part], ...timeOf(part)}]] : [])),
	);
}

const there = <Name extends string, Value>(name: Name, value: Value | undefined) =>
	(value === undefined ? {} : {[name]: value}) as {[Key in Name]?: Value};
