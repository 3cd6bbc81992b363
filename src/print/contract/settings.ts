import type {ApiVersion, DurationJson, ProblemJson, SourceJson} from './common.ts';

/** A duration in flag format; a number or boolean unchanged; null if there is none. */
export type SettingValueJson = DurationJson | number | boolean | null;

/** One setting in force, with its source. */
export type SettingJson = {
	readonly kind: 'Setting';
	readonly metadata: {
		/** The flag's name, or the field's if it is no flag of kube-controller-manager. */
		readonly name: string;
	};
	readonly value: SettingValueJson;
	readonly source: {
		readonly kind: 'flag' | 'staticPod' | 'configz' | 'learned' | 'profile';
		/** For people: which pod, which release, which observations. */
		readonly detail: string;
	};
	/** The bounds learned from behaviour, inclusive. `hi` is null without an upper bound. */
	readonly range: {readonly lo: SettingValueJson; readonly hi: SettingValueJson} | null;
};

/** The rules of the release on which forecasts are based. */
export type VersionProfileJson = {
	/** `v1.36`. */
	readonly release: string;
	/** Whether it is the cluster's own release, or the nearest known one. */
	readonly fit: 'own' | 'newer' | 'older' | 'unreadable';
	readonly differences: readonly {
		readonly name: string;
		readonly value: string;
		/** Whether a flag or a gate sets it in that release; a rule cannot be set. */
		readonly kind: string;
		/** The first release with that value. */
		readonly since: string;
		readonly source: string;
		readonly meaning: string;
	}[];
};

/** Printed by `settings`. */
export type SettingListJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'SettingList';
	readonly metadata: SourceJson & {readonly profile: VersionProfileJson};
	readonly items: readonly SettingJson[];
};

/** The shortest and longest duration of something; null if it never happens. */
export type TakesJson = {readonly earliest: DurationJson; readonly latest: DurationJson} | null;

/** Printed by `settings --check`. */
export type SettingsCheckJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'SettingsCheck';
	readonly metadata: SourceJson;
	/** The steps that a deletion waits for. */
	readonly budget: readonly {
		readonly from: string;
		readonly to: string;
		readonly takes: TakesJson;
		readonly because: string;
	}[];
	readonly total: TakesJson;
	readonly risks: readonly ProblemJson[];
	/** Null unless a target for the total was given. */
	readonly advice: {
		readonly want: DurationJson;
		/** Null if none is short enough. */
		readonly tolerationSeconds: number | null;
		/** Null unless it must be changed as well. */
		readonly nodeMonitorGracePeriod: DurationJson | null;
		/** The duration without any toleration. */
		readonly least: DurationJson | null;
		readonly risks: readonly ProblemJson[];
	} | null;
};
