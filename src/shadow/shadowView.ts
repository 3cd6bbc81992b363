import type {Disrupter} from '../core/model/pod.ts';
import type {Duration, Instant} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {ActionKind} from '../forecast/ledger/controllerAction.ts';
import type {Setting} from '../forecast/settings/setting.ts';
import type {Divergence, DivergenceKind} from './compare/divergence.ts';

/** A period in which the shadow did not see the whole cluster. */
export type WatchGap = {
	readonly from: Instant;
	/** Null while it lasts. */
	readonly until: Instant | null;
	/** What was not seen, and why, as text. */
	readonly reason: string;
};

export type ControllerState = {
	/** Null if the leader's lease is forbidden, or not seen at present. */
	readonly isUp: boolean | null;
	readonly leader: string | null;
	/** When the current leader started; null if unknown, as while its lease is not seen. */
	readonly leaderSince: Instant | null;
	readonly renewedAt: Instant | null;
};

/** An action that came, compared with its prediction. */
export type MatchedAction = {
	readonly action: ActionKind;
	readonly zone: string;
	readonly at: Instant;
	/** Milliseconds after the predicted median; negative if earlier. */
	readonly error: number;
	readonly isInside: boolean;
};

/** The shadow's state at an instant, from which metrics and the status page are made. */
export type ShadowView = {
	readonly observedAt: Instant;
	readonly startedAt: Instant;
	/** Whether the whole cluster was read once. */
	readonly hasSynced: boolean;
	readonly forecast: Forecast;
	readonly controller: ControllerState;
	/** The controllers' settings with their sources; absent while unknown. */
	readonly settings?: readonly Setting[];
	/** Open ones first, then the newest that ended; limited in number. */
	readonly divergences: readonly Divergence[];
	/** Counts since the start. */
	readonly divergenceCounts: Readonly<Record<DivergenceKind, number>>;
	/** The newest first; limited in number. */
	readonly gaps: readonly WatchGap[];
	readonly gapCount: number;
	/** Number of pods that others disrupted since the start, by reason; these are not predicted. */
	readonly disrupted: ReadonlyMap<Disrupter, number>;
};

/** The gap that lasts; undefined if the whole cluster is seen. */
export const openGap = ({gaps}: ShadowView): WatchGap | undefined => gaps.find(({until}) => until === null);

/** Receives each event once. */
export type ShadowListener = {
	readonly matched?: (match: MatchedAction) => void;
	/** A divergence that is new, or has changed (it ended, or has another kind or reason). */
	readonly diverged?: (divergence: Divergence) => void;
	/** Called up to several times a second. */
	readonly changed?: (view: ShadowView) => void;
};

/**
 * The latest view, and the current time by the clock of views: the cluster's, which may differ from ours.
 *
 * @param clock this machine's monotonic clock
 */
export function latestView(clock: () => Instant) {
	let view: ShadowView | undefined;
	let cameAt: Instant = 0;
	/** How long ago it came; zero before the first. */
	const age = (): Duration => (view ? clock() - cameAt : 0);
	return {
		get view() {
			return view;
		},
		get age() {
			return age();
		},
		changed: (newest: ShadowView) => {
			[view, cameAt] = [newest, clock()];
		},
		now: (): Instant => (view ? view.observedAt + age() : clock()),
	};
}

export type LatestView = ReturnType<typeof latestView>;
