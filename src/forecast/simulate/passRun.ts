import type {Inferred} from '../infer/inferred.ts';
import type {PassState} from '../infer/latePass.ts';
import type {Interval} from '../observe/interval.ts';
import type {BriefTaint} from './briefTaints.ts';
import type {Outcome} from './outcome.ts';

/** A run, and how far its passes come. */
export type PassRun = {
	readonly outcome: Outcome;
	/** The silent nodes that a pass has not come to when the run ends. */
	readonly left: readonly string[];
	/** When each node turns Unknown, whatever the order. */
	readonly unknown: ReadonlyMap<string, Interval>;
};

/** What is known of the passes, of the nodes that they come to, and of the zones that they judge. */
export type SlowedState = PassState & Pick<Inferred, 'zones'>;

/** One outcome, and the ranges that chance leaves in it, by node. */
export type Run = PassRun & {
	/** When a node gets the NoExecute taint that it has at the end, whatever the order. */
	readonly tainted: ReadonlyMap<string, Interval>;
	/** The taints that are to come and to go again. */
	readonly brief: ReadonlyMap<string, readonly BriefTaint[]>;
	/** Whether the controllers have still to come to their first pass. */
	readonly isBeforeFirstPass: boolean;
};
