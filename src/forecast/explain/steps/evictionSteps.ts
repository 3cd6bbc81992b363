import {readyStatus} from '../../../core/model/node.ts';
import {zoneKey} from '../../../core/model/zone.ts';
import type {NodeForecast} from '../../nodeForecast.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {flag, goDuration} from '../../words.ts';
import {type Draft, fact, type ReasonDraft, whenOf} from '../explanation.ts';
import type {Situation} from '../situation.ts';
import {eventFact} from './eventFacts.ts';
import {rateWords, zoneFact} from './zoneWords.ts';

/** The steps of an eviction without taints: the end of a node's timeout, and the deletion of its pods. */
export function evictionSteps(
	one: NodeEvidence,
	judged: NodeForecast,
	situation: Situation,
): readonly Draft[] {
	if (situation.settings.taintBasedEvictions) return [];
	const turn = situation.affected.evictionStarts.get(one.node.name);
	if (turn) return [{...wasEvicted(one, situation), at: whenOf(turn)}];
	if (!judged.eviction) return [];
	return [timesOut(one, situation), {...isEvicted(one, situation), at: judged.eviction}];
}

function timesOut({node}: NodeEvidence, {settings}: Situation): Draft {
	const timeout = flag('pod-eviction-timeout', goDuration(settings.podEvictionTimeout));
	const isFalse = readyStatus(node) === 'False';
	return {
		what: `nodes are not tainted here: node ${node.name} joins its zone's queue once its time is over (${timeout})`,
		rule: `${timeout}: counted from the pass that saw ${isFalse ? 'the node turn not ready' : 'the last sign of life, as the grace period is'}`,
	};
}

function isEvicted({node}: NodeEvidence, situation: Situation): Draft {
	const zone = zoneKey(node);
	return {
		what: `the turn of node ${node.name} comes: its pods are deleted, except those of DaemonSets`,
		rule: () =>
			`${rateWords(zone, situation)}; nodes are evicted in the order in which they were queued, and tolerations are ignored`,
		evidence: () => [zoneFact(zone, situation)],
	};
}

function wasEvicted({node}: NodeEvidence, {evidence}: Situation): Draft {
	const seen = evidence.events.last('DeletingAllPods', node.name);
	const lost = evidence.pods.onNode(node.name).filter(({isNodeLost}) => isNodeLost);
	return {
		what: `the pods of node ${node.name} were deleted, except those of DaemonSets`,
		rule: 'until the node is ready again, each pass also deletes the pods that are new on it',
		evidence: () => [
			...(seen ? [eventFact(seen.event)] : []),
			...lost
				.slice(0, 3)
				.map((pod) =>
					fact(pod, 'status.reason', 'NodeLost', 'written to every pod of a node whose pods are deleted'),
				),
		],
	};
}

/** The reason of a pod that an eviction without taints leaves alone. */
export const daemonSetStays = (node: string): ReasonDraft => ({
	reason: 'DaemonSetPod',
	effect: 'Prevents',
	what: `the pods of DaemonSets are left alone when node ${node} is evicted`,
	rule: 'where nodes are not tainted, the node lifecycle controller deletes all pods of a node but those that a DaemonSet selects',
});
