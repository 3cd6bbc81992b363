/** An object of the API as JSON. */
export type RawObject = {readonly kind: string} & Readonly<Record<string, unknown>>;

/** One thing that happens; all but `apply` name a pod. */
export type WorkloadStep = {
	/** In seconds from the start. */
	readonly at: number;
	readonly apply?: RawObject;
	/** Its deletion is announced and requested, as by the taint-eviction controller. */
	readonly evict?: string;
	/** It ends, with an exit code if one is known. */
	readonly fail?: string;
	readonly exitCode?: number;
	readonly succeed?: string;
	readonly unready?: string;
	readonly ready?: string;
	/** It is deleted without a grace period. */
	readonly force?: string;
	/** Finalizers that are not a controller's own are removed. */
	readonly release?: string;
};

/** Virtual time begins with the year 2000. */
export type WorkloadScenario = {
	readonly name: string;
	/** Nodes without a kubelet: their deleted pods linger. */
	readonly deadNodes: readonly string[];
	/** When pods that a controller creates are ready, in seconds; negative for never. */
	readonly readyAfter: number;
	readonly objects: readonly RawObject[];
	readonly steps: readonly WorkloadStep[];
	readonly until: number;
};

/** What a controller did with a pod, in milliseconds from the start. */
export type WorkloadAction = {readonly at: number; readonly kind: string; readonly pod: string};

/** What the controllers of a release did in a scenario, and what their objects said in the end. */
export type WorkloadVector = {
	readonly of: string;
	readonly scenario: WorkloadScenario;
	readonly trace: readonly WorkloadAction[];
	readonly statuses: Readonly<Record<string, Readonly<Record<string, number | string>>>>;
};
