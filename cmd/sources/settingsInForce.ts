import type {Cluster} from '../../src/cluster/cluster.ts';
import {hasStatus} from '../../src/cluster/transport/requestError.ts';
import {type Learning, learning} from '../../src/forecast/settingsLearner.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';

/** The settings that a session starts with, as known now and as learned later. */
export async function learningOf(cluster: Cluster, {asked}: ControllerOptions): Promise<Learning> {
	const [serverVersion, controlPlane] = await Promise.all([readVersion(cluster), cluster.controlPlane()]);
	return learning({...asked, serverVersion, controlPlane});
}

/** The server's version; undefined if forbidden. */
const readVersion = (cluster: Cluster): Promise<string | undefined> =>
	cluster.version().catch((error: unknown) => {
		if (hasStatus(error, 403)) return undefined;
		throw error;
	});
