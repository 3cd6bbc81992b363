import {readyCondition, readyStatus} from '../../../core/model/node.ts';
import {type Instant, second} from '../../../core/time/instant.ts';
import type {NodeForecast} from '../../nodeForecast.ts';
import {skewWords} from '../../observe/nodes/clockProblems.ts';
import {clockSkew} from '../../observe/nodes/kubeletClock.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isSilent} from '../../observe/nodes/nodeLiveness.ts';
import {goDuration, isoTime} from '../../words.ts';
import {type Draft, type Fact, fact, isoRange, whenOf} from '../explanation.ts';
import {periodFlag, type Situation, settingFlag} from '../situation.ts';
import {transitionFacts} from './eventFacts.ts';
import {passAfter, passStep, phaseFact} from './passSteps.ts';

/** The steps from a node's last sign of life to Ready Unknown. */
export function heartbeatSteps(
	one: NodeEvidence,
	judged: NodeForecast,
	situation: Situation,
): readonly Draft[] {
	const {verdict, unknown} = judged;
	const steps = [lastSign(one, situation), ...laterStatus(one)];
	const isFalling = verdict === 'Silent' || verdict === 'Late';
	if (isFalling) steps.push(probe(one, situation));
	if (isFalling && situation.passes.throttledPass) steps.push(passStep(situation));
	if (unknown) steps.push({...turnsUnknown(one, situation), at: unknown});
	const changed = transition(one, situation);
	return changed ? [...steps, changed] : steps;
}

function lastSign(one: NodeEvidence, {now}: Situation): Draft {
	const {node, renewTime, renewedAt, heartbeatAt, renewInterval} = one;
	const isOver = isSilent(one, now);
	const rule = `a kubelet renews its lease every ${goDuration(renewInterval)}; without a renewal for ${goDuration(2 * renewInterval)} its node counts as silent here`;
	if (renewTime !== undefined) {
		return {
			at: whenOf(renewedAt) ?? renewTime,
			what: `the kubelet of node ${node.name} renewed its lease${endOf(one, isOver, now)}`,
			rule,
			evidence: () => leaseFacts(one, renewTime),
		};
	}
	const ready = readyCondition(node);
	if (!ready) {
		return {
			at: node.createdAt,
			what: `node ${node.name} was created, and has posted no Ready condition since`,
			evidence: () => [fact(node, 'metadata.creationTimestamp', isoTime(node.createdAt))],
		};
	}
	return {
		at: whenOf(heartbeatAt),
		what: `the kubelet of node ${node.name} posted its status${isOver ? ' for the last time' : ''}; no lease of it can be seen`,
		rule: one.isLeaseHidden
			? 'leases cannot be seen here, but by the controller: while Ready is not Unknown, it has found no grace period over'
			: 'without a lease the status heartbeat counts, which comes every five minutes',
		evidence: () => [conditionFact(one, 'lastHeartbeatTime', ready.lastHeartbeatTime)],
	};
}

/** A status that came after the last renewal is a sign of life as well, unless the controllers wrote it. */
function laterStatus(one: NodeEvidence): readonly Draft[] {
	const {node, renewedAt, heartbeatAt} = one;
	const ready = readyCondition(node);
	if (!ready || !renewedAt || !heartbeatAt || heartbeatAt.lo <= renewedAt.hi) return [];
	return [
		{
			at: whenOf(heartbeatAt),
			what: `the kubelet of node ${node.name} posted its status`,
			rule: 'a new status is a sign of life like a renewal: the grace period begins anew with the pass that sees it',
			evidence: () => [conditionFact(one, 'lastHeartbeatTime', ready.lastHeartbeatTime)],
		},
	];
}

function endOf(one: NodeEvidence, isOver: boolean, now: Instant): string {
	if (one.hasWrongClock) return '; its clock is wrong, so nothing tells when';
	if (isOnlyLate(one, now)) return ', and the next renewal is overdue';
	return isOver ? ' for the last time' : ', and is alive';
}

function leaseFacts(one: NodeEvidence, renewTime: Instant): readonly Fact[] {
	const {node, renewedAt, hasWrongClock} = one;
	const object = `lease/kube-node-lease/${node.name}`;
	const renewed = fact(object, 'spec.renewTime', isoTime(renewTime), "the kubelet's own clock");
	if (!renewedAt) return [renewed];
	if (hasWrongClock) {
		return [{...renewed, note: "the kubelet's own clock, which is wrong: nothing tells when that was"}];
	}
	if (renewedAt.lo === renewTime) {
		return [{...renewed, note: `${renewed.note}; taken as it is, since nothing else dates the renewal`}];
	}
	const isWritten = renewedAt.lo % second === 0 && renewedAt.hi - renewedAt.lo === second;
	const skew = clockSkew(one);
	return [
		renewed,
		fact(
			object,
			isWritten ? 'metadata.managedFields[*].time' : 'arrival',
			isoRange(renewedAt),
			(isWritten ? "the API server's clock, truncated to seconds" : 'when it arrived here') +
				(skew === 0 ? '' : `; the kubelet's clock is ${skewWords(skew)}`),
		),
	];
}

/** When the grace period ends: the controller counts from the pass that noticed the last sign of life. */
function probe({node, renewedAt, heartbeatAt}: NodeEvidence, situation: Situation): Draft {
	const {passes, evidence} = situation;
	const signs = [renewedAt, heartbeatAt].flatMap((sign) => sign ?? []).toSorted((a, b) => b.lo - a.lo);
	const seen = signs[0] ?? {lo: node.createdAt, hi: node.createdAt + second};
	const pass = passAfter(seen, passes.phase);
	const start = evidence.controllersStarted;
	return {
		at: whenOf({lo: Math.max(pass.lo, start.lo), hi: Math.max(pass.hi, start.hi)}),
		what: 'a monitor pass saw that, and the grace period began',
		rule: () =>
			`${periodFlag(situation)}: the controller checks nodes this often, and counts from the pass that saw a sign of life, not from the sign`,
		evidence: () => [phaseFact(situation)],
	};
}

function turnsUnknown({node}: NodeEvidence, situation: Situation): Draft {
	const isYoung = readyCondition(node) === undefined;
	const grace = isYoung
		? settingFlag(
				'node-startup-grace-period',
				goDuration(situation.settings.nodeStartupGracePeriod),
				situation,
			)
		: graceFlag(situation);
	return {
		what: `a monitor pass finds the grace period over and sets Ready of node ${node.name} to Unknown (${grace})`,
		rule: `${grace}: the first pass that begins more than this time after ${isYoung ? 'the creation of the node' : 'the pass that saw the last sign of life'}; it also sets the node's pods to not ready, which removes their endpoints`,
	};
}

const graceFlag = (situation: Situation) =>
	settingFlag('node-monitor-grace-period', goDuration(situation.settings.nodeMonitorGracePeriod), situation);

/** The step for a Ready condition that is already not True. */
function transition(one: NodeEvidence, situation: Situation): Draft | undefined {
	const {node, readyChangedAt} = one;
	const ready = readyCondition(node);
	if (!ready || ready.status === 'True') return undefined;
	const isFalse = ready.status === 'False';
	const grace = graceFlag(situation);
	return {
		at: whenOf(readyChangedAt),
		what: isFalse
			? `the kubelet of node ${node.name} reported that it is not ready${ready.reason ? ` (${ready.reason})` : ''}`
			: `a monitor pass set Ready of node ${node.name} to Unknown (${grace})`,
		rule: isFalse
			? 'a kubelet that reports this gets no grace period: its node waits for the taint from the next pass on'
			: `${grace}: counted from the pass that saw the last renewal`,
		evidence: () => [
			conditionFact(one, 'lastTransitionTime', ready.lastTransitionTime),
			...(isFalse ? [] : transitionFacts(one, situation)),
		],
	};
}

const conditionFact = ({node}: NodeEvidence, field: string, time: Instant) =>
	fact(
		node,
		`status.conditions[Ready].${field}`,
		isoTime(time),
		`Ready is ${readyStatus(node) ?? 'absent'}; truncated to seconds`,
	);
