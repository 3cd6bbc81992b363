import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Problem} from '../../core/model/problem.ts';
import type {Evidence} from './evidence.ts';

/** The settings, corrected by the controllers' events: a taint-eviction controller that reports evictions is switched on. */
export function settingsAsSeen(settings: ControllerSettings, evidence: Evidence): ControllerSettings {
	return !settings.taintEviction && hasReportedEvictions(evidence)
		? {...settings, taintEviction: true}
		: settings;
}

/** Reports a taint-eviction controller that is at work though the settings say that it is switched off. */
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
