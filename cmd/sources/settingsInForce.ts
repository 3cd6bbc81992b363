import {type ControlPlane, unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import type {LearnedSettings} from '../../src/forecast/settings/learned/learnedSetting.ts';
import {type ResolvedSettings, resolveSettings} from '../../src/forecast/settings/resolve.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';
import {loadLearned} from './learnedStore.ts';

export type SettingsInForce = {
	readonly resolved: ResolvedSettings;
	readonly controlPlane: ControlPlane;
	readonly evidence: SettingsEvidence;
};

/** The settings of a cluster, from its control plane and from earlier sessions. */
export async function settingsOfCluster(
	options: ControllerOptions,
	serverVersion: string | undefined,
	controlPlane: ControlPlane,
): Promise<SettingsInForce> {
	const learned = await loadLearned(controlPlane.clusterUid, serverVersion);
	return inForce(options, serverVersion, controlPlane, learned);
}

/** The settings for a file: a dump does not show the flags of its control plane. */
export function settingsOfFile(options: ControllerOptions, version: string | undefined): SettingsInForce {
	const controlPlane = unseenControlPlane('a file does not show the flags of the control plane');
	return inForce(options, version, controlPlane, {});
}

export function inForce(
	{kubernetesVersion, settings, notes, givenFlags}: ControllerOptions,
	serverVersion: string | undefined,
	controlPlane: ControlPlane,
	learned: LearnedSettings,
): SettingsInForce {
	const evidence = {
		...{flags: settings, versionFlag: kubernetesVersion, serverVersion, controlPlane, learned},
		...(givenFlags && {givenFlags}),
	};
	const resolved = resolveSettings(evidence);
	return {resolved: {...resolved, problems: [...notes, ...resolved.problems]}, controlPlane, evidence};
}
