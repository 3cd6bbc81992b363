import {type ControlPlane, unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import type {LearnedSettings} from '../../src/forecast/settings/learned/learnedSetting.ts';
import {type ResolvedSettings, resolveSettings} from '../../src/forecast/settings/resolve.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import type {ControllerOptions} from '../args/controllerOptions.ts';
import {loadLearned} from './learnedStore.ts';

/** The settings in force, and what they were resolved from. */
export type SettingsInForce = {
	readonly resolved: ResolvedSettings;
	readonly controlPlane: ControlPlane;
	readonly evidence: SettingsEvidence;
};

/** The settings of a cluster whose control plane was looked at, and what was learned of it before. */
export async function settingsOfCluster(
	options: ControllerOptions,
	serverVersion: string | undefined,
	controlPlane: ControlPlane,
): Promise<SettingsInForce> {
	const learned = await loadLearned(controlPlane.clusterUid, serverVersion);
	return inForce(options, serverVersion, controlPlane, learned);
}

/** The settings by which a file is read: a dump tells nothing of its control plane's flags. */
export function settingsOfFile(options: ControllerOptions, version: string | undefined): SettingsInForce {
	const controlPlane = unseenControlPlane('a file does not show the flags of the control plane');
	return inForce(options, version, controlPlane, {});
}

/** The settings in force by all that is known of them. */
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
