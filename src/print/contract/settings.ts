import type {VersionProfile} from '../../core/model/versionProfile.ts';
import type {Difference} from '../../core/model/versionTable.ts';
import type {Advice} from '../../forecast/settings/advice.ts';
import type {Setting} from '../../forecast/settings/setting.ts';
import type {BudgetStep} from '../../forecast/settings/timeBudget.ts';
import type {DurationJson, PrintedJson, ProblemJson, SourceJson} from './common.ts';

/** A duration in flag format; a number or boolean unchanged; null if there is none. */
export type SettingValueJson = DurationJson | number | boolean | null;

/** One setting in force, with its source. */
type SettingJson = Pick<Setting, 'source'> &
	Readonly<{
		kind: 'Setting';
		metadata: Pick<Setting, 'name'>;
		value: SettingValueJson;
		/** Its bounds, by what the controllers were seen to do or by what is assumed to be possible. `hi` is null without an upper bound. */
		range: {readonly lo: SettingValueJson; readonly hi: SettingValueJson} | null;
	}>;

/** The rules of the release on which forecasts are based, and what differs between releases. */
export type VersionProfileJson = Pick<VersionProfile, 'release' | 'fit'> & {
	readonly differences: readonly (Pick<Difference, 'name' | 'meaning'> &
		Readonly<{
			value: string;
			/** Whether a flag or a gate sets it in that release; a rule cannot be set. */
			kind: string;
			/** The first release with that value. */
			since: string;
			source: string;
		}>)[];
};

/** Printed by `settings`. */
export type SettingListJson = PrintedJson<
	'SettingList',
	SourceJson & {readonly profile: VersionProfileJson}
> & {readonly items: readonly SettingJson[]};

/** The shortest and longest duration of something; null if it never happens. */
export type TakesJson = {readonly earliest: DurationJson; readonly latest: DurationJson} | null;

/** Printed by `settings --check`. */
export type SettingsCheckJson = PrintedJson<'SettingsCheck', SourceJson> &
	Readonly<{
		/** The steps that a deletion waits for. */
		budget: readonly (Pick<BudgetStep, 'from' | 'to' | 'because'> & {readonly takes: TakesJson})[];
		total: TakesJson;
		risks: readonly ProblemJson[];
		/** Null unless a target for the total was given. */
		advice:
			| (Pick<Advice, 'tolerationSeconds'> &
					Readonly<{
						want: DurationJson;
						/** Null unless it must be changed as well. */
						nodeMonitorGracePeriod: DurationJson | null;
						/** The duration without any toleration. */
						least: DurationJson | null;
						risks: readonly ProblemJson[];
					}>)
			| null;
	}>;
