import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Selection} from '../../src/cluster/transport/selection.ts';
import {requestSent} from '../../src/cluster/transport/traffic.ts';
import {type Fallback, readOnce} from '../../src/session/clusterSource.ts';
import type {Options} from '../args/options.ts';
import type {Look} from './look.ts';
import {withCluster} from './reading.ts';

/**
 * Looks once at files or a cluster, then asks the function with the call.
 *
 * @param selection the needed pods
 * @throws UserError if unreadable
 */
export async function withScene<Call extends {readonly options: Options}, T>(
	call: Call,
	selection: Selection,
	ask: (scene: Look & Call) => Promise<T>,
): Promise<T> {
	const {options} = call;
	if (options.filenames.length > 0) {
		const {sceneOfFiles} = await import('./fileScene.ts');
		return ask({...(await sceneOfFiles(options)), ...call});
	}
	return withCluster(options.flags, async (cluster) =>
		ask({...(await lookAtCluster(cluster, options, selection)), ...call}),
	);
}

/** Looks once at a cluster. @throws UserError if it cannot be read */
export async function lookAtCluster(
	cluster: Cluster,
	options: Options,
	selection: Selection,
	isOneNamespace = options.flags.namespace !== undefined,
): Promise<Look> {
	const sent = requestSent();
	const fallback: Fallback = {namespace: cluster.namespace, isAsked: isOneNamespace};
	const reading = Promise.all([readOnce(cluster, selection, fallback), cluster.controlPlane()]);
	// Its error is thrown below.
	await Promise.race([sent, reading.catch(() => undefined)]);
	// Loaded while the API server works on the first request.
	const {clusterScene} = await import('./clusterScene.ts');
	return clusterScene(cluster, ...(await reading), options);
}
