import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {ControlPlane} from '../../core/model/controlPlane.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {LearnedSettings, SettingDoubt} from './learned/learnedSetting.ts';
import type {ManagedControlPlane} from './managedControlPlane.ts';
import type {LearnedRange, Setting} from './setting.ts';

/** Ranges in which settings lie. */
export type SettingRanges = {readonly [Key in keyof ControllerSettings]?: LearnedRange};

/** Everything that the controllers' settings are resolved from. */
export type SettingsEvidence = {
	/** Settings on the command line. */
	readonly flags: Partial<ControllerSettings>;
	/** Flags of the controller manager as given on the command line; absent if there are none. */
	readonly givenFlags?: ReadonlyMap<string, string>;
	/** The value of `--kubernetes-version`. */
	readonly versionFlag: string | undefined;
	/** The version in `/version`. */
	readonly serverVersion: string | undefined;
	readonly controlPlane: ControlPlane;
	readonly learned: LearnedSettings;
	/** The managed control plane that nodes show; the server's version alone may show one too. */
	readonly managed?: ManagedControlPlane | undefined;
	readonly doubts?: readonly SettingDoubt[];
	/** What was seen of settings, if no other default is in doubt. */
	readonly ifDefaults?: SettingRanges;
};

export type Resolved = {
	readonly key: keyof ControllerSettings;
	readonly setting: Setting;
	readonly problems: readonly Problem[];
	/** Whether behaviour shows that the setting is close to the value that is assumed. */
	readonly isConfirmed?: boolean;
};
