import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {ZoneCount} from '../../core/nodelifecycle/zones/zoneState.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {formatDuration} from '../../dates/duration.ts';
import {catalogue} from '../../forecast/settings/catalogue.ts';
import {
	isPossible,
	type LearnableKey,
	type LearnedSettings,
	likeliestOf,
	roundestWithin,
} from '../../forecast/settings/learned/learnedSetting.ts';
import {formatLearnedRange, formatSettingValue, type LearnedRange} from '../../forecast/settings/setting.ts';
import {type CaseExplanation, explained, type UnexplainedAction} from './unexplainedAction.ts';

export type SettingClues = {
	readonly settings: ControllerSettings;
	/** The settings that the current controllers' behaviour shows. */
	readonly learned: LearnedSettings;
	/** When the node's last renewal that counts arrived. */
	readonly renewedAt: Instant | undefined;
	/** When another node of the zone was last seen to be tainted. */
	readonly zoneTaintedAt: Instant | undefined;
	/** The number of nodes that are not ready, and of all nodes of the zone. */
	readonly zone: ZoneCount;
};

/** The settings that determine an action's time, the likeliest first. */
const decisive: Readonly<Record<UnexplainedAction['action'], readonly LearnableKey[]>> = {
	SetUnknown: ['nodeMonitorGracePeriod', 'nodeMonitorPeriod'],
	TaintNode: ['nodeEvictionRate', 'unhealthyZoneThreshold', 'nodeMonitorPeriod'],
	UntaintNode: ['nodeMonitorPeriod'],
	DeletePod: ['kubeApiQps'],
	DeletePodForDevice: ['kubeApiQps'],
	CollectPod: [],
};

/** Another value of a flag that would explain a divergence: from all behaviour of these controllers, else from this action. */
export function otherSetting(one: UnexplainedAction, clues: SettingClues): CaseExplanation | undefined {
	const {settings, learned} = clues;
	for (const key of decisive[one.action]) {
		const seen = learned[key];
		if (!seen || isPossible(key, settings[key], seen)) continue;
		// The lowest rate alone tells less than this taint.
		const own = key === 'nodeEvictionRate' && seen.range[1] === null ? rateOf(one, clues) : undefined;
		if (own) return own;
		return explanationBy(key, likeliestOf(seen), settings, [
			`The controllers behave as with ${named(key, formatLearnedRange(seen.range, unitOf(key)))}: ${seen.observations.at(-1) ?? ''}.`,
		]);
	}
	return fromThisAction(one, clues);
}

function fromThisAction(one: UnexplainedAction, clues: SettingClues): CaseExplanation | undefined {
	switch (one.action) {
		case 'SetUnknown':
			return graceOf(one, clues);
		case 'TaintNode':
			return rateOf(one, clues) ?? thresholdOf(one, clues);
		default:
			return undefined;
	}
}

/** A node becomes Unknown one grace period after its last renewal, plus up to two passes. */
function graceOf(
	{at, expected, now}: UnexplainedAction,
	{settings, renewedAt}: SettingClues,
): CaseExplanation | undefined {
	if (renewedAt === undefined) return undefined;
	const silent = (at?.hi ?? now) - renewedAt;
	const {nodeMonitorPeriod, nodeMonitorGracePeriod} = settings;
	const least = Math.max(second, (at?.lo ?? now) - renewedAt - 2 * nodeMonitorPeriod - second);
	// How early it came is better evidence than the silence: forecasts know when passes run.
	const early = at && expected ? Math.max(0, expected.earliest - at.hi) : 0;
	const byLead = nodeMonitorGracePeriod - early;
	// If it came earlier than two passes allow, the prediction was wrong for another reason.
	const most = early > 0 && byLead >= least ? Math.min(silent, byLead) : silent;
	const range: LearnedRange = at ? [Math.min(least, most), most] : [silent - nodeMonitorPeriod, 2 * silent];
	if (nodeMonitorGracePeriod >= range[0] && nodeMonitorGracePeriod <= (range[1] ?? 0)) return undefined;
	const value = roundestWithin(range);
	const sentence = at
		? `It turned Unknown ${formatDuration(round(silent))} after its last renewal.`
		: `It is not Unknown ${formatDuration(round(silent))} after its last renewal.`;
	return explanationBy('nodeMonitorGracePeriod', value, settings, [sentence]);
}

/** An older taint is not from the current queue. */
const maxTaintAge: Duration = 5 * minute;

/** Waiting nodes of a zone are tainted at its rate. */
function rateOf(
	{at, kind, now}: UnexplainedAction,
	{settings, zoneTaintedAt}: SettingClues,
): CaseExplanation | undefined {
	if (zoneTaintedAt === undefined || zoneTaintedAt < now - maxTaintAge) return undefined;
	if (!at) {
		const waited = now - zoneTaintedAt;
		const sentence = `The zone has not tainted another node for ${formatDuration(round(waited))}.`;
		const value = roundestWithin([second / (2 * waited), second / waited]);
		return explanationBy('nodeEvictionRate', value, settings, [sentence]);
	}
	const [shortest, longest] = [at.lo - zoneTaintedAt - second / 4, at.hi - zoneTaintedAt + second / 4];
	const usual = second / settings.nodeEvictionRate;
	const isOther = kind === 'Early' ? longest < usual : shortest > usual;
	if (!isOther) return undefined;
	// The queue is checked every 100 ms, which hides high rates: limited to a few times the lowest possible.
	const fastest = Math.min(
		shortest > 0 ? second / shortest : Number.POSITIVE_INFINITY,
		(4 * second) / longest,
	);
	const sentence = `The zone's last taint came ${formatDuration(round(at.hi - zoneTaintedAt))} before.`;
	return explanationBy('nodeEvictionRate', roundestWithin([second / longest, fastest]), settings, [sentence]);
}

/** A zone with too many unhealthy nodes is evicted slowly, or not at all. */
function thresholdOf({kind}: UnexplainedAction, {settings, zone}: SettingClues): CaseExplanation | undefined {
	if (kind === 'Early' || kind === 'Unexpected' || zone.notReady <= 2 || zone.notReady === zone.size)
		return undefined;
	const share = zone.notReady / zone.size;
	if (share >= settings.unhealthyZoneThreshold) return undefined;
	return explanationBy('unhealthyZoneThreshold', roundestWithin([share / 2, share]), settings, [
		`${zone.notReady} of the zone's ${zone.size} nodes are not ready: with a lower threshold its evictions would stop.`,
	]);
}

function explanationBy(
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
