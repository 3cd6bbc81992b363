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

export type ControllerState = Readonly<{
	/** Null if the leader's lease is forbidden, or not seen at present. */
	isUp: boolean | null;
	leader: string | null;
	/** When the current leader started; null if unknown, as while its lease is not seen. */
	leaderSince: Instant | null;
	renewedAt: Instant | null;
}>;

/** An action that came, compared with its prediction. */
export type MatchedAction = Readonly<{
	action: ActionKind;
	zone: string;
	at: Instant;
	/** Milliseconds after the predicted median; negative if earlier. */
	error: number;
	isInside: boolean;
}>;

/** The shadow's state at an instant, from which metrics and the status page are made. */
export type ShadowView = Readonly<{
	observedAt: Instant;
	startedAt: Instant;
	/** Whether the whole cluster was read once. */
	hasSynced: boolean;
	forecast: Forecast;
	controller: ControllerState;
	/** The controllers' settings with their sources; absent while unknown. */
	settings?: readonly Setting[];
	/** Open ones first, then the newest that ended; limited in number. */
	divergences: readonly Divergence[];
	/** Counts since the start. */
	divergenceCounts: Readonly<Record<DivergenceKind, number>>;
	/** The newest first; limited in number. */
	gaps: readonly WatchGap[];
	gapCount: number;
	/** Number of pods that others disrupted since the start, by reason; these are not predicted. */
	disrupted: ReadonlyMap<Disrupter, number>;
}>;

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
