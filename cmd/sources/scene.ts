import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Selection} from '../../src/cluster/transport/selection.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {nothingRelated, type Related, type RelatedQuery} from '../../src/core/model/workloads/related.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {readOnce} from '../../src/session/clusterSource.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import type {Options} from '../args/options.ts';
import {absenceIn, absenceInFiles} from './absent.ts';
import {sceneOfFiles} from './fileScene.ts';
import {lookAtPressed, type PressureSeen} from './pressureLooks.ts';
import {withCluster} from './reading.ts';
import {type SettingsInForce, settingsOfCluster} from './settingsInForce.ts';

/** One look at a cluster or at files, and the answers it allows. */
export type AskedScene = {
	/** Includes all problems, also of the settings. */
	readonly snapshot: ClusterSnapshot;
	readonly inForce: SettingsInForce;
	readonly forecaster: Forecaster;
	/** What happens if nothing changes. */
	readonly forecast: Forecast;
	/** Undefined for all namespaces. */
	readonly namespace: string | undefined;
	/** Whether only pods of nodes in trouble are known, so that pods of other nodes are not covered. */
	readonly isPartial?: boolean;
	readonly related: (query: RelatedQuery) => Promise<Related>;
	/** Says which part of a request does not exist, where nothing was chosen by it. */
	readonly absence: (namespace: string | undefined) => Promise<string>;
	/**
	 * Queries the kubelets of nodes under pressure and of those named; for a recording, returns the recorded reports.
	 */
	readonly pressure: (named?: ReadonlySet<string>) => Promise<PressureSeen>;
};

/** Looks once at files or a cluster, then calls the function. @param selection the needed pods @throws UserError if unreadable */
export async function withScene<T>(
	options: Options,
	selection: Selection,
	ask: (scene: AskedScene) => Promise<T>,
): Promise<T> {
	if (options.filenames.length > 0) {
		const {
			snapshot: read,
			inForce,
			forecaster,
			forecast,
			isPartial,
			pressure: seen,
		} = await sceneOfFiles(options);
		const snapshot = {...read, problems: [...read.problems, ...inForce.resolved.problems]};
		const {related: recorded = nothingRelated} = snapshot;
		const namespace = options.filter.allNamespaces ? undefined : options.flags.namespace;
		return ask({
			...{snapshot, inForce, forecaster, forecast, namespace, isPartial},
			related: async () => recorded,
			// A recording may lack the pods of healthy nodes.
			absence: async (where) => (isPartial ? '' : absenceInFiles(where, options)()),
			pressure: async () => seen,
		});
	}
	return withCluster(options.flags, async (cluster) => {
		const namespace = options.filter.allNamespaces ? undefined : cluster.namespace;
		const {snapshot, inForce, forecaster, forecast} = await lookAtCluster(cluster, options, selection);
		const related = (query: RelatedQuery) => cluster.related(query);
		const pressure = (named?: ReadonlySet<string>) => lookAtPressed(cluster, snapshot, named);
		const absence = (where: string | undefined) => absenceIn(cluster, where, options)();
		return ask({snapshot, inForce, forecaster, forecast, namespace, related, absence, pressure});
	});
}

/** Forecasts from one look at a cluster. @throws UserError if it cannot be read */
export async function lookAtCluster(
	cluster: Cluster,
	{controller}: Pick<Options, 'controller'>,
	selection: Selection,
) {
	const [snapshot, controlPlane] = await Promise.all([
		readOnce(cluster, selection, cluster.namespace),
		cluster.controlPlane(),
	]);
	const found = await settingsOfCluster(controller, snapshot.kubernetesVersion, controlPlane);
	const problems = [...snapshot.problems, ...controller.notes];
	const {resolved, ...look} = lookOnce({...snapshot, problems}, found.evidence);
	return {...look, inForce: {...found, resolved}};
}
