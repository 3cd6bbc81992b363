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
import {WatchInterruptions} from './watchInterruptions.ts';

type OfResource = Pick<Resource<unknown>, 'name' | 'isEssential' | 'mayBeMissed'>;

export type Collection = OfResource & {
	readonly index: number;
	readonly listed: () => void;
};

type StreamParts = {
	readonly sink: ObservationSink;
	readonly now: () => Instant;
	/** Problems that belong to no single collection. */
	readonly commonProblems: () => readonly (Problem | undefined)[];
	/** Called with the first batch; returns whether it opened more collections, which must be listed first. */
	readonly opens: (observations: readonly Observation[], now: Instant) => boolean;
	/** Called after the first batch was emitted. */
	readonly begun: () => void;
	readonly selection: Pick<Selection, 'refusals' | 'notes'>;
};

/** Joins all reflectors into one stream. The first batch holds all initial lists, so that no forecast is of a partial state. */
export class JoinedStream {
	readonly #parts: StreamParts;
	readonly #interruptions = new WatchInterruptions();
	/** Held per collection until each was listed or has failed once; a failure of the nodes counts only if they are forbidden. */
	#initialLists: Observation[][] | undefined = [];
	readonly #unsettled = new Set<number>();
	readonly #problems: (Problem | undefined)[] = [];
	readonly #refusal = new AbortController();
	#reported = '[]';

	constructor(parts: StreamParts) {
		this.#parts = parts;
	}

	/** Whether the first batch was emitted. */
	get hasBegun(): boolean {
		return !this.#initialLists;
	}

	/** Since when a collection is lost; undefined if none is. */
	get lostSince(): Instant | undefined {
		return this.#interruptions.lostSince;
	}

	/** Aborted if a selected resource is forbidden. */
	get refused(): AbortSignal {
		return this.#refusal.signal;
	}

	add({name, isEssential, mayBeMissed}: OfResource, listed: () => void): Collection {
		const index = this.#problems.push(undefined) - 1;
		this.#initialLists?.push([]);
		if (this.#initialLists) this.#unsettled.add(index);
		return {index, name, isEssential, mayBeMissed, listed};
	}

	remove({index}: Collection): void {
		this.#problems[index] = undefined;
		this.#interruptions.undelivered(index, false);
		this.#interruptions.lost(index, undefined);
	}

	/**
	 * Receives the observations of a collection.
	 *
	 * @param isWhole false for a page of the first list except its last: the first batch then does not wait for the other
	 * pages
	 */
	emit(
		from: Collection,
		observations: readonly Observation[],
		arrivedAt: Instant,
		provenance?: Provenance,
		isWhole = true,
	): void {
		const {index, mayBeMissed} = from;
		const held = this.#initialLists?.[index];
		if (!held) this.#parts.sink.push(batch(observations, arrivedAt, mayBeMissed ? undefined : provenance));
		else for (const observation of observations) held.push(observation);
		if (isWhole) from.listed();
		else this.#settle(index);
	}

	/** Sets the current problem of a collection; undefined clears it. */
	report(of: Collection, trouble: UserError | undefined): void {
		// An optional API that is no longer served has nothing to show.
		const isGone = of.mayBeMissed && hasStatus(trouble, 404);
		this.#problems[of.index] = trouble && !isGone ? problemOf(of.name, trouble) : undefined;
		this.publishProblems();
		// A pod without its node would look like a pod of a deleted node: nodes are waited for unless they are forbidden.
		if (!trouble || !of.isEssential || hasStatus(trouble, 403)) this.#settle(of.index);
	}

	/** Reports that a collection was not watched for a period, which is over. */
	missed(of: Collection, from: Instant, to: Instant): void {
		if (!of.mayBeMissed) this.#interruptions.missed(from, to);
	}

	/** Reports since when a collection is lost; undefined once it is seen again. */
	lost(of: Collection, since: Instant | undefined): void {
		if (of.mayBeMissed) return;
		const hasChanged = this.#interruptions.lost(of.index, since);
		if (!hasChanged || this.#initialLists) return;
		const {sink, now} = this.#parts;
		sink.push(batch([], now(), {type: 'watchLost', since: this.#interruptions.lostSince}));
		this.publishProblems();
	}

	/** Reports whether an open watch of a collection does not deliver what a list shows; before its loss or the end of it. */
	undelivered(of: Collection, isUndelivered: boolean): void {
		this.#interruptions.undelivered(of.index, isUndelivered);
	}

	/** Reports that the API server answered while nothing changed. */
	confirm(): void {
		if (!this.#initialLists) this.#parts.sink.push(batch([], this.#parts.now(), {type: 'confirmed'}));
	}

	publishProblems(): void {
		const {sink, now, commonProblems, selection} = this.#parts;
		const {refusals = [], notes = []} = selection;
		const gaps = this.#interruptions.problemsAt(now());
		const problems = distinct([...this.#problems, ...commonProblems(), ...gaps, ...notes]);
		// Only initially: an API server that has just started knows no roles yet, and refuses what is allowed.
		const isRefused = this.#initialLists && problems.some(({reason}) => refusals.includes(reason));
		if (isRefused) this.#refusal.abort();
		const text = JSON.stringify(problems);
		if (text === this.#reported || this.refused.aborted) return;
		this.#reported = text;
		sink.push({type: 'problems', at: now(), problems});
	}

	#settle(index: number): void {
		if (!this.#initialLists || this.refused.aborted) return;
		this.#unsettled.delete(index);
		if (this.#unsettled.size > 0) return;
		const {sink, now, opens, begun} = this.#parts;
		const observations = this.#initialLists.flat();
		// The pods of the affected nodes belong to the first state.
		if (opens(observations, now())) return;
		this.#initialLists = undefined;
		// Also emitted if everything is forbidden: the consumer must show that.
		sink.push(batch(observations, now(), {type: 'confirmed'}));
		begun();
	}
}
