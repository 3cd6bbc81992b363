import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {podKey} from '../core/model/pod.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import type {Evidence} from './evidence.ts';
import {timerAtFirstLook} from './firstLook.ts';
import {longestPass} from './passPhase.ts';
import {tolerationOf} from './podTimers.ts';
import {witnessesAmong} from './witnesses.ts';

/** Judges the timers of the pods of tainted nodes by one look: of all, or of those with these keys. */
export function lookAtTimers(
	evidence: Evidence,
	settings: ControllerSettings,
	keys?: ReadonlySet<string>,
): void {
	const {nodeMonitorPeriod, comparisonOperators} = settings;
	const {controllersStarted, now} = evidence;
	const hadLongPass = longestPass(evidence.passSigns, settings) > nodeMonitorPeriod / 2;
	for (const {node} of evidence.nodes.values()) {
		const noExecute = noExecuteTaints(node);
		if (noExecute.length === 0) continue;
		const pods = evidence.pods.onNode(node.name);
		const look = {
			node,
			hadLongPass,
			witnesses: hadLongPass ? [] : witnessesAmong(pods, now),
			pods,
			noExecute,
			controllersStarted,
			nodeMonitorPeriod,
			comparisonOperators,
			now,
		};
		for (const pod of pods) {
			const toleration = tolerationOf(pod, noExecute, comparisonOperators);
			if (toleration.type !== 'limited' || (keys && !keys.has(podKey(pod)))) continue;
			const {started, fires, source} = timerAtFirstLook(pod, toleration, look);
			evidence.timers.look(pod, toleration, started, source, fires);
		}
	}
}
