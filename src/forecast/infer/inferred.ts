import type {Duration} from '../../core/time/instant.ts';
import type {Observed} from '../observe/observed.ts';
import type {PassPhase} from './passPhase.ts';
import type {PassSchedule} from './passSchedule.ts';
import type {PassInProgress} from './throttledPass.ts';
import type {ZonesPast} from './zonePast.ts';

/** What the evidence says of the controller's monitor passes. */
export type InferredPasses = {
	readonly phase: PassPhase;
	/** The schedule in the middle of those that agree with the evidence. */
	readonly schedule: PassSchedule;
	/** The pass that is under way, where throttling makes it last. */
	readonly throttledPass: PassInProgress | undefined;
	/** The pass that may be under way without it, or may just be over. */
	readonly maybeUnfinishedPass: PassInProgress | undefined;
	/** How far apart the tried instants of the next pass lie: what happens between two of them is not tried. */
	readonly gap: Duration;
};

/** What was seen, and the hidden state of the controllers as far as it follows of that. */
export type Inferred = Observed & {
	readonly passes: InferredPasses;
	/** The zones as far as the nodes show them now. */
	readonly zones: ZonesPast;
};
