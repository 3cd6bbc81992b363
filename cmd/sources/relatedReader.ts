import type {RelatedQuery} from '../../src/cluster/workloads/readRelated.ts';
import {nothingRelated, type Related} from '../../src/core/model/related.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {relatedWanted} from '../../src/impact/withAfter.ts';
import {UserError} from '../../src/text/userError.ts';

/** What belongs to pods changes slowly; it is read again so often, and only while pods are in trouble. */
const readEvery: Duration = 30 * second;

type Foreseen = Pick<Forecast, 'pods' | 'nodes'>;

/** Keeps what belongs to the pods in trouble, read behind the scenes: nobody waits for it. */
export class RelatedReader {
	readonly #read: (query: RelatedQuery) => Promise<Related>;
	readonly #now: () => Instant;
	readonly #onRead: (related: Related) => void;
	#known: Related = nothingRelated;
	#readAt: Instant = Number.NEGATIVE_INFINITY;
	#isReading = false;

	/** @param onRead is told of each reading */
	constructor(
		read: (query: RelatedQuery) => Promise<Related>,
		now: () => Instant,
		onRead: (related: Related) => void = () => undefined,
	) {
		this.#read = read;
		this.#now = now;
		this.#onRead = onRead;
	}

	/** What is known by now; where that is old, it is read anew for the next time. */
	of(forecast: Foreseen): Related {
		this.refresh(() => relatedWanted(forecast));
		return this.#known;
	}

	/** Reads it anew where it is old, and something is wanted. */
	refresh(wanted: () => RelatedQuery): void {
		const now = this.#now();
		if (this.#isReading || now - this.#readAt < readEvery) return;
		const query = wanted();
		if (query.namespaces.size > 0) this.#begin(query, now);
	}

	/** What belongs to these pods, whether they are in trouble or not: read for a question. What is known, where that fails. */
	async about({pods, nodes}: Foreseen): Promise<Related> {
		const wanted: RelatedQuery = {
			namespaces: new Set(pods.map(({namespace}) => namespace)),
			ownerKinds: new Set(pods.flatMap(({owner}) => owner?.kind ?? [])),
			nodeCount: nodes.length,
			nodesOfMany: relatedWanted({pods, nodes}).nodesOfMany,
		};
		return this.#read(wanted).catch((error: unknown) => {
			if (!(error instanceof UserError)) throw error;
			return this.#known;
		});
	}

	#begin(wanted: RelatedQuery, now: Instant): void {
		this.#isReading = true;
		this.#readAt = now;
		this.#read(wanted)
			.then((related) => {
				this.#known = related;
				this.#onRead(related);
			})
			.catch((error: unknown) => {
				// The watches tell when the server is gone; what is known is still the best there is.
				if (!(error instanceof UserError)) throw error;
			})
			.finally(() => {
				this.#isReading = false;
			});
	}
}
