import type {Related} from '../../core/model/workloads/related.ts';
import type {Instant} from '../../core/time/instant.ts';
import {ClusterStore} from '../../store/clusterStore.ts';
import {type RecordingEntry, sizeOfEntry} from './entry.ts';
import {relatedPartsOf} from './relatedParts.ts';

/** Maximum number of observations, some 50 MB: hours of a hundred nodes, minutes of 5,000. A pod's measurements are one. */
const defaultObservations = 100_000;
/** Maximum number of related objects: all are read again every half minute, mostly unchanged. */
const defaultParts = 100_000;

/** Keeps the latest entries so that they can still be saved. Older ones are folded into the state that they led to. */
export class Backlog {
	readonly #maxObservations: number;
	readonly #maxParts: number;
	readonly #state = new ClusterStore();
	#foldedAt: Instant | undefined;
	#foldedRelated: Related | undefined;
	#entries: RecordingEntry[] = [];
	/** Number of leading entries that are already folded. */
	#foldedCount = 0;
	#count = 0;
	/** Number of related objects in all kept entries. */
	#parts = 0;

	/** @param maxObservations how many to keep @param parts how many related objects to keep, which displace no observations */
	constructor(maxObservations = defaultObservations, parts = defaultParts) {
		this.#maxObservations = maxObservations;
		this.#maxParts = parts;
	}

	/** Adds an entry. Problems and related objects do not displace observations. */
	push(entry: RecordingEntry) {
		this.#entries.push(entry);
		this.#count += sizeOfEntry(entry);
		if (entry.type === 'related') {
			this.#parts += sizeOf(entry.related);
			while (this.#parts > this.#maxParts && this.#thinReadings());
		} else if (entry.type !== 'problems') this.#foldExcess();
	}

	/** The kept entries, the oldest first, starting with the folded state. */
	get entries(): readonly RecordingEntry[] {
		const kept = this.#entries.slice(this.#foldedCount);
		if (this.#foldedAt === undefined) return kept;
		const state: RecordingEntry = {type: 'batch', at: this.#foldedAt, observations: this.#state.asChanges};
		const [at, related] = [this.#foldedAt, this.#foldedRelated];
		const news = this.#state.kubelets.asNews.map((one) => ({type: 'pressure', at, news: one}) as const);
		return [state, ...(related ? [{type: 'related', at, related} as const] : []), ...news, ...kept];
	}

	#foldExcess() {
		// The latest entry is kept, however large it is.
		while (this.#count > this.#maxObservations && this.#foldedCount < this.#entries.length - 1) this.#fold();
		// Not one by one: each removal moves the rest.
		if (this.#foldedCount > 1000 && this.#foldedCount > this.#entries.length / 2) {
			this.#entries = this.#entries.slice(this.#foldedCount);
			this.#foldedCount = 0;
		}
	}

	/** Drops every second reading, so that older ones are more widely spaced. Keeps the latest. @returns whether any was dropped */
	#thinReadings(): boolean {
		const kept = this.#entries.slice(this.#foldedCount);
		const readings = kept.filter((entry) => entry.type === 'related');
		const older = readings.slice(0, -1);
		const dropped = new Set<RecordingEntry>(
			older.length === 1 ? older : older.filter((_, index) => index % 2 === 1),
		);
		this.#entries = kept.filter((entry) => !dropped.has(entry));
		this.#foldedCount = 0;
		for (const entry of readings) if (dropped.has(entry)) this.#parts -= sizeOf(entry.related);
		return dropped.size > 0;
	}

	#fold() {
		const oldest = this.#entries[this.#foldedCount];
		this.#foldedCount += 1;
		if (!oldest) return;
		this.#count -= sizeOfEntry(oldest);
		if (oldest.type === 'related') {
			this.#foldedRelated = oldest.related;
			this.#parts -= sizeOf(oldest.related);
		}
		if (oldest.type === 'pressure') this.#state.applyPressure(oldest.news, oldest.at);
		if (oldest.type !== 'batch') return;
		this.#state.apply(oldest.observations, oldest.at);
		this.#foldedAt = oldest.at;
	}
}

/** The number of related objects of a reading. */
const sizeOf = (related: Related): number => relatedPartsOf(related).length;
