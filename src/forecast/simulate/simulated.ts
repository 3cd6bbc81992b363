import type {Inferred} from '../infer/inferred.ts';
import type {Run} from './passRun.ts';

/** What was seen and what follows of it, with what the hidden states that agree with it lead to. */
export type Simulated = Inferred & {readonly runs: readonly Run[]};
