import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {exactly, type SettingsSpan} from '../../core/model/settingsSpan.ts';
import {minute, second} from '../../core/time/instant.ts';
import type {ManagedControlPlane} from './managedControlPlane.ts';
import type {LearnedRange} from './setting.ts';

type Spanned = {
	/** The end of a range that makes evictions come early. */
	readonly earlyEnd: 'least' | 'most';
	/** The range that is possible once another default was disproved. */
	readonly inDoubt: readonly [lo: number, hi: number];
	/** What most people set, if neither a flag nor an observation confirms the default; undefined if the default is used. */
	readonly unconfirmed?: readonly [lo: number, hi: number];
};

/** The settings that a forecast can span. */
const spanned: {readonly [Key in keyof ControllerSettings]?: Spanned} = {
	nodeMonitorPeriod: {
		earlyEnd: 'least',
		inDoubt: [2 * second, 5 * second],
		unconfirmed: [2 * second, 5 * second],
	},
	nodeMonitorGracePeriod: {
		earlyEnd: 'least',
		inDoubt: [5 * second, 5 * minute],
		unconfirmed: [20 * second, 2 * minute],
	},
	nodeEvictionRate: {earlyEnd: 'most', inDoubt: [0.001, 10], unconfirmed: [0.01, 10]},
	secondaryNodeEvictionRate: {earlyEnd: 'most', inDoubt: [0, 10], unconfirmed: [0.01, 10]},
	unhealthyZoneThreshold: {earlyEnd: 'most', inDoubt: [0, 1], unconfirmed: [0.55, 1]},
	largeClusterSizeThreshold: {earlyEnd: 'least', inDoubt: [0, 5000], unconfirmed: [0, 50]},
	kubeApiQps: {earlyEnd: 'most', inDoubt: [5, 300], unconfirmed: [5, 150]},
	kubeApiBurst: {earlyEnd: 'most', inDoubt: [10, 500], unconfirmed: [10, 30]},
	podEvictionTimeout: {earlyEnd: 'least', inDoubt: [10 * second, 15 * minute]},
};

/** Why a default is not simply assumed: another one was disproved, or nothing confirms it. */
export type DefaultDoubt = 'inDoubt' | 'unconfirmed';

/**
 * The possible values of a setting whose default is not simply assumed; undefined for a setting that is not doubted. A vendor's
 * own span counts until a default is disproved.
 */
export const possibleRange = (
	key: keyof ControllerSettings,
	doubt: DefaultDoubt,
	managed?: ManagedControlPlane,
): LearnedRange | undefined =>
	doubt === 'inDoubt'
		? spanned[key]?.inDoubt
		: managed?.others?.[key] !== undefined
			? undefined
			: ((key === 'nodeMonitorGracePeriod' ? managed?.grace?.range : undefined) ?? spanned[key]?.unconfirmed);

/**
 * Makes a span of settings, some of which are known only as ranges. A range without an end ends at the setting in use.
 *
 * @param newest the settings of the newest release that the control plane may have, with the gates that may be on
 */
export function spanOf(
	settings: ControllerSettings,
	ranges: readonly (readonly [keyof ControllerSettings, LearnedRange])[],
	newest = settings,
): SettingsSpan {
	let {earlyEnd, lateEnd} = exactly(settings);
	// A newer release queues a node a pass earlier.
	if (newest.queuesInPassOfTransition && !settings.queuesInPassOfTransition)
		earlyEnd = {...earlyEnd, queuesInPassOfTransition: true};
	if (newest.deviceTaints && !settings.deviceTaints) earlyEnd = {...earlyEnd, deviceTaints: true};
	for (const [key, range] of ranges) {
		const end = spanned[key]?.earlyEnd;
		if (end === undefined) continue;
		const [least, most] = [range[0], range[1] ?? settings[key]];
		const [early, late] = end === 'least' ? [least, most] : [most, least];
		earlyEnd = {...earlyEnd, [key]: early};
		lateEnd = {...lateEnd, [key]: late};
	}
	return {earlyEnd, usual: settings, lateEnd};
}
