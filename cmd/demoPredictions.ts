import type {Observation} from '../src/core/model/observation.ts';
import {type Pod, podKey} from '../src/core/model/pod.ts';
import {type Duration, type Instant, second} from '../src/core/time/instant.ts';
import type {Script} from '../src/demo/script.ts';
import type {Forecast} from '../src/forecast/forecast.ts';
import type {Range} from '../src/forecast/podForecast.ts';

/** What was first said of a pod, and when. */
export type Prediction = {readonly madeAt: Instant; readonly range: Range};

/** A deletion that was seen. */
export type Deletion = {
	readonly pod: Pod;
	readonly at: Instant;
	/** Undefined where nothing had been said. */
	readonly first: Prediction | undefined;
	/** One that it lies outside of; undefined where it lies inside all. */
	readonly missed: Prediction | undefined;
};

/** Of all that was said of a pod, the first with an end, and those that are the hardest to meet. */
type Said = {
	readonly first: Prediction;
	readonly latestBegin: Prediction;
	readonly earliestEnd: Prediction;
};

/** Ranges are shown by the second. */
const tolerance: Duration = second;

/**
 * Holds what was said of each pod against its deletion. A forecast holds if nothing else happens: what was said before
 * the scenario changed the world, or while the change could not be seen yet, does not count.
 */
export class Predictions {
	readonly #script: Script;
	readonly #pods = new Map<string, Pod>();
	readonly #said = new Map<string, Said>();
	readonly #deletions: Deletion[] = [];
	#change: Instant | undefined;

	constructor(script: Script) {
		this.#script = script;
	}

	/** The oldest first. */
	get deletions(): readonly Deletion[] {
		return this.#deletions;
	}

	add({observedAt: madeAt, pods}: Forecast): void {
		this.#forget(madeAt);
		if (!this.#script.isPlain(madeAt)) return;
		for (const {uid, verdict, eviction: range} of pods) {
			if (!range || (verdict !== 'Scheduled' && verdict !== 'Expected')) continue;
			this.#said.set(uid, withPrediction(this.#said.get(uid), {madeAt, range}));
		}
	}

	observe(observations: readonly Observation[], at: Instant): void {
		this.#forget(at);
		for (const observation of observations) {
			if (observation.type === 'podApplied') this.#applied(observation.pod, at);
			else if (observation.type === 'podDeleted') this.#gone(podKey(observation), at);
		}
	}

	#forget(now: Instant): void {
		const change = this.#script.lastChange(now);
		if (change !== this.#change) this.#said.clear();
		this.#change = change;
	}

	#applied(pod: Pod, at: Instant): void {
		const before = this.#pods.get(podKey(pod));
		this.#pods.set(podKey(pod), pod);
		const isNews = before?.uid === pod.uid && before.deletionTimestamp === undefined;
		if (isNews && pod.deletionTimestamp !== undefined) this.#deleted(pod, at);
	}

	#gone(key: string, at: Instant): void {
		const pod = this.#pods.get(key);
		this.#pods.delete(key);
		if (pod && pod.deletionTimestamp === undefined) this.#deleted(pod, at);
	}

	#deleted(pod: Pod, at: Instant): void {
		const said = this.#said.get(pod.uid);
		this.#deletions.push({pod, at, first: said?.first, missed: said && missedBy(at, said)});
		this.#said.delete(pod.uid);
	}
}

/** Whether a deletion came as every prediction had said. */
export const isAsPredicted = ({first, missed}: Deletion): boolean =>
	first !== undefined && missed === undefined;

function withPrediction(said: Said | undefined, made: Prediction): Said {
	if (!said) return {first: made, latestBegin: made, earliestEnd: made};
	const {first, latestBegin, earliestEnd} = said;
	return {
		first: isOpen(first) && !isOpen(made) ? made : first,
		latestBegin: made.range.earliest > latestBegin.range.earliest ? made : latestBegin,
		earliestEnd: endOf(made) < endOf(earliestEnd) ? made : earliestEnd,
	};
}

function missedBy(at: Instant, {latestBegin, earliestEnd}: Said): Prediction | undefined {
	if (at < latestBegin.range.earliest - tolerance) return latestBegin;
	return at > endOf(earliestEnd) + tolerance ? earliestEnd : undefined;
}

const isOpen = ({range}: Prediction): boolean => range.latest === null;
const endOf = ({range}: Prediction): Instant => range.latest ?? Number.POSITIVE_INFINITY;
