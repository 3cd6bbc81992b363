import type {Cluster} from '../../src/cluster/cluster.ts';
import type {ObservationSink} from '../../src/core/model/observation.ts';
import {nothingRelated, type Related, type RelatedQuery} from '../../src/core/model/workloads/related.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {relatedWanted, relatedWantedBy} from '../../src/impact/withAfter.ts';
import {UserError} from '../../src/text/userError.ts';
import type {RelatedSource} from './impactDecorator.ts';

/** What belongs to pods changes slowly; it is read again so often, and only while pods are in trouble. */
const readEvery: Duration = 30 * second;

/** As pods stop being ready, or are again, so do their workloads: within a time, as other controllers write that down. */
const readSoon: Duration = 10 * second;
const writtenWithin: Duration = 5 * second;
/** A reading that takes long is repeated after so many times as long. */
const pauses = 10;

type Foreseen = Pick<Forecast, 'pods' | 'nodes'>;

/** Keeps what belongs to the pods in trouble, read behind the scenes: nobody waits for it. */
export class RelatedReader implements RelatedSource {
	readonly #cluster: Pick<Cluster, 'related' | 'now'>;
	/** Are told of each reading. */
	readonly #listeners: readonly ObservationSink[];
	#known: Related = nothingRelated;
	#readAt: Instant = beginningOfTime;
	#isReading = false;
	/** Which pods were not ready, by UID, and since when it is those. */
	#notReady = '';
	#changedAt: Instant = beginningOfTime;
	/** How long the last reading took. */
	#took: Duration = 0;

	constructor(cluster: Pick<Cluster, 'related' | 'now'>, ...listeners: readonly ObservationSink[]) {
		this.#cluster = cluster;
		this.#listeners = listeners;
	}

	/** What is known by now; where that is old, it is read anew for the next time. */
	of(forecast: Foreseen): Related {
		this.refresh(forecast.pods, () => relatedWanted(forecast));
		return this.#known;
	}

	/** Reads it anew where it is old, or may be since pods of these were ready or not, and something is wanted. */
	refresh(pods: readonly Pick<PodForecast, 'uid' | 'ready'>[], wanted: () => RelatedQuery): void {
		const now = this.#cluster.now();
		const notReady = pods.flatMap(({uid, ready}) => (ready === 'True' ? [] : uid)).join();
		const isChange = notReady !== this.#notReady && this.#readAt !== beginningOfTime;
		if (isChange) this.#changedAt = now;
		this.#notReady = notReady;
		const isNew = this.#readAt < this.#changedAt + writtenWithin;
		const every = isNew ? Math.min(readEvery, Math.max(readSoon, pauses * this.#took)) : readEvery;
		if (this.#isReading || now - this.#readAt < every) return;
		const query = wanted();
		if (query.namespaces.size > 0) this.#begin(query, now);
	}

	/** What belongs to these pods, whether they are in trouble or not: read for a question. What is known, where that fails. */
	async about({pods, nodes}: Foreseen): Promise<Related> {
		return this.#cluster.related(relatedWantedBy(pods, nodes)).catch((error: unknown) => {
			if (!(error instanceof UserError)) throw error;
			return this.#known;
		});
	}

	#begin(wanted: RelatedQuery, now: Instant): void {
		this.#isReading = true;
		this.#readAt = now;
		this.#cluster
			.related(wanted)
			.then((related) => {
				this.#known = related;
				for (const one of this.#listeners) one.push({type: 'related', at: this.#cluster.now(), related});
			})
			.catch((error: unknown) => {
				// The watches tell when the server is gone; what is known is still the best there is.
				if (!(error instanceof UserError)) throw error;
			})
			.finally(() => {
				this.#took = this.#cluster.now() - now;
				this.#isReading = false;
			});
	}
}
