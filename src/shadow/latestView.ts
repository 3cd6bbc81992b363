import type {Instant} from '../core/time/instant.ts';
import type {ShadowView} from './shadowView.ts';

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
