import type {Instant} from '../../core/time/instant.ts';
import type {ControllerAction} from '../../forecast/ledger/controllerAction.ts';
import type {Interval} from '../../forecast/observe/interval.ts';
import type {Range} from '../../forecast/range.ts';
import type {DivergenceKind, DivergenceReason} from './divergence.ts';

/** An action that was not as predicted, not yet explained. */
export type UnexplainedAction = Omit<ControllerAction, 'at' | 'mayBeForeign'> &
	Readonly<{
		kind: DivergenceKind;
		expected: Range | null;
		/** Null while it has not come. */
		at: Interval | null;
		/** Since when it was predicted; if unpredicted, since when forecasts covered everything. */
		since: Instant;
		/** When it was noticed. */
		now: Instant;
	}>;

export type CaseExplanation = {
	readonly reason: DivergenceReason;
	readonly because: readonly string[];
};

/** The period in which a cause would have happened. */
export const timeOf = ({since, expected, at, now}: UnexplainedAction): Interval => ({
	lo: Math.min(since, expected?.earliest ?? since),
	hi: at?.hi ?? now,
});

export const explained = (
	reason: DivergenceReason,
	because: string | readonly string[],
): CaseExplanation => ({reason, because: typeof because === 'string' ? [because] : because});
