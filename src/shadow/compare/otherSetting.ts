import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {ZoneCount} from '../../core/nodelifecycle/zones/zoneState.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {catalogue} from '../../forecast/settings/catalogue.ts';
import {
	isPossible,
	type LearnableKey,
	type LearnedSettings,
	likeliestOf,
	roundestWithin,
} from '../../forecast/settings/learned/learnedSetting.ts';
import {formatLearnedRange, formatSettingValue, type LearnedRange} from '../../forecast/settings/setting.ts';
import {goDuration} from '../../forecast/words.ts';
import {type Case, type CaseExplanation, explained} from './case.ts';

/** What was seen that tells of settings. */
export type SettingClues = {
	/** Those that forecasts are made with. */
	readonly settings: ControllerSettings;
	/** What the behaviour of the present controllers shows. */
	readonly learned: LearnedSettings;
	/** When the node's last renewal that counts came. */
	readonly renewedAt: Instant | undefined;
	/** When the zone was last seen to taint another node. */
	readonly zoneTaintedAt: Instant | undefined;
	/** The nodes of the zone that are not ready, and all of them. */
	readonly zone: ZoneCount;
};

/** The settings that decide when an action comes, the likeliest first. */
const decisive: Readonly<Record<Case['action'], readonly LearnableKey[]>> = {
	SetUnknown: ['nodeMonitorGracePeriod', 'nodeMonitorPeriod'],
	TaintNode: ['nodeEvictionRate', 'unhealthyZoneThreshold', 'nodeMonitorPeriod'],
	UntaintNode: ['nodeMonitorPeriod'],
	DeletePod: ['kubeApiQps'],
	DeletePodForDevice: ['kubeApiQps'],
	CollectPod: [],
};

/** Which other value of a flag would explain a divergence: by all that these controllers did, else by this action alone. */
export function otherSetting(one: Case, clues: SettingClues): CaseExplanation | undefined {
	const {settings, learned} = clues;
	for (const key of decisive[one.action]) {
		const seen = learned[key];
		if (!seen || isPossible(key, settings[key], seen)) continue;
		return saying(key, likeliestOf(seen), settings, [
			`The controllers behave as with ${named(key, formatLearnedRange(seen.range, unitOf(key)))}: ${seen.observations.at(-1) ?? ''}.`,
		]);
	}
	return byItself(one, clues);
}

function byItself(one: Case, clues: SettingClues): CaseExplanation | undefined {
	switch (one.action) {
		case 'SetUnknown':
			return graceOf(one, clues);
		case 'TaintNode':
			return rateOf(one, clues) ?? thresholdOf(one, clues);
		default:
			return undefined;
	}
}

/** A node turns Unknown a grace period after its last renewal, and up to two passes more. */
function graceOf(
	{at, expected, now}: Case,
	{settings, renewedAt}: SettingClues,
): CaseExplanation | undefined {
	if (renewedAt === undefined) return undefined;
	const silent = (at?.hi ?? now) - renewedAt;
	const {nodeMonitorPeriod, nodeMonitorGracePeriod} = settings;
	const least = Math.max(second, (at?.lo ?? now) - renewedAt - 2 * nodeMonitorPeriod - second);
	// By how much it came too early shows more than its silence: forecasts know when passes come.
	const early = at && expected ? Math.max(0, expected.earliest - at.hi) : 0;
	const byLead = nodeMonitorGracePeriod - early;
	// A range that was predicted too late by more than two passes was wrong for another reason.
	const most = early > 0 && byLead >= least ? Math.min(silent, byLead) : silent;
	const range: LearnedRange = at ? [Math.min(least, most), most] : [silent - nodeMonitorPeriod, 2 * silent];
	if (nodeMonitorGracePeriod >= range[0] && nodeMonitorGracePeriod <= (range[1] ?? 0)) return undefined;
	const value = roundestWithin(range);
	const said = at
		? `It turned Unknown ${goDuration(round(silent))} after its last renewal.`
		: `It is not Unknown ${goDuration(round(silent))} after its last renewal.`;
	return saying('nodeMonitorGracePeriod', value, settings, [said]);
}

/** A taint of longer ago was not one of those that wait now. */
const waiting: Duration = 5 * minute;

/** Two nodes of a zone that wait are tainted one after the other at its rate. */
function rateOf({at, kind, now}: Case, {settings, zoneTaintedAt}: SettingClues): CaseExplanation | undefined {
	if (zoneTaintedAt === undefined || zoneTaintedAt < now - waiting) return undefined;
	if (!at) {
		const waited = now - zoneTaintedAt;
		const said = `The zone has not tainted another node for ${goDuration(round(waited))}.`;
		const value = roundestWithin([second / (2 * waited), second / waited]);
		return saying('nodeEvictionRate', value, settings, [said]);
	}
	const [shortest, longest] = [at.lo - zoneTaintedAt - second / 4, at.hi - zoneTaintedAt + second / 4];
	const usual = second / settings.nodeEvictionRate;
	const isOther = kind === 'Early' ? longest < usual : shortest > usual;
	if (!isOther) return undefined;
	// A look at the queue each 100 ms hides how fast it may be: no more than a few times the least.
	const fastest = Math.min(
		shortest > 0 ? second / shortest : Number.POSITIVE_INFINITY,
		(4 * second) / longest,
	);
	const said = `The zone's last taint came ${goDuration(round(at.hi - zoneTaintedAt))} before.`;
	return saying('nodeEvictionRate', roundestWithin([second / longest, fastest]), settings, [said]);
}

/** A zone of which too large a share is down is evicted slowly, or not at all. */
function thresholdOf({kind}: Case, {settings, zone}: SettingClues): CaseExplanation | undefined {
	if (kind === 'Early' || kind === 'Unexpected' || zone.notReady <= 2 || zone.notReady === zone.size)
		return undefined;
	const share = zone.notReady / zone.size;
	if (share >= settings.unhealthyZoneThreshold) return undefined;
	return saying('unhealthyZoneThreshold', roundestWithin([share / 2, share]), settings, [
		`${zone.notReady} of the zone's ${zone.size} nodes are not ready: with a lower threshold its evictions would stop.`,
	]);
}

function saying(
	key: LearnableKey,
	value: number,
	settings: ControllerSettings,
	because: readonly string[],
): CaseExplanation {
	const flag = named(key, formatSettingValue(value, unitOf(key)));
	const assumed = named(key, formatSettingValue(settings[key], unitOf(key)));
	return explained('OtherSetting', [...because, `${flag} would explain it; ${assumed} is assumed.`], flag);
}

const entryOf = (key: LearnableKey) => catalogue.find((entry) => entry.key === key);
const unitOf = (key: LearnableKey) => entryOf(key)?.unit ?? 'number';
const named = (key: LearnableKey, value: string) => `--${entryOf(key)?.name ?? key}=${value}`;
const round = (duration: Duration): Duration => Math.round(duration / 100) * 100;
