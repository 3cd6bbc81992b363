import type {Cluster} from '../../src/cluster/cluster.ts';
import type {ObservationSink} from '../../src/core/model/observation.ts';
import {nothingRelated, type Related, type RelatedQuery} from '../../src/core/model/workloads/related.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {relatedWanted, relatedWantedBy} from '../../src/impact/withAfter.ts';
import type {RelatedSource} from '../../src/session/impactDecorator.ts';
import {UserError} from '../../src/text/userError.ts';

/** The interval at which workloads and what belongs to them are read, while pods are in trouble. They change slowly. */
const readEvery: Duration = 30 * second;

/** The interval after pods stopped being ready, or are ready again, as that changes their workloads. */
const readSoon: Duration = 10 * second;
/** Other controllers update their objects within this time. */
const writtenWithin: Duration = 5 * second;
/** The pause between two readings is at least this many times as long as the last reading took. */
const pauses = 10;

type Foreseen = Pick<Forecast, 'pods' | 'nodes'>;

/** Keeps the workloads of pods in trouble, and reads them in the background. */
export class RelatedReader implements RelatedSource {
	readonly #cluster: Pick<Cluster, 'related' | 'now'>;
	readonly #listeners: readonly ObservationSink[];
	#known: Related = nothingRelated;
	#readAt: Instant = beginningOfTime;
	#isReading = false;
	/** The UIDs of the pods that are not ready. */
	#notReady: ReadonlySet<string> = new Set();
	/** When that set changed. */
	#changedAt: Instant = beginningOfTime;
	#took: Duration = 0;

	constructor(cluster: Pick<Cluster, 'related' | 'now'>, ...listeners: readonly ObservationSink[]) {
		this.#cluster = cluster;
		this.#listeners = listeners;
	}

	/** The last reading; starts another if it is old. */
	of(forecast: Foreseen): Related {
		this.refresh(forecast.pods, () => relatedWanted(forecast));
		return this.#known;
	}

	/** Starts a reading if the last is old, or older than a change of which pods are ready, and the query is not empty. */
	refresh(pods: readonly Pick<PodForecast, 'uid' | 'ready'>[], wanted: () => RelatedQuery): void {
		const now = this.#cluster.now();
		const notReady = new Set(pods.flatMap(({uid, ready}) => (ready === 'True' ? [] : uid)));
		const isSame =
			notReady.size === this.#notReady.size && [...notReady].every((uid) => this.#notReady.has(uid));
		const isChange = !isSame && this.#readAt !== beginningOfTime;
		if (isChange) this.#changedAt = now;
		this.#notReady = notReady;
		const isNew = this.#readAt < this.#changedAt + writtenWithin;
		const every = isNew ? Math.min(readEvery, Math.max(readSoon, pauses * this.#took)) : readEvery;
		if (this.#isReading || now - this.#readAt < every) return;
		const query = wanted();
		if (query.namespaces.size > 0) this.#begin(query, now);
	}

	/** Reads for a question what belongs to these pods, in trouble or not. Returns the last reading if that fails. */
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
				// The watches report that the server is gone; the last reading is still the best answer.
				if (!(error instanceof UserError)) throw error;
			})
			.finally(() => {
				this.#took = this.#cluster.now() - now;
				this.#isReading = false;
			});
	}
}
