import type {Related} from '../../core/model/workloads/related.ts';
import type {Instant} from '../../core/time/instant.ts';
import {ClusterStore} from '../../store/clusterStore.ts';
import {type RecordingEntry, sizeOfEntry} from './entry.ts';

/** So many observations are kept, some 50 MB: of a hundred nodes those of hours, of 5,000 those of some minutes. What is measured of a pod is one. */
const mostKept = 100_000;
/** Of what belongs to pods, so many parts: it is read again as a whole each half minute, and is mostly as it was. */
const mostParts = 100_000;

/**
 * The latest of what was seen, so that it can still be saved once somebody wants it. What is older is kept as the state
 * that it led to.
 */
export class Backlog {
	readonly #most: number;
	readonly #mostParts: number;
	readonly #before = new ClusterStore();
	#folded: Instant | undefined;
	#foldedRelated: Related | undefined;
	#entries: RecordingEntry[] = [];
	/** How many of the first entries are in the state before already. */
	#gone = 0;
	#count = 0;
	/** How many parts the readings that are kept have together. */
	#parts = 0;

	/**
	 * @param most how many observations to keep
	 * @param parts of how many parts to keep readings of what belongs to pods; they do not push observations out
	 */
	constructor(most = mostKept, parts = mostParts) {
		this.#most = most;
		this.#mostParts = parts;
	}

	/** Takes in what was seen, or told: neither what is wrong nor what belongs to pods pushes out observations. */
	push(entry: RecordingEntry): void {
		this.#entries.push(entry);
		this.#count += sizeOfEntry(entry);
		if (entry.type === 'related') {
			this.#parts += sizeOf(entry.related);
			while (this.#parts > this.#mostParts && this.#thinReadings());
		} else if (entry.type !== 'problems') this.#foldWhatIsTooMuch();
	}

	/** What is kept, the oldest first; it begins with the state of that time. */
	get entries(): readonly RecordingEntry[] {
		const kept = this.#entries.slice(this.#gone);
		if (this.#folded === undefined) return kept;
		const state: RecordingEntry = {type: 'batch', at: this.#folded, observations: this.#before.asChanges};
		const [at, related] = [this.#folded, this.#foldedRelated];
		const news = this.#before.kubelets.asNews.map((one) => ({type: 'pressure', at, news: one}) as const);
		return [state, ...(related ? [{type: 'related', at, related} as const] : []), ...news, ...kept];
	}

	#foldWhatIsTooMuch(): void {
		// The latest stays, however large it is.
		while (this.#count > this.#most && this.#gone < this.#entries.length - 1) this.#fold();
		// Not one at a time: the rest moves with each.
		if (this.#gone > 1000 && this.#gone > this.#entries.length / 2) {
			this.#entries = this.#entries.slice(this.#gone);
			this.#gone = 0;
		}
	}

	/**
	 * Leaves out every second reading, so that they reach back as far as before, the older the farther apart. The latest
	 * stays.
	 *
	 * @returns whether there was one to leave out
	 */
	#thinReadings(): boolean {
		const kept = this.#entries.slice(this.#gone);
		const readings = kept.filter((entry) => entry.type === 'related');
		const older = readings.slice(0, -1);
		const dropped = new Set<RecordingEntry>(
			older.length === 1 ? older : older.filter((_, index) => index % 2 === 1),
		);
		this.#entries = kept.filter((entry) => !dropped.has(entry));
		this.#gone = 0;
		for (const entry of readings) if (dropped.has(entry)) this.#parts -= sizeOf(entry.related);
		return dropped.size > 0;
	}

	#fold(): void {
		const oldest = this.#entries[this.#gone];
		this.#gone += 1;
		if (!oldest) return;
		this.#count -= sizeOfEntry(oldest);
		if (oldest.type === 'related') {
			this.#foldedRelated = oldest.related;
			this.#parts -= sizeOf(oldest.related);
		}
		if (oldest.type === 'pressure') this.#before.applyPressure(oldest.news, oldest.at);
		if (oldest.type !== 'batch') return;
		this.#before.apply(oldest.observations, oldest.at);
		this.#folded = oldest.at;
	}
}

/** How many parts there are in what belongs to pods. */
const sizeOf = ({controllers, occupancy, problems, ...lists}: Related): number =>
	controllers.size +
	problems.length +
	(typeof occupancy === 'string' ? 0 : occupancy.nodes.size + occupancy.perPod.size) +
	Object.values(lists).reduce((sum, {length}) => sum + length, 0);
