import type {Cluster} from '../../src/cluster/cluster.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';
import {keeperOf} from './learnedStore.ts';
import {readVersion} from './reading.ts';
import {settingsOfCluster} from './settingsInForce.ts';

/** The settings that a session starts with, as known now and as learned later. */
export async function learningOf(cluster: Cluster, controller: ControllerOptions) {
	const [version, controlPlane] = await Promise.all([readVersion(cluster), cluster.controlPlane()]);
	const inForce = await settingsOfCluster(controller, version, controlPlane);
	const known = learning(inForce.evidence, keeperOf(controlPlane.clusterUid, version, cluster.now));
	return {version, controlPlane, inForce, known};
}
