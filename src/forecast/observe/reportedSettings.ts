import type {Problem} from '../../core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Evidence} from './evidence.ts';

/** The settings, but for what the controllers' own reports contradict: one that reports evictions is not switched off. */
export function settingsAsSeen(settings: ControllerSettings, evidence: Evidence): ControllerSettings {
	return !settings.taintEviction && hasReportedEvictions(evidence)
		? {...settings, taintEviction: true}
		: settings;
}

/** Says so where a taint-eviction controller is at work that is taken to be switched off. */
export function evictionsSeen({taintEviction}: ControllerSettings, evidence: Evidence): readonly Problem[] {
	if (taintEviction || !hasReportedEvictions(evidence)) return [];
	return [
		{
			reason: 'TaintEvictionSeen',
			message:
				'the taint-eviction controller is said to be switched off, but one reports evictions: forecasts count with it',
		},
	];
}

function hasReportedEvictions({events, controllersStarted}: Evidence): boolean {
	const latest = events.latestEviction;
	return latest !== undefined && latest.at.hi >= controllersStarted.lo;
}
