import type {Cluster} from '../../src/cluster/cluster.ts';
import {hasStatus} from '../../src/cluster/transport/requestError.ts';
import type {ControlPlane} from '../../src/core/model/controlPlane.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';

/** What a cluster's control plane and this command show of the settings, before anything is seen of what it does. */
export const settingsEvidence = (
	{kubernetesVersion, settings, givenFlags}: ControllerOptions,
	serverVersion: string | undefined,
	controlPlane: ControlPlane,
	isLeastVersion = false,
): SettingsEvidence => ({
	flags: settings,
	versionFlag: kubernetesVersion,
	serverVersion,
	isLeastVersion,
	controlPlane,
	...(givenFlags && {givenFlags}),
});

export type Learned = Awaited<ReturnType<typeof learningOf>>;

/** The settings that a session starts with, as known now and as learned later. */
export async function learningOf(cluster: Cluster, controller: ControllerOptions) {
	const [version, controlPlane] = await Promise.all([readVersion(cluster), cluster.controlPlane()]);
	const evidence = settingsEvidence(controller, version, controlPlane);
	const known = learning(evidence);
	return {version, inForce: {evidence, resolved: known.learner.resolved}, known};
}

/** The server's version; undefined if forbidden. */
const readVersion = (cluster: Cluster): Promise<string | undefined> =>
	cluster.version().catch((error: unknown) => {
		if (hasStatus(error, 403)) return undefined;
		throw error;
	});
