import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {exactly, type SettingsSpan} from '../infer/settingsSpan.ts';
import type {LearnableKey, LearnedSetting} from './learned/learnedSetting.ts';

/** The settings whose learned range a forecast spans, each with the end that makes evictions come early. */
const earlyEnds: ReadonlyMap<LearnableKey, 'least' | 'most'> = new Map([
	['nodeMonitorGracePeriod', 'least'],
	['nodeMonitorPeriod', 'least'],
	['nodeEvictionRate', 'most'],
]);

/**
 * Makes a span of settings from the ranges that were learned.
 *
 * @param learned the settings in use for which behaviour is the only source
 */
export function spanOf(
	settings: ControllerSettings,
	learned: readonly (readonly [LearnableKey, LearnedSetting])[],
): SettingsSpan {
	let {early, late} = exactly(settings);
	for (const [key, {range}] of learned) {
		const earlyEnd = earlyEnds.get(key);
		if (earlyEnd === undefined) continue;
		const [least, most] = [range[0], range[1] ?? settings[key]];
		const ends = earlyEnd === 'least' ? {early: least, late: most} : {early: most, late: least};
		early = {...early, [key]: ends.early};
		late = {...late, [key]: ends.late};
	}
	return {early, late};
}
