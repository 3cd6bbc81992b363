import {isReadyNode, type Node, readyStatus} from '../../../core/model/node.ts';
import {
	formatTaint,
	isNodeLifecycleTaint,
	type Taint,
	taintNotReady,
	taintOutOfService,
	taintUnreachable,
} from '../../../core/model/taint.ts';
import {zoneKey} from '../../../core/model/zone.ts';
import {lackedBy, readinessRuleOf} from '../../../core/noderepair/readinessRule.ts';
import {mergeCleared} from '../../conclude/nodeTaint.ts';
import {nextTaintOf} from '../../conclude/zones/zoneVerdict.ts';
import type {NodeForecast} from '../../nodeForecast.ts';
import {lifecycleTaint} from '../../observe/nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import type {Range} from '../../range.ts';
import {count, isoTime} from '../../words.ts';
import {type Draft, fact, whenOf} from '../explanation.ts';
import {periodFlag, type Situation} from '../situation.ts';
import {pastRateWords, rateWords, zoneFact} from './zoneWords.ts';

/** The steps for a node's NoExecute taints: the present ones, the wait for the next one, and the removal of one. */
export function taintSteps(one: NodeEvidence, judged: NodeForecast, situation: Situation): readonly Draft[] {
	const {taints} = one.node;
	const present = taints.flatMap((taint, index) =>
		taint.effect === 'NoExecute' ? [presentTaint(taint, index, one, situation)] : [],
	);
	const isOverlooked = situation.affected.overlooked.has(one.node.name);
	if (judged.verdict === 'Recovering' && lifecycleTaint(one.node))
		return isOverlooked ? present : [...present, takenOff(one, situation)];
	const taint = judged.noExecute;
	if (taint === null) return present;
	// A controller that does not act on it queues it nowhere.
	const isQueued = judged.verdict === 'Queued' && !isOverlooked;
	const waiting = isQueued ? [waits(one, situation)] : [];
	return [...present, ...waiting, getsTaint(one, taint, situation)];
}

function presentTaint(taint: Taint, index: number, one: NodeEvidence, situation: Situation): Draft {
	const {node, taintedAt} = one;
	const name = formatTaint(taint);
	const isOfLifecycle = isNodeLifecycleTaint(taint);
	return {
		at: (isOfLifecycle ? whenOf(taintedAt) : null) ?? taint.timeAdded ?? null,
		code: 'NodeTainted',
		params: {node: node.name, taint: name},
		what: `node ${node.name} got the taint ${name}${isOfLifecycle ? '' : `, ${ruleWords(taint, node, situation) ?? 'but not from the node lifecycle controller'}`}`,
		rule: isOfLifecycle
			? () => pastRateWords(zoneKey(node), situation)
			: taint.key === taintOutOfService
				? 'out-of-service is set by hand: pods that do not tolerate it are deleted at once, and removed by force while the node is not ready'
				: 'any NoExecute taint evicts, whoever set it; one that a user sets carries no timeAdded, and managedFields tell only when its manager last wrote',
		evidence: () => [taintFact(one, taint, index), ...writeFacts(one)],
	};
}

/** Which rule of the node readiness controller gives a node a taint; undefined if there is none. */
export function ruleWords(taint: Taint, node: Node, {evidence}: Situation): string | undefined {
	const rule = readinessRuleOf(taint, node, evidence.repair.values());
	if (!rule) return undefined;
	const lacked = lackedBy(rule, node);
	return `by NodeReadinessRule ${rule.name}${lacked.length > 0 ? `, as it lacks ${lacked.join(', ')}` : ''}`;
}

const taintFact = ({node}: NodeEvidence, taint: Taint, index: number) =>
	fact(
		node,
		`spec.taints[${index}]`,
		formatTaint(taint),
		taint.timeAdded === undefined
			? 'no timeAdded'
			: `timeAdded ${isoTime(taint.timeAdded)}, truncated to seconds`,
	);

const writeFacts = ({node}: NodeEvidence) =>
	(node.taintWrites ?? []).map(({manager, operation, time}) =>
		fact(
			node,
			'metadata.managedFields[*]',
			manager,
			`wrote the node last at ${isoTime(time)} (${operation}): the taints are not newer`,
		),
	);

function waits({node}: NodeEvidence, situation: Situation): Draft {
	const zone = zoneKey(node);
	const waiting = situation.queues.lengthOf(zone);
	const chance =
		waiting > 1
			? `with ${count(waiting - 1, 'other node')}, in random order (1 in ${waiting})`
			: 'alone, so it is next';
	return {
		at: nextTaintOf(zone, situation),
		what: `its zone may taint one more node; node ${node.name} waits for that ${chance}`,
		rule: () =>
			`${rateWords(zone, situation)}; each monitor pass puts the waiting nodes back in random order`,
		evidence: () => [zoneFact(zone, situation)],
	};
}

function getsTaint({node}: NodeEvidence, at: Range, situation: Situation): Draft {
	const {settings} = situation;
	const zone = zoneKey(node);
	const key = readyStatus(node) === 'False' ? taintNotReady : taintUnreachable;
	const queued = settings.queuesInPassOfTransition
		? 'it is queued in the pass that sets Ready to Unknown'
		: 'it is queued one pass after Ready turned Unknown (before v1.34)';
	return {
		at,
		what: `node ${node.name} ${at.latest === null ? 'may get' : 'gets'} the taint ${key}:NoExecute`,
		rule: () => `${queued}; ${rateWords(zone, situation)}`,
		evidence: () => [zoneFact(zone, situation)],
	};
}

function takenOff(one: NodeEvidence, situation: Situation): Draft {
	const {runs, passes, evidence} = situation;
	return {
		at: mergeCleared(runs, passes.phaseSpacing, one, evidence.controllersStarted).range,
		what: `a monitor pass removes the taint of node ${one.node.name}, ${isReadyNode(one.node) ? 'which' : 'once it'} is ready again, and cancels its pods' countdowns`,
		rule: () =>
			`${periodFlag(situation)}: the next pass does it; a countdown that ends before it is not saved`,
	};
}
