import type {VersionProfile} from '../../core/model/versionProfile.ts';
import type {Difference} from '../../core/model/versionTable.ts';
import type {Advice} from '../../forecast/settings/advice.ts';
import type {Setting} from '../../forecast/settings/setting.ts';
import type {BudgetStep} from '../../forecast/settings/timeBudget.ts';
import type {DurationJson, PrintedJson, ProblemJson, SourceJson} from './common.ts';

/** A duration in flag format; a number or boolean unchanged; null if there is none. */
export type SettingValueJson = DurationJson | number | boolean | null;

/** One setting in force, with its source. */
type SettingJson = Pick<Setting, 'source'> & {
	readonly kind: 'Setting';
	readonly metadata: Pick<Setting, 'name'>;
	readonly value: SettingValueJson;
	/** Its bounds, by what the controllers were seen to do or by what is assumed to be possible. `hi` is null without an upper bound. */
	readonly range: {readonly lo: SettingValueJson; readonly hi: SettingValueJson} | null;
};

/** The rules of the release on which forecasts are based, and what differs between releases. */
export type VersionProfileJson = Pick<VersionProfile, 'release' | 'fit'> & {
	readonly differences: readonly (Pick<Difference, 'name' | 'meaning'> & {
		readonly value: string;
		/** Whether a flag or a gate sets it in that release; a rule cannot be set. */
		readonly kind: string;
		/** The first release with that value. */
		readonly since: string;
		readonly source: string;
	})[];
};

/** Printed by `settings`. */
export type SettingListJson = PrintedJson<
	'SettingList',
	SourceJson & {readonly profile: VersionProfileJson}
> & {readonly items: readonly SettingJson[]};

/** The shortest and longest duration of something; null if it never happens. */
export type TakesJson = {readonly earliest: DurationJson; readonly latest: DurationJson} | null;

/** Printed by `settings --check`. */
export type SettingsCheckJson = PrintedJson<'SettingsCheck', SourceJson> & {
	/** The steps that a deletion waits for. */
	readonly budget: readonly (Pick<BudgetStep, 'from' | 'to' | 'because'> & {readonly takes: TakesJson})[];
	readonly total: TakesJson;
	readonly risks: readonly ProblemJson[];
	/** Null unless a target for the total was given. */
	readonly advice:
		| (Pick<Advice, 'tolerationSeconds'> & {
				readonly want: DurationJson;
				/** Null unless it must be changed as well. */
				readonly nodeMonitorGracePeriod: DurationJson | null;
				/** The duration without any toleration. */
				readonly least: DurationJson | null;
				readonly risks: readonly ProblemJson[];
		  })
		| null;
};
