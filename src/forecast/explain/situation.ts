import type {SettingsSpan} from '../../core/model/settingsSpan.ts';
import {type Concluded, concludedOf} from '../conclude/concluded.ts';
import {inferredOf} from '../infer/inferred.ts';
import {zonesWithin} from '../infer/zonePast.ts';
import type {Observed} from '../observe/observed.ts';
import {formatLearnedRange, type Setting} from '../settings/setting.ts';
import type {Ensemble} from '../simulate/ensemble.ts';
import {flag, goDuration} from '../words.ts';
import type {DefaultTolerationSeconds} from './steps/tolerationUse.ts';

/** Everything that forecasts and explanations of one instant are based on. */
export type Situation = Concluded & {
	/** The sources of the settings, for explanations. */
	readonly known: KnownSources;
};

/** The sources of the settings, which only explanations need. */
export type KnownSources = {
	/** Each setting in force with its source; empty if only the values are known. */
	readonly settings: readonly Setting[];
	/** The tolerationSeconds that the API server adds to new pods; undefined if unknown. */
	readonly defaultTolerationSeconds?: DefaultTolerationSeconds;
};

export const nothingKnown: KnownSources = {settings: []};

/** Combines the observations with the hidden states' runs. */
export function situationOf(
	observed: Observed,
	{runs, passes, changes}: Ensemble,
	span: SettingsSpan,
): Situation {
	const {now, settings, affected} = observed;
	const zones = zonesWithin(now, affected, settings, span.earlyEnd);
	const inferred = inferredOf({...observed, span}, passes, zones);
	return {...concludedOf(inferred, {runs, changes}), known: nothingKnown};
}

/** A setting of the controllers: its value, or the assumed range if its default is uncertain. */
export function settingWords<Value>(
	name: string,
	value: Value,
	settings: readonly Setting[],
): Value | string {
	const setting = settings.find((one) => one.name === name);
	return setting?.isInDoubt && setting.range ? formatLearnedRange(setting.range, setting.unit) : value;
}

/** The same as a flag. */
export const settingFlag = (name: string, value: string | number, {known}: Situation): string =>
	flag(name, settingWords(name, value, known.settings));

export const periodFlag = (situation: Situation): string =>
	settingFlag('node-monitor-period', goDuration(situation.settings.nodeMonitorPeriod), situation);

export const thresholdFlag = (situation: Situation): string =>
	settingFlag('unhealthy-zone-threshold', situation.settings.unhealthyZoneThreshold, situation);

/** The flags that limit the requests of the controllers. */
export const clientFlags = (situation: Situation): string =>
	`${settingFlag('kube-api-qps', situation.span.usual.kubeApiQps, situation)}, ${settingFlag('kube-api-burst', situation.span.usual.kubeApiBurst, situation)}`;
