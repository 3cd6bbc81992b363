import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Selection} from '../../src/cluster/transport/selection.ts';
import {latest} from '../../src/core/collections/latest.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {type ClusterForecast, summarize} from '../../src/impact/clusterForecast.ts';
import {clockShowing, systemClock} from '../../src/live/clock.ts';
import type {PodsReading} from '../../src/ui/scene/scene.ts';
import {connectionOf} from '../args/connection.ts';
import type {Options} from '../args/options.ts';
import {watchedSelection} from '../sources/reading.ts';
import {learningOf} from '../sources/settingsInForce.ts';
import {liveScreen} from './liveScreen.ts';

/** A cluster followed for the dashboard, shown or not; learned settings and score continue. */
export type OpenCluster = Awaited<ReturnType<typeof openCluster>>;

/** Starts to follow a cluster. @throws UserError if it does not answer */
export async function openCluster(cluster: Cluster, options: Options, title: string) {
	cluster.listEarly();
	const known = await learningOf(cluster, options.controller);
	let reading: PodsReading;
	const selection: Selection = {
		...watchedSelection(options, known, (look) => source.showNodes(look.census())),
		onProgress: (progress) => {
			reading = progress;
		},
	};
	const {source, related, saver, follow} = liveScreen(cluster, known, {
		title,
		isPartial: selection.pods.type !== 'all',
		read: selection.pods.type === 'chosen' ? selection.pods.chooser.read : undefined,
		connection: connectionOf(options),
		notes: options.controller.notes,
		cost: () => cluster.traffic(),
		reading: () => reading,
	});
	const stop = new AbortController();
	const followed = follow(
		selection,
		{namespace: cluster.namespace, isAsked: options.flags.namespace !== undefined},
		clockShowing(cluster.now),
		stop.signal,
	);
	// Whoever shows it handles the rejection.
	followed.catch(() => undefined);
	const summaryOf = latest((forecast: Forecast) => summarize(forecast, related.of(forecast)));
	return {
		source,
		/** Settles when the cluster is no longer followed. Rejects if it cannot be followed, or if another cluster answers. */
		followed,
		/** Stops following it and finishes its recording. @throws UserError if that fails */
		close: async () => {
			stop.abort();
			await followed.catch(() => undefined);
			await saver.close();
		},
		/** Its state as a row of several clusters. */
		asMember: (name: string): ClusterForecast => {
			const {forecast, link, heardAt} = source.get();
			const clockOffset = cluster.now() - systemClock.now();
			return {
				name,
				server: cluster.server,
				clockOffset,
				status: link.state === 'live' ? 'Reachable' : link.state === 'lost' ? 'Unreachable' : 'Connecting',
				heardAt: heardAt === undefined ? undefined : heardAt - clockOffset,
				summary: forecast && !source.isCensus() ? summaryOf(forecast) : undefined,
				problems: forecast?.problems ?? [],
			};
		},
	};
}
