import {connect} from '../src/cluster/cluster.ts';
import type {RelatedQuery} from '../src/cluster/readRelated.ts';
import type {Selection} from '../src/cluster/selection.ts';
import {systemSurroundings} from '../src/cluster/surroundings.ts';
import {systemTiming} from '../src/cluster/timing.ts';
import type {ClusterSnapshot} from '../src/core/model/clusterSnapshot.ts';
import {nothingRelated, type Related} from '../src/core/model/related.ts';
import {Forecaster} from '../src/forecast/forecaster.ts';
import {systemClock} from '../src/live/clock.ts';
import {readDump} from '../src/recording/dump.ts';
import type {Options} from './options.ts';
import {readOnce} from './reading.ts';
import {settingsOfCluster, settingsOfFile} from './settings.ts';

/** One look at a cluster or a file, and what can be asked of it. */
export type AskedScene = {
	readonly snapshot: ClusterSnapshot;
	readonly forecaster: Forecaster;
	/** Undefined stands for all namespaces. */
	readonly namespace: string | undefined;
	readonly related: (query: RelatedQuery) => Promise<Related>;
};

/**
 * Looks once, at a file or a cluster, and asks.
 *
 * @param selection whose pods are needed
 * @throws UserError where it cannot be read
 */
export async function withScene<T>(
	options: Options,
	selection: Selection,
	ask: (scene: AskedScene) => Promise<T>,
): Promise<T> {
	if (options.filename !== undefined) {
		const snapshot = await readDump(options.filename, {at: options.at});
		const {resolved} = settingsOfFile(options.controller, snapshot.kubernetesVersion);
		const related = async () => snapshot.related ?? nothingRelated;
		const {namespace} = options.flags;
		return ask({snapshot, forecaster: observing(snapshot, resolved), namespace, related});
	}
	// One clock for everything: what arrived cannot lie in the future of a forecast.
	const timing = {...systemTiming, now: systemClock.now};
	const cluster = await connect(options.flags, systemSurroundings(), timing);
	try {
		const {namespace} = cluster;
		const [snapshot, controlPlane] = await Promise.all([
			readOnce(cluster, selection, namespace),
			cluster.controlPlane(),
		]);
		const {resolved} = await settingsOfCluster(options.controller, snapshot.kubernetesVersion, controlPlane);
		const related = (query: RelatedQuery) => cluster.related(query);
		return await ask({snapshot, forecaster: observing(snapshot, resolved), namespace, related});
	} finally {
		await cluster.close();
	}
}

function observing(
	snapshot: ClusterSnapshot,
	{settings, problems}: Awaited<ReturnType<typeof settingsOfCluster>>['resolved'],
): Forecaster {
	const forecaster = new Forecaster(settings);
	forecaster.observeSnapshot({...snapshot, problems: [...snapshot.problems, ...problems]});
	return forecaster;
}
