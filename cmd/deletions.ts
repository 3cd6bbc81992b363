import type {Observation} from '../src/core/model/observation.ts';
import type {Instant} from '../src/core/time/instant.ts';
import {Script} from '../src/demo/script.ts';
import type {Forecast} from '../src/forecast/forecast.ts';
import type {Happening} from '../src/ui/model/scene.ts';
import {type Deletion, isAsPredicted, Predictions} from './demoPredictions.ts';

/** So many are kept: an outage of hours must not fill the memory. */
const mostKept = 5000;

/** A deletion as the dashboard shows it. */
export function happeningOf(deletion: Deletion): Happening {
	const {pod, at, first, missed} = deletion;
	const {namespace, name, uid, nodeName: node} = pod;
	return {
		...{at, namespace, name, uid, node},
		said: missed ?? first,
		isInside: first === undefined ? undefined : isAsPredicted(deletion),
	};
}

/** Remembers how deletions were converted, since there may be thousands of them each second. */
export class Happenings {
	readonly #predictions: Predictions;
	#happenings: readonly Happening[] = [];
	#seen = 0;

	constructor(predictions: Predictions) {
		this.#predictions = predictions;
	}

	/** The oldest first; the same array as long as there is nothing new. */
	get all(): readonly Happening[] {
		const {deletions} = this.#predictions;
		if (deletions.length !== this.#seen) {
			const fresh = deletions.slice(this.#seen).map(happeningOf);
			this.#seen = deletions.length;
			this.#happenings = [...this.#happenings, ...fresh].slice(-mostKept);
		}
		return this.#happenings;
	}
}

/** Holds the deletions of a real cluster against what was said: nobody has a script of what happens there. */
export class Deletions {
	readonly #predictions = new Predictions(
		new Script({name: '', title: '', size: {zones: {}, replicaFactor: 1}, settings: {}, steps: []}, 0),
	);
	readonly #happenings = new Happenings(this.#predictions);

	get happenings(): readonly Happening[] {
		return this.#happenings.all;
	}

	add(forecast: Forecast): void {
		this.#predictions.add(forecast);
	}

	observe(observations: readonly Observation[], at: Instant): void {
		this.#predictions.observe(observations, at);
	}
}
