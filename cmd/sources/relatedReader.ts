import type {Cluster} from '../../src/cluster/cluster.ts';
import type {ObservationSink} from '../../src/core/model/observation.ts';
import {nothingRelated, type RelatedQuery} from '../../src/core/model/workloads/related.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {relatedWanted, relatedWantedBy} from '../../src/impact/withAfter.ts';
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

export type RelatedReader = ReturnType<typeof relatedReader>;

/** Keeps the workloads of pods in trouble, and reads them in the background. */
export function relatedReader(
	cluster: Pick<Cluster, 'related' | 'now'>,
	...listeners: readonly ObservationSink[]
) {
	let known = nothingRelated;
	let readAt: Instant = beginningOfTime;
	let isReading = false;
	/** The UIDs of the pods that are not ready. */
	let notReady: ReadonlySet<string> = new Set();
	/** When that set changed. */
	let changedAt: Instant = beginningOfTime;
	let took: Duration = 0;

	const begin = (wanted: RelatedQuery, now: Instant) => {
		isReading = true;
		readAt = now;
		cluster
			.related(wanted)
			.then((related) => {
				known = related;
				for (const one of listeners) one.push({type: 'related', at: cluster.now(), related});
			})
			.catch((error: unknown) => {
				// The watches report that the server is gone; the last reading is still the best answer.
				if (!(error instanceof UserError)) throw error;
			})
			.finally(() => {
				took = cluster.now() - now;
				isReading = false;
			});
	};

	/** Starts a reading if the last is old, or older than a change of which pods are ready, and the query is not empty. */
	const refresh = (pods: readonly Pick<PodForecast, 'uid' | 'ready'>[], wanted: () => RelatedQuery) => {
		const now = cluster.now();
		const lacking = new Set(pods.flatMap(({uid, ready}) => (ready === 'True' ? [] : uid)));
		const isSame = lacking.size === notReady.size && [...lacking].every((uid) => notReady.has(uid));
		if (!isSame && readAt !== beginningOfTime) changedAt = now;
		notReady = lacking;
		const isNew = readAt < changedAt + writtenWithin;
		const every = isNew ? Math.min(readEvery, Math.max(readSoon, pauses * took)) : readEvery;
		if (isReading || now - readAt < every) return;
		const query = wanted();
		if (query.namespaces.size > 0) begin(query, now);
	};

	return {
		refresh,
		/** The last reading; starts another if it is old. */
		of: (forecast: Foreseen) => {
			refresh(forecast.pods, () => relatedWanted(forecast));
			return known;
		},
		/** Reads for a question what belongs to these pods, in trouble or not. Returns the last reading if that fails. */
		about: ({pods, nodes}: Foreseen) =>
			cluster.related(relatedWantedBy(pods, nodes)).catch((error: unknown) => {
				if (!(error instanceof UserError)) throw error;
				return known;
			}),
	};
}
