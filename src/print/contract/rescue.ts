import type {ApiVersion, ListMetadataJson, RangeJson, TimestampJson} from './common.ts';
import type {EndingJson} from './ending.ts';
import type {PodForecastJson} from './podForecast.ts';

/** What somebody could do for a pod, and what a simulation says that it does. */
export type RemedyJson = {
	readonly kind: 'NodeBack' | 'Tolerate' | 'Untaint' | 'StopControllers';
	readonly effect: 'Saves' | 'Delays' | 'Nothing';
	/** Until when it surely helps; null where it does not. */
	readonly until: TimestampJson | null;
	/** When the pod goes then; null where it stays, or is held until evictions resume. */
	readonly eviction: RangeJson | null;
	/** Held pods that the return of a node lets be evicted, as evictions resume; null where that was not played. */
	readonly evicts: {readonly pods: number; readonly first: RangeJson | null} | null;
	/** Of controllers that are stopped: the pod's verdict once a new one starts; null for all else. */
	readonly afterRestart: PodForecastJson['verdict'] | null;
	/** In words. */
	readonly what: string;
	/** What to type; empty where there is no command for it. */
	readonly command: string;
};

/** What `rescue` prints: until when pods can be saved, and by what. */
export type RescueJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'Rescue';
	readonly metadata: ListMetadataJson;
	readonly pods: readonly {
		readonly metadata: {readonly namespace: string; readonly name: string; readonly uid: string};
		readonly node: string;
		/** When its deletion is asked for, if nothing is done. */
		readonly eviction: RangeJson | null;
		/** Empty where none was played. */
		readonly remedies: readonly RemedyJson[];
		/** Other pods, whose end together keeps its kubelet from evicting it; empty where none do, null where that was not tried. */
		readonly relief:
			| readonly {
					readonly namespace: string;
					readonly name: string;
					/** What it gives back: bytes, inodes or processes. */
					readonly frees: number;
			  }[]
			| null;
		/** Everything that may end it, the earliest first; causes without a known time last. */
		readonly endings: readonly EndingJson[];
	}[];
	/** The zones whose pods are held, and what might release them. */
	readonly held: readonly {
		/** `region/zone`; a missing one is `<none>`. */
		readonly zone: string;
		/** What holds them. */
		readonly by: string;
		readonly triggers: readonly {
			/** In words. */
			readonly what: string;
			/** The first eviction that follows of it, in whatever zone; null where none does. */
			readonly first: RangeJson | null;
			/** How many pods of all zones go then that would not; of lost nodes whose pods were not read, none. */
			readonly added: number;
			/** How many stay then that would go. */
			readonly avoided: number;
		}[];
	}[];
};
