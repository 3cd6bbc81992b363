import type {ApiVersion, ListJson, RangeJson, ScoreJson, TimestampJson} from './common.ts';

/** What stops an eviction. Held does not mean safe. */
export type HeldJson = {
	/** What holds it. */
	readonly by: string;
	/** Null where that is not known. */
	readonly since: TimestampJson | null;
	/** What would end it. */
	readonly releasedBy: string;
	/** When the eviction would come if it ended at the instant of the forecast. */
	readonly ifReleasedNow: RangeJson;
};

/** What happens to one pod if nothing else changes, and why. */
export type PodForecastJson = {
	/** Present where the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'PodForecast';
	readonly metadata: {
		readonly namespace: string;
		readonly name: string;
		readonly uid: string;
		readonly labels: Readonly<Record<string, string>>;
		/** In a watch alone. */
		readonly score?: ScoreJson;
		/** The recorded time, in a stream from a recording alone. */
		readonly observedAt?: TimestampJson;
	};
	/** Where it runs; empty while it is bound to no node. */
	readonly node: string;
	/** `region/zone`; a missing one is `<none>`. */
	readonly zone: string;
	/** `Gone` in a watch alone, once the pod is no more. */
	readonly verdict:
		| 'Scheduled'
		| 'Expected'
		| 'Overdue'
		| 'Held'
		| 'Stays'
		| 'Terminating'
		| 'Unsure'
		| 'Safe'
		| 'Gone';
	/** When its deletion is asked for; of an Overdue pod, when it was due. Null where none is predicted. */
	readonly eviction: RangeJson | null;
	/** What it is deleted for; null where nothing threatens it. */
	readonly cause: {
		/** NodeEviction: without a taint, as releases up to 1.26 could. */
		readonly kind:
			| 'Taint'
			| 'NodeEviction'
			| 'NodeDeleted'
			| 'OutOfService'
			| 'NodePressure'
			| 'DeviceTaint'
			| 'NodeRepair'
			| 'NodeShutdown';
		/** `key:Effect`, where the kind is Taint or OutOfService; `key=value:Effect` of a device. */
		readonly taint?: string;
		/** How long the pod tolerates it, in seconds; null where it does not at all. */
		readonly tolerationSeconds?: number | null;
		/** The device that is tainted, where the kind is DeviceTaint. */
		readonly device?: string;
		readonly driver?: string;
		readonly pool?: string;
		/** Who replaces its node, where the kind is NodeRepair. */
		readonly by?: string;
		/** What runs short, where the kind is NodePressure: `memory.available`. Several where chance decides. */
		readonly signals?: readonly string[];
	} | null;
	/** Null unless evictions are stopped. */
	readonly held: HeldJson | null;
	/** The reasoning, one sentence a step. */
	readonly because: readonly string[];
	/** What follows of its deletion; null where that is not known. */
	readonly after: {
		readonly outcome:
			| 'Replaced'
			| 'StuckTerminating'
			| 'Blocked'
			| 'Lost'
			| 'Restarted'
			| 'Stays'
			| 'Unknown';
		/** A sentence about it. */
		readonly detail: string;
		/** Whether the one that replaces it finds a node, as things are; Unknown where that hangs on what is not known. */
		readonly placement?: 'Fits' | 'None' | 'Unknown';
		/** Its volumes that stay attached to its node, and hold the one that replaces it back; absent where there are none. */
		readonly volumes?: readonly {readonly claim: string; readonly volume: string}[];
		/** It still says Running, though its node reports nothing any more. */
		readonly ghost?: true;
	} | null;
	/** What controls it; null where nothing does. */
	readonly owner: {readonly kind: string; readonly name: string} | null;
};

/** What `pods` prints. */
export type PodForecastListJson = ListJson<'PodForecast', PodForecastJson>;
