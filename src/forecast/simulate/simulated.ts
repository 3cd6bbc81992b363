import type {Inferred} from '../infer/inferred.ts';
import type {Change} from './change.ts';
import type {Run} from './run.ts';

/**
 * What was seen and what follows of it, with what the hidden states that agree with it lead to. A what-if supposes changes.
 */
export type Simulated = Inferred & {
	/** In the order of their instants. Where no controllers run, a forecast supposes that others take over now. */
	readonly changes: readonly Change[];
	readonly runs: readonly Run[];
};
