import type {RangeJson} from './common.ts';

/** Something that may end a pod. */
export type EndingJson = {
	readonly cause:
		| 'Taint'
		| 'NodeEviction'
		| 'NodeDeleted'
		| 'OutOfService'
		| 'NodePressure'
		| 'DeviceTaint'
		| 'NodeRepair'
		| 'NodeShutdown';
	/** Who repairs its node, where the cause is NodeRepair. */
	readonly by?: string;
	/** When it comes; where somebody must act first, if they did so at once. Null where that is not known. */
	readonly at: RangeJson | null;
	/** When its deletion is asked for, where its object goes by force later; null elsewhere. */
	readonly asked: RangeJson | null;
	/** Whether its object goes then, whatever its kubelet does; otherwise its deletion is asked for, or its kubelet ends it. */
	readonly isForced: boolean;
	/** Whether it comes for sure, if nothing else ends the pod before. */
	readonly isCertain: boolean;
	/** What somebody must do for it; null for what comes by itself. */
	readonly needs: 'DeleteNode' | 'TaintOutOfService' | null;
};
