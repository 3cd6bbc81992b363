import {type Duration, minute} from '../../core/time/instant.ts';
import type {Divergence} from '../compare/divergence.ts';
import type {ShadowView} from '../shadowView.ts';
import {type Alert, divergenceAlert} from './alert.ts';

/** How long after a start a divergence that an earlier process told of may take to be noticed again. */
const settling: Duration = 5 * minute;

/** Ends the alerts of an earlier process: what fired then, and has not been seen since, came to its end in between. */
export class InheritedAlerts {
	readonly #firing: Map<string, Divergence>;

	/** @param firing divergences that were told of, and not that they ended */
	constructor(firing: Iterable<Divergence>) {
		this.#firing = new Map([...firing].map((divergence) => [divergence.id, divergence]));
	}

	/** A divergence that is told of again speaks for itself. */
	seen({id}: Divergence): void {
		this.#firing.delete(id);
	}

	/** What is over by a view; empty until enough was seen to say so. */
	alertsOf({hasSynced, startedAt, observedAt, divergences}: ShadowView): readonly Alert[] {
		if (this.#firing.size === 0 || !hasSynced || observedAt - startedAt < settling) return [];
		for (const divergence of divergences) this.seen(divergence);
		const over = [...this.#firing.values()].map((divergence) =>
			divergenceAlert({...divergence, endedAt: divergence.endedAt ?? observedAt}, observedAt),
		);
		this.#firing.clear();
		return over;
	}
}
