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

/** What is known of a collection before it is read. */
type OfResource = Pick<Resource<unknown>, 'name' | 'isEssential' | 'mayBeMissed'>;

/** A collection of the stream, as the reflector has it that tells of it. */
export type Collection = OfResource & {
	readonly index: number;
	/** Is called once it was listed. */
	readonly listed: () => void;
};

/** What a stream needs of the watch that it belongs to. */
type StreamParts = {
	readonly sink: ObservationSink;
	readonly now: () => Instant;
	/** Problems of all collections together. */
	readonly commonProblems: () => readonly (Problem | undefined)[];
	/** Given the first batch: whether it opens more collections, which must be waited for. */
	readonly opens: (observations: readonly Observation[], now: Instant) => boolean;
	/** The first batch was told. */
	readonly begun: () => void;
	readonly selection: Pick<Selection, 'refusals' | 'notes'>;
};

/**
 * Joins what the reflectors of several collections tell into one stream. The first batch brings what all first lists
 * found, nodes before pods, so that nobody judges a cluster half seen.
 */
export class JoinedStream {
	readonly #parts: StreamParts;
	readonly #interruptions = new WatchInterruptions();
	/** Per collection, until each was listed or has failed once; that of nodes counts as failed only where it is forbidden. */
	#initialLists: Observation[][] | undefined = [];
	readonly #unsettled = new Set<number>();
	readonly #troubles: (Problem | undefined)[] = [];
	readonly #refusal = new AbortController();
	#reported = '[]';

	constructor(parts: StreamParts) {
		this.#parts = parts;
	}

	/** Whether the first batch was told, and all is seen since. */
	get isSeeing(): boolean {
		return !this.#initialLists && this.#interruptions.lostSince === undefined;
	}

	/** Aborted where what was asked for may not be read. */
	get refused(): AbortSignal {
		return this.#refusal.signal;
	}

	/** Takes in a collection that is read from now on. */
	add({name, isEssential, mayBeMissed}: OfResource, listed: () => void): Collection {
		const index = this.#troubles.push(undefined) - 1;
		this.#initialLists?.push([]);
		if (this.#initialLists) this.#unsettled.add(index);
		return {index, name, isEssential, mayBeMissed, listed};
	}

	/** A collection is not read any more. */
	remove({index}: Collection): void {
		this.#troubles[index] = undefined;
		this.#interruptions.lost(index, undefined);
	}

	/**
	 * Takes in what was seen of a collection.
	 *
	 * @param isWhole false for a page of its first list that is not the last: the first batch does not wait for the others
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

	/** Takes in what is wrong with a collection at the moment, or that all is well again. */
	report(of: Collection, trouble: UserError | undefined): void {
		// Of an optional API that is not served any more there is nothing to be seen.
		const isGone = of.mayBeMissed && hasStatus(trouble, 404);
		this.#troubles[of.index] = trouble && !isGone ? problemOf(of.name, trouble) : undefined;
		this.publishProblems();
		// Without its node, a pod would look like one whose node was deleted: nodes are waited for, if they may be read.
		if (!trouble || !of.isEssential || hasStatus(trouble, 403)) this.#settle(of.index);
	}

	/** Takes in that a collection was not watched for a time that is over. */
	missed(of: Collection, from: Instant, to: Instant): void {
		if (!of.mayBeMissed) this.#interruptions.missed(from, to);
	}

	/** Takes in since when nothing is seen of a collection; without an instant, that all is seen again. */
	lost(of: Collection, since: Instant | undefined): void {
		if (of.mayBeMissed) return;
		const hasChanged = this.#interruptions.lost(of.index, since);
		if (!hasChanged || this.#initialLists) return;
		const {sink, now} = this.#parts;
		sink.push(batch([], now(), {type: 'watchLost', since: this.#interruptions.lostSince}));
		this.publishProblems();
	}

	/** The API server has answered while nothing happened. */
	confirm(): void {
		if (!this.#initialLists) this.#parts.sink.push(batch([], this.#parts.now(), {type: 'confirmed'}));
	}

	publishProblems(): void {
		const {sink, now, commonProblems, selection} = this.#parts;
		const {refusals = [], notes = []} = selection;
		const gaps = this.#interruptions.problemsAt(now());
		const problems = distinct([...this.#troubles, ...commonProblems(), ...gaps, ...notes]);
		// What was allowed at first is refused by an API server that has just started, and knows no roles yet.
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
		// The pods of the nodes that are in trouble now belong to the first state.
		if (opens(observations, now())) return;
		this.#initialLists = undefined;
		// Also where nothing may be seen: whoever waits for the first look has to say so.
		sink.push(batch(observations, now(), {type: 'confirmed'}));
		begun();
	}
}
