import type {AskedSettings, ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {ControlPlane} from '../../core/model/controlPlane.ts';
import type {Problem} from '../../core/model/problem.ts';
import {newestKnownRelease, parseVersion} from '../../core/model/versionProfile.ts';
import type {LearnedSettings, SettingDoubt} from './learned/learnedSetting.ts';
import type {ManagedControlPlane} from './managedControlPlane.ts';
import type {LearnedRange, Setting} from './setting.ts';

/** Ranges in which settings lie. */
export type SettingRanges = {readonly [Key in keyof ControllerSettings]?: LearnedRange};

/** What the controllers that run now were seen to do. */
export type SeenOfControllers = Readonly<{
	learned: LearnedSettings;
	doubts: readonly SettingDoubt[];
	/** What bounds a setting that is in doubt: `ifDefaults` only if no default was disproved. */
	bounds: SettingRanges;
	ifDefaults: SettingRanges;
}>;

/** Everything that the controllers' settings are resolved from. */
export type SettingsEvidence = Partial<SeenOfControllers> &
	AskedSettings &
	Readonly<{
		/** The version in `/version`. */
		serverVersion: string | undefined;
		/** Whether that is the newest kubelet's: the control plane may be newer. */
		isLeastVersion?: boolean | undefined;
		controlPlane: ControlPlane;
		/** The managed control plane that nodes show; the server's version alone may show one too. */
		managed?: ManagedControlPlane | undefined;
	}>;

/** The version whose defaults and rules are assumed; the controller manager's own where its image tells it. */
export const versionOf = ({versionFlag, serverVersion, controlPlane}: SettingsEvidence): string | undefined =>
	versionFlag ?? controlPlane.controllerManager.version ?? serverVersion;

/** Whether the control plane may be newer than the version that is assumed. */
export const isLeastVersion = (evidence: SettingsEvidence) =>
	evidence.isLeastVersion === true &&
	evidence.versionFlag === undefined &&
	evidence.controlPlane.controllerManager.version === undefined;

/** Up to this many releases a kubelet may be older than its control plane, by the policy for version skew. */
const kubeletSkew = 3;

/** The newest version that the control plane may have. */
export function newestVersionOf(evidence: SettingsEvidence): string | undefined {
	const version = versionOf(evidence);
	if (!isLeastVersion(evidence)) return version;
	const [major, minor] = parseVersion(version ?? '') ?? [];
	return minor === undefined
		? version
		: `v${major}.${Math.max(minor, Math.min(minor + kubeletSkew, newestKnownRelease))}`;
}

export type Resolved = Readonly<{
	key: keyof ControllerSettings;
	setting: Setting;
	problems: readonly Problem[];
	/** Whether behaviour shows that the setting is close to the value that is assumed. */
	isConfirmed?: boolean;
}>;
