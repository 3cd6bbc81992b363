import type {Disrupter} from '../core/model/pod.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {ActionKind} from '../forecast/ledger/controllerAction.ts';
import type {Setting} from '../forecast/settings/setting.ts';
import type {Divergence, DivergenceKind} from './compare/divergence.ts';

/** A time in which the shadow could not see all of the cluster. */
export type WatchGap = {
	readonly from: Instant;
	/** Null while it lasts. */
	readonly until: Instant | null;
	/** What was not seen, and why, for people. */
	readonly reason: string;
};

/** Whether anybody runs the controllers. */
export type ControllerState = {
	/** Null where the leader's lease may not be read, and while it is not seen. */
	readonly isUp: boolean | null;
	readonly leader: string | null;
	/** Since when this one leads; null where that is not known, as while its lease is not seen. */
	readonly leaderSince: Instant | null;
	readonly renewedAt: Instant | null;
};

/** An action that came, and when it had been expected. */
export type Match = {
	readonly action: ActionKind;
	readonly zone: string;
	readonly at: Instant;
	/** By how much it came after (below zero: before) its median, in milliseconds. */
	readonly error: number;
	readonly isInside: boolean;
};

/** All that the shadow knows at an instant: metrics, the status page and notifications are made from nothing else. */
export type ShadowView = {
	readonly observedAt: Instant;
	readonly startedAt: Instant;
	/** Whether the cluster was read whole once. */
	readonly hasSynced: boolean;
	readonly forecast: Forecast;
	readonly controller: ControllerState;
	/** By which values the controllers are followed, and where each comes from; absent while they are not known. */
	readonly settings?: readonly Setting[];
	/** Those that last, then the newest that ended; bounded. */
	readonly divergences: readonly Divergence[];
	/** Since the start, of all of them. */
	readonly divergenceCounts: Readonly<Record<DivergenceKind, number>>;
	/** Bounded, the newest first. */
	readonly gaps: readonly WatchGap[];
	readonly gapCount: number;
	/** How many pods others ended since the start, by whom: nobody is held to those. */
	readonly disrupted: ReadonlyMap<Disrupter, number>;
};

/** Is told what happens, once each, of what it listens to. */
export type ShadowListener = {
	readonly matched?: (match: Match) => void;
	/** A divergence that is new, or that has changed (it ended, or its kind or reason is another). */
	readonly diverged?: (divergence: Divergence) => void;
	/** Several times a second at the most. */
	readonly changed?: (view: ShadowView) => void;
};

/** The view that came last, and what time it is by the clock that views are made with: the cluster's, which may differ. */
export class LatestView {
	readonly #clock: () => Instant;
	#latest: {readonly view: ShadowView; readonly cameAt: Instant} | undefined;

	/** @param clock this machine's, which nothing turns back */
	constructor(clock: () => Instant) {
		this.#clock = clock;
	}

	readonly changed = (view: ShadowView): void => {
		this.#latest = {view, cameAt: this.#clock()};
	};

	get view(): ShadowView | undefined {
		return this.#latest?.view;
	}

	readonly now = (): Instant => {
		if (!this.#latest) return this.#clock();
		const {view, cameAt} = this.#latest;
		return view.observedAt + this.#clock() - cameAt;
	};
}
