import type {NodeForecast} from '../../nodeForecast.ts';
import type {Registration} from '../../observe/eventEvidence.ts';
import type {Leader} from '../../observe/leader.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isoTime, startOf} from '../../words.ts';
import {type Draft, type Fact, fact} from '../explanation.ts';
import type {Situation} from '../situation.ts';
import {eventFact} from './eventFacts.ts';
import {evictionSteps} from './evictionSteps.ts';
import {heartbeatSteps} from './heartbeatSteps.ts';
import {taintSteps} from './taintSteps.ts';

/** The steps from a node's last sign of life to its NoExecute taint, past and future. */
export function nodeSteps(one: NodeEvidence, judged: NodeForecast, situation: Situation): readonly Draft[] {
	const steps = [
		...heartbeatSteps(one, judged, situation),
		...taintSteps(one, judged, situation),
		...evictionSteps(one, judged, situation),
	];
	const restart = controllerStart(one, situation);
	if (!restart) return steps;
	const later = steps.findIndex(({at}) => startOf(at) >= restart.at);
	return steps.toSpliced(later < 0 ? steps.length : later, 0, restart);
}

/** The step for a start of the controllers since the node's last sign of life: new controllers know no earlier counts. */
export function controllerStart(
	{renewedAt, heartbeatAt, readyChangedAt}: NodeEvidence,
	{leader, evidence}: Situation,
): (Draft & {readonly at: number}) | undefined {
	const {firstPass} = evidence.controllers;
	const acquired = leader.type === 'running' ? leader.since : undefined;
	const since = acquired ?? firstPass?.first.at.hi;
	const before = renewedAt ?? heartbeatAt ?? readyChangedAt;
	if (since === undefined || !before || since <= before.lo) return undefined;
	return {
		at: since,
		what: 'a controller manager took over: every grace period and every countdown began again',
		rule: 'controllers that start remember nothing: they remove the NoExecute taints and add them again at the rate of each zone',
		evidence: () => [...leaseFact(leader), ...(firstPass ? [firstPassFact(firstPass)] : [])],
	};
}

function leaseFact(leader: Leader): readonly Fact[] {
	if (leader.type !== 'running' || leader.since === undefined) return [];
	return [
		fact(
			'lease/kube-system/kube-controller-manager',
			'spec.acquireTime',
			isoTime(leader.since),
			leader.holder === '' ? '' : `held by ${leader.holder}`,
		),
	];
}

function firstPassFact({first, nodes}: Registration): Fact {
	const fact = eventFact(first.event);
	return {
		...fact,
		note: `${fact.note}; the first of ${nodes.size} in one pass: to new controllers every node is new`,
	};
}
