import type {Instant} from '../../core/time/instant.ts';
import type {ActionKind, ActionObject} from '../../forecast/ledger/controllerAction.ts';
import type {Range} from '../../forecast/range.ts';

/** How the controllers differ from the prediction. */
export const divergenceKinds = [
	/** It came after its range. */
	'Late',
	/** It came before its range. */
	'Early',
	/** Its range has passed and it has not come. If it comes later, this becomes `Late`. */
	'Missing',
	/** It came without a prediction. */
	'Unexpected',
] as const;

export type DivergenceKind = (typeof divergenceKinds)[number];

/** The possible reasons; `explainCase` decides which one is given if several apply. */
export const divergenceReasons = [
	'ControllerDown',
	'ControllerRestarted',
	'DeletionDenied',
	'ForeignTaint',
	/** Not everything was seen: the watch had a gap, or may not read the cause. */
	'ObservationGap',
	'Unexplained',
] as const;

export type DivergenceReason = (typeof divergenceReasons)[number];

/** One action of the controllers that was not as predicted. */
export type Divergence = Readonly<{
	/** Stable for an action on an object, also after restarts, so that it is reported once. */
	id: string;
	kind: DivergenceKind;
	action: ActionKind;
	object: ActionObject;
	zone: string;
	/** Null if it was not predicted. */
	expected: Range | null;
	/** Null while it has not come. */
	actual: Instant | null;
	reason: DivergenceReason;
	/** Sentences that explain it, with values. */
	because: readonly string[];
	/** Whether an operator is alerted to it. */
	isAlarm: boolean;
	noticedAt: Instant;
	/** When it ended: the missing action came, or became moot; null while it is open. */
	endedAt: Instant | null;
}>;

/** Whether nothing that was observed caused it, so that evidence that comes later replaces the reason. */
export const isUnproven = (reason: DivergenceReason) =>
	reason === 'Unexplained' || reason === 'ObservationGap';
