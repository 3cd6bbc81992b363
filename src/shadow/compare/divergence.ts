import type {Instant} from '../../core/time/instant.ts';
import type {ActionKind, ActionObject} from '../../forecast/ledger/controllerAction.ts';
import type {Range} from '../../forecast/range.ts';

/** How reality differs from what the ported controllers did. */
export const divergenceKinds = [
	/** It came, but after its range. */
	'Late',
	/** It came, but before its range. */
	'Early',
	/** Its range is over, and it has not come. A late action later turns this into `Late`. */
	'Missing',
	/** It came, and nothing had predicted it. */
	'Unexpected',
] as const;

export type DivergenceKind = (typeof divergenceKinds)[number];

/** Why, as far as it can be told; the first that explains it, the likeliest first. */
export const divergenceReasons = [
	'ControllerDown',
	'ControllerRestarted',
	'Throttled',
	'OtherSetting',
	'DeletionDenied',
	'ForeignTaint',
	'KnownBug',
	/** Our own watch had a gap, or may not see what would explain it: never an alarm. */
	'ObservationGap',
	'Unexplained',
] as const;

export type DivergenceReason = (typeof divergenceReasons)[number];

/** One action of the controllers that was not as predicted. */
export type Divergence = {
	/** The same for the same action of the same object, over restarts too: what was told of it is not told again. */
	readonly id: string;
	readonly kind: DivergenceKind;
	readonly action: ActionKind;
	readonly object: ActionObject;
	readonly zone: string;
	/** Null where nothing predicted it. */
	readonly expected: Range | null;
	/** Null while it has not come. */
	readonly actual: Instant | null;
	readonly reason: DivergenceReason;
	/** For people: what explains it, with values; one sentence each. */
	readonly because: readonly string[];
	/** What would explain it, where another flag would: `--node-eviction-rate=0.5`. */
	readonly explainedBy: string | null;
	/** Whether somebody should be called. Never where an observation gap could explain it. */
	readonly isAlarm: boolean;
	readonly noticedAt: Instant;
	/** When it ended: what was missing came, or became moot; null while it lasts. */
	readonly endedAt: Instant | null;
};

/** An object that should have changed and did not, as far as the watch shows: the API server is asked whether it did. */
export type UnconfirmedObject = {
	readonly kind: 'Node' | 'Pod';
	/** Empty for nodes. */
	readonly namespace: string;
	readonly name: string;
	readonly uid: string;
};

/** Reasons that are likely, where others are seen: one that is seen later takes their place. */
const likely: readonly DivergenceReason[] = ['OtherSetting', 'Throttled', 'Unexplained', 'ObservationGap'];

export const isLikely = (reason: DivergenceReason): boolean => likely.includes(reason);
