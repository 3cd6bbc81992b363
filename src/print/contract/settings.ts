import type {ApiVersion, DurationJson, ProblemJson, SourceJson} from './common.ts';

/** A duration as its flag takes it; a number or a switch as it is; null where there is none. */
export type SettingValueJson = DurationJson | number | boolean | null;

/** One setting in force, and where it comes from. */
export type SettingJson = {
	readonly kind: 'Setting';
	readonly metadata: {
		/** The flag's name, or the field's where it is no flag of kube-controller-manager. */
		readonly name: string;
	};
	readonly value: SettingValueJson;
	readonly source: {
		readonly kind: 'flag' | 'staticPod' | 'configz' | 'learned' | 'profile';
		/** For people: which pod, which release, which observations. */
		readonly detail: string;
	};
	/** What behaviour shows of it: it lies within, ends included. `hi` is null where nothing bounds it. */
	readonly range: {readonly lo: SettingValueJson; readonly hi: SettingValueJson} | null;
};

/** What is peculiar to the release by whose rules forecasts are made. */
export type VersionProfileJson = {
	/** `v1.36`. */
	readonly release: string;
	/** Whether it is the cluster's own, or the nearest that is known. */
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

/** What `settings` prints. */
export type SettingListJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'SettingList';
	readonly metadata: SourceJson & {readonly profile: VersionProfileJson};
	readonly items: readonly SettingJson[];
};

/** How long something takes, at the least and at the most; null where it never comes. */
export type TakesJson = {readonly earliest: DurationJson; readonly latest: DurationJson} | null;

/** What `settings --check` prints. */
export type SettingsCheckJson = {
	readonly apiVersion: ApiVersion;
	readonly kind: 'SettingsCheck';
	readonly metadata: SourceJson;
	/** What a deletion waits for, step by step. */
	readonly budget: readonly {
		readonly from: string;
		readonly to: string;
		readonly takes: TakesJson;
		readonly because: string;
	}[];
	readonly total: TakesJson;
	readonly risks: readonly ProblemJson[];
	/** Null unless a total was wanted. */
	readonly advice: {
		readonly want: DurationJson;
		/** Null where none is short enough. */
		readonly tolerationSeconds: number | null;
		/** Null unless it has to be changed, too. */
		readonly nodeMonitorGracePeriod: DurationJson | null;
		/** What it takes with no toleration at all. */
		readonly least: DurationJson | null;
		readonly risks: readonly ProblemJson[];
	} | null;
};
