import type {Problem} from '../core/model/clusterSnapshot.ts';
import type {Observation, Sight} from '../core/model/observation.ts';
import {PresentState} from '../core/model/presentState.ts';
import type {Related} from '../core/model/related.ts';
import type {Instant} from '../core/time/instant.ts';
import type {Entry} from './entry.ts';

/** So many observations are kept, some 50 MB: of a hundred nodes those of hours, of 5,000 those of some minutes. */
const mostKept = 100_000;

/**
 * The latest of what was seen, so that it can still be saved once somebody wants it. What is older is kept as the state
 * that it led to.
 */
export class Backlog {
	readonly #most: number;
	readonly #before = new PresentState();
	#folded: Instant | undefined;
	#foldedRelated: Related | undefined;
	#entries: Entry[] = [];
	/** How many of the first entries are in the state before already. */
	#gone = 0;
	#count = 0;

	constructor(most = mostKept) {
		this.#most = most;
	}

	/** Takes in what a watch brought. */
	observe(observations: readonly Observation[], at: Instant, sight?: Sight): void {
		this.#entries.push({type: 'batch', at, observations, ...(sight && {sight})});
		this.#count += observations.length;
		this.#foldWhatIsTooMuch();
	}

	/** Takes in all that is wrong from now on. */
	reportProblems(problems: readonly Problem[], at: Instant): void {
		this.#entries.push({type: 'problems', at, problems});
	}

	/** Takes in what belongs to pods, as it was just read. */
	reportRelated(related: Related, at: Instant): void {
		this.#entries.push({type: 'related', at, related});
		this.#count += sizeOf(related);
		this.#foldWhatIsTooMuch();
	}

	/** What is kept, the oldest first; it begins with the state of that time. */
	get entries(): readonly Entry[] {
		const kept = this.#entries.slice(this.#gone);
		if (this.#folded === undefined) return kept;
		const state: Entry = {type: 'batch', at: this.#folded, observations: this.#before.asObservations};
		const [at, related] = [this.#folded, this.#foldedRelated];
		return [state, ...(related ? [{type: 'related', at, related} as const] : []), ...kept];
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

	#fold(): void {
		const oldest = this.#entries[this.#gone];
		this.#gone += 1;
		if (oldest?.type === 'related') {
			this.#foldedRelated = oldest.related;
			this.#count -= sizeOf(oldest.related);
		}
		if (oldest?.type !== 'batch') return;
		this.#before.observe(oldest.observations);
		this.#count -= oldest.observations.length;
		this.#folded = oldest.at;
	}
}

/** What is read again each half minute counts for as many observations as it has parts. */
const sizeOf = ({controllers, budgets, services, claims, endpoints, attachments}: Related): number =>
	controllers.size +
	[budgets, services, claims, endpoints, attachments].reduce((sum, {length}) => sum + length, 0);
