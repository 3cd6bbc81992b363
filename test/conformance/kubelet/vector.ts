import type {EvictionConfig} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';

/** What the end of a pod or a collection frees: bytes, inodes or processes. */
export type Freed = Readonly<Partial<Record<FreedKey, number>>>;
export type FreedKey =
	| 'memory'
	| 'podsMemory'
	| 'fs'
	| 'fsInodes'
	| 'imageFs'
	| 'imageFsInodes'
	| 'containerFs'
	| 'containerFsInodes'
	| 'pids';

export type ScenarioPod = {
	/** A literal v1.Pod. */
	readonly pod: object;
	readonly startAtSeconds?: number;
	readonly stopAtSeconds?: number;
	/** From the kill to the end; -1 for never. */
	readonly terminationSeconds: number;
	readonly cleanupSeconds: number;
	readonly freesOnTermination?: Freed;
};

export type Timestamps = 'live' | 'frozen' | 'none';

export type Sample = {
	readonly atSeconds: number;
	/** Literal parts of /stats/summary; absent or null for the earlier values. */
	readonly node?: unknown;
	readonly pods?: readonly unknown[] | null;
	readonly error?: string;
	readonly timestamps?: Timestamps;
	readonly timestampOverrides?: Readonly<Partial<Record<StatsPart, Timestamps>>>;
};

export type StatsPart = 'memory' | 'podsMemory' | 'fs' | 'imageFs' | 'containerFs' | 'rlimit';

export type KubeletScenario = {
	readonly name: string;
	readonly config: EvictionConfig;
	readonly nodeSetup: {
		readonly dedicatedImageFs: boolean;
		readonly dedicatedContainerFs: boolean;
		readonly imageFsError?: string;
		readonly imageFsErrorUntilSeconds?: number;
	};
	readonly pods?: readonly ScenarioPod[] | null;
	readonly samples: readonly Sample[];
	readonly gc?: {readonly container?: readonly Collection[]; readonly image?: readonly Collection[]};
	readonly admissionProbes?: readonly {readonly atMs: number; readonly pod: unknown}[];
	readonly untilSeconds: number;
};

export type Collection = Freed & {readonly error?: string};

/** An event of the real manager; `at` in milliseconds since its start. */
export type KubeletEvent = {readonly at: number; readonly kind: string} & Readonly<Record<string, unknown>>;

/** The events of the real manager in one run. */
export type KubeletTrace = {readonly trace: readonly KubeletEvent[]; readonly passes: readonly number[]};

/** A golden trace of a kubelet's eviction manager. */
export type KubeletVector = KubeletTrace & {
	readonly scenario: KubeletScenario;
	readonly determinism: {
		readonly coreVariants: number;
		readonly deterministic: boolean;
		readonly podOrderSensitive: boolean;
		readonly firstVictimsShuffled: readonly string[] | null;
	};
	/** All recorded runs, if the events are random. */
	readonly variants?: readonly KubeletTrace[];
	/** The values of single events' fields, if only these are random. */
	readonly varyingEvents?: readonly VaryingEvent[];
};

export type VaryingEvent = {readonly index: number} & Readonly<Record<string, unknown>>;

/** Detects the kind of a vector by its content. */
export function isKubeletVector(content: unknown): content is KubeletVector {
	const has = (key: string) => typeof content === 'object' && content !== null && key in content;
	return has('scenario') && has('trace') && has('passes') && has('determinism');
}
