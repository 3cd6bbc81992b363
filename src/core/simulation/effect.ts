import type {ConditionStatus} from '../model/node.ts';
import type {Taint} from '../model/taint.ts';
import type {Instant} from '../time/instant.ts';

/** A change in the simulated cluster, made by the controllers or by others. */
export type ClusterEffect =
	| {
			readonly type: 'nodeCondition';
			readonly node: string;
			readonly condition: string;
			readonly status: ConditionStatus;
	  }
	| {readonly type: 'taintAdded'; readonly node: string; readonly taint: Taint}
	| {readonly type: 'taintRemoved'; readonly node: string; readonly taint: Taint}
	| {readonly type: 'labelsChanged'; readonly node: string}
	| {
			readonly type: 'podCondition';
			readonly pod: string;
			readonly node: string;
			readonly ready: ConditionStatus;
	  }
	/** `again`: the pod was Terminating already. The pod garbage collector deletes by force: the pod is gone at once. */
	| {
			readonly type: 'podDeleted';
			readonly pod: string;
			readonly node: string;
			readonly again: boolean;
			readonly by: 'taintEviction' | 'nodeEviction' | 'podGc';
	  }
	/** The node lifecycle controller deletes the pods of a node itself (until 1.26, without taints). */
	| {readonly type: 'nodeEvicted'; readonly node: string}
	/** Seen by its event, of which there is one per pod and controller process. */
	| {readonly type: 'evictionCancelled'; readonly pod: string};

export type TimedEffect = {readonly at: Instant; readonly effect: ClusterEffect};
