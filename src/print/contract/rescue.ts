import type {ApiVersion, ListMetadataJson, RangeJson, TimestampJson} from './common.ts';
import type {EndingJson} from './ending.ts';
import type {PodForecastJson} from './podForecast.ts';

/** A possible remedy for a pod, and its simulated effect. */
export type RemedyJson = {
	readonly kind: 'NodeBack' | 'Tolerate' | 'Untaint' | 'StopControllers';
	readonly effect: 'Saves' | 'Delays' | 'Nothing';
	/** Until when it certainly helps; null if it does not. */
	readonly until: TimestampJson | null;
	/** Whether `until` follows from other pods or the first node that turns Unknown, so that a later time may help as well. */
	readonly isEarly: boolean;
	/** When the pod is evicted then; null if it stays, or is held until evictions resume. */
	readonly eviction: RangeJson | null;
	/** Held pods that the return of a node releases, because evictions resume; null if that was not simulated. */
	readonly evicts: {readonly pods: number; readonly first: RangeJson | null} | null;
	/** For StopControllers: the pod's verdict once a new controller manager starts; otherwise null. */
	readonly afterRestart: PodForecastJson['verdict'] | null;
	/** As text. */
	readonly what: string;
	/** The command to run; empty if there is none. */
	readonly command: string;
};

/** Printed by `rescue`: how and until when pods can be saved. */
export type RescueJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'Rescue';
	readonly metadata: ListMetadataJson;
	readonly pods: readonly {
		readonly metadata: {readonly namespace: string; readonly name: string; readonly uid: string};
		readonly node: string;
		/** When its deletion is requested, if nothing is done. */
		readonly eviction: RangeJson | null;
		/** Empty if none was simulated, nor follows from what was simulated of another pod. */
		readonly remedies: readonly RemedyJson[];
		/** Pods whose end together prevents its kubelet from evicting it; empty if there are none, null if that was not simulated. */
		readonly relief:
			| readonly {
					readonly namespace: string;
					readonly name: string;
					/** What it frees: bytes, inodes or processes. */
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
			/** As text. */
			readonly what: string;
			/** The first eviction that follows, in any zone; null if there is none. */
			readonly first: RangeJson | null;
			/** How many more pods of all zones are evicted then; pods of lost nodes that were not read are not counted. */
			readonly added: number;
			/** How many fewer pods are evicted then. */
			readonly avoided: number;
		}[];
	}[];
};
