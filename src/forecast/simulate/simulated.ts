import type {Inferred} from '../infer/inferred.ts';
import type {Change} from './change.ts';
import type {Run} from './run.ts';

/** What was observed and inferred, with the runs of the hidden states that agree with it. A what-if supposes changes. */
export type Simulated = Inferred & {
	/** In order of time. If no controllers run, a forecast supposes that others take over now. */
	readonly changes: readonly Change[];
	readonly runs: readonly Run[];
};
