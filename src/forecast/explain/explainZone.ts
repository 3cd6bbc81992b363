import {nameOf} from '../../core/model/objectName.ts';
import {zoneKey, zoneLabel} from '../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {stopOf} from '../conclude/zones/zoneVerdict.ts';
import type {ZonePast} from '../infer/zonePast.ts';
import {isOnlyLate, isSilentAndReady} from '../observe/nodes/nodeLiveness.ts';
import {count, someOf, stateVerb, stepWords} from '../words.ts';
import {rateAhead, type StateStep, type ZoneForecast, type ZoneStep} from '../zoneForecast.ts';
import {assumptionsOf} from './assumptions.ts';
import {type Draft, type Explanation, type Fact, fact, reasonOf, stepOf} from './explanation.ts';
import {notReadyFact, stopReason} from './reasons/heldEvidence.ts';
import {periodFlag, type Situation, thresholdFlag} from './situation.ts';
import {passStep} from './steps/passSteps.ts';
import {taintSteps, tokenStep} from './steps/zoneTaintSteps.ts';
import {rateWords, zoneFact} from './steps/zoneWords.ts';
import {zoneSummary} from './summary.ts';
import {zoneWithReasons} from './withReasons.ts';

/** A zone's state and rate, its waiting nodes, and how far it is from another state. */
export function explainZone(zone: string, past: ZonePast, situation: Situation): Explanation {
	const forecast = zoneWithReasons(zone, past, situation);
	const stop = stopOf(zone, situation);
	const {evidence, now} = situation;
	const unheard = [...evidence.nodes.values()].flatMap((one) => {
		const counts = isSilentAndReady(one, now) || (!forecast.coming.isSure && isOnlyLate(one, now));
		return counts && zoneKey(one.node) === zone ? one.node.name : [];
	});
	const hindrance = stop ?? situation.stops.nowOrToCome(zone);
	const steps = [
		stateStep(zone, forecast, situation),
		rateStep(zone, situation),
		...forecast.coming.steps.map((step, index) =>
			comingStep(step, forecast.coming.steps[index - 1] ?? forecast, unheard),
		),
		...(stop && !stop.isInDoubt ? [] : [tokenStep(zone, forecast, situation)]),
		...taintSteps(forecast, situation),
		...forecast.toNextState.map((step) => nextStateStep(step, forecast, situation)),
		passStep(situation),
	];
	return {
		target: {kind: 'zone', name: zoneLabel(zone)},
		verdict: forecast.state,
		summary: zoneSummary(forecast),
		eviction: null,
		held: null,
		steps: steps.map(stepOf),
		whyNot: (hindrance ? [stopReason(hindrance, zone, situation)] : []).map(reasonOf),
		assumptions: assumptionsOf(situation),
	};
}

function stateStep(zone: string, forecast: ZoneForecast, situation: Situation): Draft {
	const {state, size, notReady} = forecast;
	return {
		what: `zone ${forecast.zone} ${stateVerb(forecast)} ${state}: ${stateWords(size, notReady, situation.settings.unhealthyZoneThreshold)}`,
		rule: `${thresholdFlag(situation)}: FullDisruption without any ready node; PartialDisruption from more than two nodes not ready and at least that share of all, as float32 numbers; a node without a Ready condition is not ready`,
		evidence: () => [
			zoneFact(zone, situation),
			...notReadyFact(zone, situation),
			...excludedFact(zone, situation),
		],
	};
}

/** The arithmetic of a zone's state, as the controller does it. */
function stateWords(size: number, notReady: number, threshold: number): string {
	const own = `${notReady} of ${count(size, 'node')} ${notReady === 1 ? 'is' : 'are'} not ready`;
	if (notReady === 0 || notReady === size) return own;
	if (notReady <= 2) return `${own}, not more than two`;
	const share = Math.fround(notReady / size);
	const compared = share >= Math.fround(threshold) ? 'more than two, and at least' : 'less than';
	return `${own}: ${compared} ${threshold} of all`;
}

function excludedFact(zone: string, {evidence, settings}: Situation): readonly Fact[] {
	const names = [...evidence.nodes.values()]
		.map(({node}) => node)
		.filter((node) => zoneKey(node) === zone && isExcludedFromDisruptionChecks(node, settings))
		.map(nameOf);
	if (names.length === 0) return [];
	return [
		fact(
			`zone/${zoneLabel(zone)}`,
			'not counted',
			names.slice(0, 8).join(', '),
			`${count(names.length, 'node')} with the label node.kubernetes.io/exclude-disruption${settings.legacyNodeRoleBehavior ? ', or the name of a control plane node' : ''}; their pods go like all others`,
		),
	];
}

const rateStep = (zone: string, situation: Situation): Draft => ({
	what: rateWords(zone, situation),
	isAside: true,
	rule: 'the rate changes with the state only: a zone that grows or shrinks within one state keeps its rate',
});

/** The zone's state once its silent nodes are Unknown. @param unheard their names, and of late ones if they have to be */
const comingStep = (step: ZoneStep, before: {readonly rate: number}, unheard: readonly string[]): Draft => ({
	at: step.at,
	what: `as ${someOf(unheard)} ${unheard.length === 1 ? 'turns' : 'turn'} Unknown: ${stepWords(before.rate, step)}`,
});

function nextStateStep(step: StateStep, zone: ZoneForecast, situation: Situation): Draft {
	const {nodesDown, nodesBack} = step;
	const way =
		nodesDown === undefined
			? `${nodesBack ?? 0} of its nodes ${nodesBack === 1 ? 'recovers' : 'recover'}`
			: `${nodesDown} more of its nodes ${nodesDown === 1 ? 'fails' : 'fail'}`;
	return {
		what: `if ${way}: ${stepWords(rateAhead(zone), step)}`,
		rule: `${zone.notReady} of ${zone.size} are not ready${zone.silent > 0 ? `, ${zone.silent} more silent` : ''}${zone.late > 0 ? `, ${zone.late} more late` : ''}; ${thresholdFlag(situation)}, judged once a pass (${periodFlag(situation)})`,
	};
}
