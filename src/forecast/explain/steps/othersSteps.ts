import {formatTaint, taintOutOfService} from '../../../core/model/taint.ts';
import {gcCheckPeriod, isOutOfService} from '../../../core/podgc/garbage.ts';
import {formatDuration} from '../../../dates/duration.ts';
import {isShuttingDown} from '../../conclude/nodeShutdown.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import type {PodVerdict} from '../../podForecast.ts';
import {shutdownWords} from '../../shutdownRange.ts';
import type {Draft} from '../explanation.ts';
import type {Situation} from '../situation.ts';

/** What may end a node's pods besides the taint-eviction controller, one sentence each. */
export function othersSteps(one: NodeEvidence, verdict: PodVerdict, situation: Situation): readonly Draft[] {
	return [
		...outOfServiceSteps(one, verdict, situation).map((what) => ({what})),
		...(isShuttingDown(one, situation.now) ? [{what: shutdownWords(one.node.name)}] : []),
		...situation.repairs.of(one).map(({at, why}): Draft => ({at: at ?? situation.now, what: why})),
	];
}

/** The out-of-service taint: pods that otherwise only their kubelet could end are deleted by force. */
function outOfServiceSteps(
	{node}: NodeEvidence,
	verdict: PodVerdict,
	{leader}: Situation,
): readonly string[] {
	const taint = node.taints.find(({key}) => key === taintOutOfService);
	if (!taint || !isOutOfService(node) || verdict === 'Stays' || verdict === 'Safe') return [];
	const why = `node ${node.name} is not ready and carries ${formatTaint(taint)}`;
	const isAbsent = leader.type === 'absent';
	const when = isAbsent ? 'once a controller manager runs' : `within ${formatDuration(gcCheckPeriod)}`;
	// Its verdict tells the rest.
	if (verdict === 'Terminating')
		return isAbsent ? [`no controller manager runs: this waits for one (${why})`] : [];
	return [`once it is Terminating, the pod garbage collector deletes it by force ${when}: ${why}`];
}
