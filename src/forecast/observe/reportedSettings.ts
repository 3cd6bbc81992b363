import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Problem} from '../../core/model/problem.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Evidence} from './evidence.ts';

/** The settings, corrected by the controllers' events: a taint-eviction controller that reports evictions is enabled. */
export function settingsAsSeen(settings: ControllerSettings, evidence: Evidence): ControllerSettings {
	return !settings.taintEviction && hasReportedEvictions(evidence)
		? {...settings, taintEviction: true}
		: settings;
}

/** A deletion that was tried has failed if it is overdue for longer: a busy client delays it. */
const longDue: Duration = 20 * second;
/** A single pod may have a reason of its own. */
const fewest = 2;

/**
 * How many pods are long overdue without a trace of an attempt to delete them, if only a disabled taint-eviction controller
 * explains that; else zero. A running one marks a pod, and reports it, before it deletes it.
 */
export function missingEvictions(evidence: Evidence, settings: ControllerSettings, dueBy: Instant): number {
	const {taintEviction, podDisruptionConditions, keepsFinishedWork} = settings;
	if (!taintEviction || !podDisruptionConditions || keepsFinishedWork) return 0;
	const due = evidence.timers.dueBefore(dueBy - longDue);
	const standing = due.filter((key) => {
		const pod = evidence.pods.get(key);
		return pod && pod.deletionTimestamp === undefined;
	});
	return standing.length < fewest || hasReportedEvictions(evidence) || hasMarkedPods(evidence)
		? 0
		: standing.length;
}

function hasMarkedPods({pods, controllersStarted}: Evidence) {
	for (const {evictedAt} of pods.values())
		if (evictedAt !== undefined && evictedAt + second >= controllersStarted.lo) return true;
	return false;
}

/** Reports a taint-eviction controller that contradicts the settings: it works though disabled, or seems disabled. */
export function evictionsSeen(
	settings: ControllerSettings,
	evidence: Evidence,
	missing: number,
): readonly Problem[] {
	if (missing > 0) {
		return [
			{
				reason: 'TaintEvictionMissing',
				message: `the taint-eviction controller seems to be switched off (--controllers=-taint-eviction-controller): ${missing} pods are due, and nothing shows that it tried to delete one`,
			},
		];
	}
	if (settings.taintEviction || !hasReportedEvictions(evidence)) return [];
	return [
		{
			reason: 'TaintEvictionSeen',
			message:
				'the taint-eviction controller is said to be switched off, but one reports evictions: forecasts count with it',
		},
	];
}

function hasReportedEvictions({events, controllersStarted}: Evidence) {
	const latest = events.latestEviction;
	return latest !== undefined && latest.at.hi >= controllersStarted.lo;
}
