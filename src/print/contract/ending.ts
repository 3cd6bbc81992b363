import type {CauseKindJson, RangeJson} from './common.ts';

/** A possible end of a pod. */
export type EndingJson = {
	readonly cause: CauseKindJson;
	/** The controller that repairs its node, if the cause is NodeRepair. */
	readonly by?: string;
	/** When it happens; if it needs an action, as if that were taken now. Null if not known. */
	readonly at: RangeJson | null;
	/** When its deletion is requested, if its object is removed by force later; otherwise null. */
	readonly asked: RangeJson | null;
	/** Whether its object is removed then, whatever its kubelet does; otherwise its deletion is requested, or its kubelet ends it. */
	readonly isForced: boolean;
	/** Whether it is certain, unless something else ends the pod before. */
	readonly isCertain: boolean;
	/** The action that it needs; null if it happens by itself. */
	readonly needs: 'DeleteNode' | 'TaintOutOfService' | null;
};
