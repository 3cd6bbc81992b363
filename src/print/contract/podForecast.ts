import type {ApiVersion, CauseKindJson, ListJson, RangeJson, StreamedJson, TimestampJson} from './common.ts';

/** What stops an eviction. Held does not mean safe. */
export type HeldJson = {
	/** What holds it. */
	readonly by: string;
	/** Null if not known. */
	readonly since: TimestampJson | null;
	/** What would end it. */
	readonly releasedBy: string;
	/** When the eviction would happen if it ended at the instant of the forecast. */
	readonly ifReleasedNow: RangeJson;
};

/** What happens to one pod if nothing else changes, and why. */
export type PodForecastJson = {
	/** Present if the object stands alone. */
	readonly apiVersion?: ApiVersion;
	readonly kind: 'PodForecast';
	readonly metadata: StreamedJson & {
		readonly namespace: string;
		readonly name: string;
		readonly uid: string;
		readonly labels: Readonly<Record<string, string>>;
	};
	/** Its node; empty while it is not bound to one. */
	readonly node: string;
	/** `region/zone`; a missing one is `<none>`. */
	readonly zone: string;
	/** `Gone` only occurs in a watch, once the pod is gone. */
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
	/** When its deletion is requested; for an Overdue pod, when it was due. Null if none is predicted. */
	readonly eviction: RangeJson | null;
	/** The cause of the deletion; null if there is none. */
	readonly cause: {
		readonly kind: CauseKindJson;
		/** `key:Effect` if the kind is Taint or OutOfService; `key=value:Effect` for a device. */
		readonly taint?: string;
		/** How long the pod tolerates it, in seconds; null if it does not. */
		readonly tolerationSeconds?: number | null;
		/** The tainted device, if the kind is DeviceTaint. */
		readonly device?: string;
		readonly driver?: string;
		readonly pool?: string;
		/** The controller that replaces its node, if the kind is NodeRepair. */
		readonly by?: string;
		/** The signal that runs short, if the kind is NodePressure: `memory.available`. Several if the kubelet's choice is random. */
		readonly signals?: readonly string[];
	} | null;
	/** Null unless evictions are stopped. */
	readonly held: HeldJson | null;
	/** The reasoning, one sentence per step. */
	readonly because: readonly string[];
	/** What follows its deletion; null if not known. */
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
		/** Whether its replacement finds a node in the current cluster; Unknown if that depends on something not known. */
		readonly placement?: 'Fits' | 'None' | 'Unknown';
		/** Its volumes that stay attached to its node and delay its replacement; absent if there are none. */
		readonly volumes?: readonly {readonly claim: string; readonly volume: string}[];
		/** It still shows Running, although its node no longer reports anything. */
		readonly ghost?: true;
	} | null;
	/** Its controlling owner; null if there is none. */
	readonly owner: {readonly kind: string; readonly name: string} | null;
};

/** Printed by `pods`. */
export type PodForecastListJson = ListJson<'PodForecast', PodForecastJson>;
