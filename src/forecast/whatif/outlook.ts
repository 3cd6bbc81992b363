import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Pod} from '../../core/model/pod.ts';
import {formatTaint} from '../../core/model/taint.ts';
import {zoneKey, zoneLabel} from '../../core/model/zone.ts';
import {belongsToDaemonSet} from '../../core/nodelifecycle/deleteNodePods.ts';
import {second} from '../../core/time/instant.ts';
import type {PodOutcome} from '../conclude/podOutcomes.ts';
import {unseenWords} from '../conclude/unseenNodes.ts';
import {tolerationOf} from '../observe/countdowns/podTimers.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isOnlyLate} from '../observe/nodes/nodeLiveness.ts';
import type {PodVerdict} from '../podForecast.ts';
import {nodeOfChange} from '../simulate/change.ts';
import type {Run} from '../simulate/run.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {isSyntheticTaint} from '../simulate/trajectory.ts';
import type {NodeEnd} from './nodeEnd.ts';

/** The verdict of a pod after the changes. */
export function verdictThen(pod: Pod, outcome: PodOutcome, end: NodeEnd, situation: Simulated): PodVerdict {
	const {settings, evidence} = situation;
	if (outcome.eviction) return outcome.verdict;
	const isLost = end.isNotReady || end.isUnnoticed;
	// Without a controller manager, no countdown runs: a new one begins it again.
	const isWaiting = !end.isTainted || !end.isControlled;
	if (isLost && isWaiting && !staysAnyway(pod, end, settings)) return evidence.lacksNodes ? 'Unsure' : 'Held';
	return end.isTainted || isLost ? 'Stays' : 'Safe';
}

/** Whether a pod stays on a lost node in any case. */
const staysAnyway = (pod: Pod, {taint, isTainted}: NodeEnd, settings: ControllerSettings): boolean =>
	(!settings.nodeLifecycle && !isTainted) ||
	(settings.taintBasedEvictions
		? !settings.taintEviction || tolerationOf(pod, [taint], settings.comparisonOperators).type === 'forever'
		: belongsToDaemonSet(pod));

/** Why it is not sure that the pods of a node are deleted, in one sentence. */
export function doubtThen(one: NodeEvidence, {runs, changes, now, evidence}: Simulated): string {
	const {name} = one.node;
	const own = changes.filter((change) => nodeOfChange(change) === name);
	if (own.some(({type}) => type === 'nodeBack'))
		return `node ${name} is back, but a countdown may end before a pass of the controller sees that`;
	if (isOnlyLate(one, now) && own.length === 0)
		return `node ${name} is only late: it may be lost, or its next renewal may come`;
	if (evidence.lacksNodes) return unseenWords;
	const zone = zoneKey(one.node);
	const stops = ({trajectory}: Run) => trajectory.zones.get(zone)?.some(({rate}) => rate === 0) === true;
	if (runs.every(stops))
		return `zone ${zoneLabel(zone)} stops evicting, and node ${name} may get its taint before that`;
	if (runs.some(stops)) return `zone ${zoneLabel(zone)} may stop evicting before node ${name} gets its taint`;
	return 'it depends on the state of the controllers, which the API does not show';
}

/** The reason, in one sentence. */
export function reasonThen(pod: Pod, outcome: PodOutcome, end: NodeEnd, {settings}: Simulated): string {
	const {nodeName} = pod;
	if (!settings.taintEviction && settings.taintBasedEvictions)
		return 'the taint-eviction controller is switched off';
	const {deletion} = outcome;
	if (outcome.cause?.kind === 'NodeDeleted') {
		const rival = deletion ? `, unless its countdown for ${formatTaint(deletion.taint)} ends before` : '';
		return `node ${nodeName} is gone: the pod garbage collector deletes its pods by force${rival}`;
	}
	if (deletion) {
		const {taint, tolerated, isOld} = deletion;
		if (isSyntheticTaint(taint))
			return `its node's eviction timeout is over: the node lifecycle controller deletes its pods, except those of DaemonSets`;
		if (tolerated === 0) return `it does not tolerate ${formatTaint(taint)}`;
		return isOld
			? `its countdown for ${formatTaint(taint)} runs on`
			: `it tolerates ${formatTaint(taint)} for ${Math.round(tolerated / second)}s`;
	}
	if (!settings.nodeLifecycle && !end.isTainted && !end.isBack)
		return 'the node lifecycle controller is switched off';
	if (end.isBack) return `node ${nodeName} is ready again before the pod would be evicted`;
	if (!end.isControlled && (end.isNotReady || end.isUnnoticed || end.isTainted))
		return `no controller manager runs that would ${end.isTainted ? 'delete it' : 'taint its node'}`;
	if (end.isNotReady && !end.isTainted && !staysAnyway(pod, end, settings))
		return `node ${nodeName} is not ready, but gets no NoExecute taint: evictions are stopped`;
	if ((end.isTainted || end.isNotReady) && !settings.taintBasedEvictions)
		return 'pods of DaemonSets stay; only the others are deleted with their node';
	if (end.isTainted) return 'it tolerates the taint of its node forever';
	if (end.isNotReady) return `it tolerates ${formatTaint(end.taint)} forever`;
	return `node ${nodeName} has no taint that evicts it`;
}
