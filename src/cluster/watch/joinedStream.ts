import {minOf} from '../../core/collections/extremes.ts';
import {
	batch,
	type Observation,
	type ObservationSink,
	type Provenance,
} from '../../core/model/observation.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {UserError} from '../../text/userError.ts';
import {distinct, problemOf} from '../transport/problem.ts';
import {hasStatus} from '../transport/requestError.ts';
import type {Resource} from '../transport/resource.ts';
import type {Selection} from '../transport/selection.ts';
import {shortestReported, type UnwatchedPeriod, watchProblems} from './watchInterruptions.ts';

type OfResource = Pick<Resource<unknown>, 'name' | 'isEssential' | 'mayBeMissed'>;

export type Collection = ReturnType<JoinedStream['add']>;

const unseen = () => ({
	/** Held until the first batch. */
	held: [] as Observation[],
	/** Whether it was listed, or has failed once; a failure of the nodes counts only if they are forbidden. */
	isSettled: false,
	problem: undefined as Problem | undefined,
	lostSince: undefined as Instant | undefined,
	/** Whether its watch is open, and does not deliver what a list shows. */
	isUndelivered: false,
});

type StreamParts = Readonly<{
	sink: ObservationSink;
	now: () => Instant;
	/** Problems that belong to no single collection. */
	commonProblems: () => readonly (Problem | undefined)[];
	/** Called with the first batch; returns whether it opened more collections, which must be listed first. */
	opens: (observations: readonly Observation[], now: Instant) => boolean;
	/** Called after the first batch was emitted. */
	begun: () => void;
	selection: Pick<Selection, 'refusals' | 'notes'>;
}>;

/** Joins all reflectors into one stream. The first batch holds all initial lists, so that no forecast is of a partial state. */
export class JoinedStream {
	readonly #parts: StreamParts;
	readonly #collections = new Set<ReturnType<typeof unseen>>();
	#lastGap: UnwatchedPeriod | undefined;
	#hasBegun = false;
	readonly #refusal = new AbortController();
	#reported = '[]';

	constructor(parts: StreamParts) {
		this.#parts = parts;
	}

	/** Whether the first batch was emitted. */
	get hasBegun() {
		return this.#hasBegun;
	}

	/** Since when a collection is lost; undefined if none is. */
	get lostSince(): Instant | undefined {
		const all = [...this.#collections].flatMap(({lostSince}) => lostSince ?? []);
		return all.length === 0 ? undefined : minOf(all);
	}

	/** Aborted if a selected resource is forbidden. */
	get refused(): AbortSignal {
		return this.#refusal.signal;
	}

	/** Adds a collection. @param listed called when it was listed */
	add({name, isEssential, mayBeMissed}: OfResource, listed: () => void) {
		const state = unseen();
		this.#collections.add(state);
		const settle = () => {
			state.isSettled = true;
			this.#begin();
		};
		return {
			/**
			 * Receives its observations.
			 *
			 * @param isWhole false for a page of the first list except its last: the first batch then does not wait for the other
			 * pages
			 */
			emit: (
				observations: readonly Observation[],
				arrivedAt: Instant,
				provenance?: Provenance,
				isWhole = true,
			) => {
				if (this.#hasBegun)
					this.#parts.sink.push(batch(observations, arrivedAt, mayBeMissed ? undefined : provenance));
				else for (const observation of observations) state.held.push(observation);
				if (isWhole) listed();
				else settle();
			},
			/** Sets its current problem; undefined clears it. */
			report: (trouble: UserError | undefined) => {
				// An optional API that is no longer served has nothing to show.
				const isGone = mayBeMissed && hasStatus(trouble, 404);
				state.problem = trouble && !isGone ? problemOf(name, trouble) : undefined;
				this.publishProblems();
				// A pod without its node would look like a pod of a deleted node: nodes are waited for unless they are forbidden.
				if (!trouble || !isEssential || hasStatus(trouble, 403)) settle();
			},
			/** Reports that it was not watched for a period, which is over. */
			missed: (from: Instant, to: Instant) => {
				// Another collection may have reported the same gap.
				const isNew = !this.#lastGap || from > this.#lastGap.to;
				if (!mayBeMissed && isNew && to - from >= shortestReported) this.#lastGap = {from, to};
			},
			/** Reports since when it is lost; undefined once it is seen again. */
			lost: (since: Instant | undefined) => {
				if (mayBeMissed) return;
				const before = this.lostSince;
				state.lostSince = since;
				if (this.lostSince === before || !this.#hasBegun) return;
				const {sink, now} = this.#parts;
				sink.push(batch([], now(), {type: 'watchLost', since: this.lostSince}));
				this.publishProblems();
			},
			/** Reports whether its open watch does not deliver what a list shows; before its loss or the end of it. */
			undelivered: (isUndelivered: boolean) => {
				state.isUndelivered = isUndelivered;
			},
			remove: () => this.#collections.delete(state),
		};
	}

	/** Reports that the API server answered while nothing changed. */
	confirm() {
		if (this.#hasBegun) this.#parts.sink.push(batch([], this.#parts.now(), {type: 'confirmed'}));
	}

	publishProblems() {
		const {sink, now, commonProblems, selection} = this.#parts;
		const {refusals = [], notes = []} = selection;
		const all = [...this.#collections];
		const isUndelivered = all.some((one) => one.isUndelivered);
		const gaps = watchProblems(now(), this.lostSince, isUndelivered, this.#lastGap);
		const problems = distinct([...all.map(({problem}) => problem), ...commonProblems(), ...gaps, ...notes]);
		// Only initially: an API server that has just started knows no roles yet, and refuses what is allowed.
		const isRefused = !this.#hasBegun && problems.some(({reason}) => refusals.includes(reason));
		if (isRefused) this.#refusal.abort();
		const text = JSON.stringify(problems);
		if (text === this.#reported || this.refused.aborted) return;
		this.#reported = text;
		sink.push({type: 'problems', at: now(), problems});
	}

	#begin() {
		const all = [...this.#collections];
		if (this.#hasBegun || this.refused.aborted || !all.every(({isSettled}) => isSettled)) return;
		const {sink, now, opens, begun} = this.#parts;
		const observations = all.flatMap(({held}) => held);
		// The pods of the affected nodes belong to the first state.
		if (opens(observations, now())) return;
		this.#hasBegun = true;
		for (const collection of all) collection.held = [];
		// Also emitted if everything is forbidden: the consumer must show that.
		sink.push(batch(observations, now(), {type: 'confirmed'}));
		begun();
	}
}
