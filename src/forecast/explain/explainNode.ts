import {ascending} from '../../core/collections/ascending.ts';
import {readyStatus} from '../../core/model/node.ts';
import {formatTaint} from '../../core/model/taint.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {isPressureCondition, pressureConditionsOf} from '../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../core/time/instant.ts';
import {stopOfNode} from '../conclude/nodeVerdict.ts';
import {isWithoutTrouble} from '../nodeForecast.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {PodForecast, PodVerdict} from '../podForecast.ts';
import {isoTime, startOf, whenWords} from '../words.ts';
import {assumptionsOf} from './assumptions.ts';
import {type Draft, type Explanation, fact, type ReasonDraft, reasonOf, stepOf} from './explanation.ts';
import {stopReason} from './reasons/heldEvidence.ts';
import {excluded} from './reasons/ownReasons.ts';
import {lifecycleMissing, nothingEvicts} from './reasons/verdictReasons.ts';
import type {Situation} from './situation.ts';
import {nodeSteps} from './steps/nodeSteps.ts';
import {othersSteps} from './steps/othersSteps.ts';
import {passStep} from './steps/passSteps.ts';
import {ruleWords} from './steps/taintSteps.ts';
import {nodeSummary, repairSummary} from './summary.ts';
import {nodeWithReasons} from './withReasons.ts';

/** The state of a node between its last heartbeat and its NoExecute taint, and what happens to its pods. */
export function explainNode(
	one: NodeEvidence,
	pods: readonly PodForecast[],
	situation: Situation,
): Explanation {
	const {node} = one;
	const forecast = nodeWithReasons(one, situation);
	const zone = zoneKey(node);
	const isWell = isWithoutTrouble(forecast);
	const isRepaired =
		forecast.repairs?.some(({at, endsPods, isSure}) => at !== null && endsPods && isSure) ?? false;
	const {verdict} = forecast;
	const stop = verdict === 'Held' || verdict === 'Silent' ? stopOfNode(one, situation) : undefined;
	const reasons: ReasonDraft[] = [
		...(stop ? [stopReason(stop, zone, situation)] : []),
		...(!isWell && situation.affected.overlooked.has(node.name) ? [lifecycleMissing] : []),
		...(isWell && !isRepaired ? [nothingEvicts(one, situation)] : []),
		...(isExcludedFromDisruptionChecks(node, situation.settings) ? [excluded(one)] : []),
	];
	const short = pressureConditionsOf(node);
	const well =
		short.length > 0
			? `node ${node.name} is ready, but ${short.join(' and ')} is True: its kubelet evicts pods by its own rules`
			: reasons[0]?.what;
	const steps = [
		...nodeSteps(one, forecast, situation),
		...(isWell || situation.passes.throttledPass ? [] : [passStep(situation)]),
		...othersSteps(one, 'Scheduled', situation),
		...conditionSteps(one),
		...noScheduleSteps(one, situation),
	];
	return {
		target: {kind: 'node', name: node.name},
		verdict: forecast.verdict,
		summary: [
			nodeSummary(forecast, isWell, isWell ? well : stop?.by, situation.now),
			repairSummary(forecast, isWell, situation.now),
			podsText(pods, situation.now),
		].join(''),
		eviction: forecast.noExecute,
		held: null,
		steps: steps.map(stepOf),
		whyNot: reasons.map(reasonOf),
		assumptions: assumptionsOf(situation),
	};
}

/** Conditions other than Ready that are True, such as MemoryPressure. */
function conditionSteps({node}: NodeEvidence): readonly Draft[] {
	return node.conditions
		.filter(({type, status}) => type !== 'Ready' && status === 'True')
		.map(
			({type, status, lastTransitionTime}): Draft => ({
				at: lastTransitionTime,
				what: `condition ${type} turned ${status}`,
				rule:
					isPressureCondition(type) || type === 'NetworkUnavailable'
						? 'it adds a NoSchedule taint; under pressure the kubelet evicts by its own rules'
						: 'by itself it evicts no pod; node repair may act on it',
				evidence: () => [
					fact(
						node,
						`status.conditions[${type}].lastTransitionTime`,
						isoTime(lastTransitionTime),
						`Ready is ${readyStatus(node) ?? 'absent'}`,
					),
				],
			}),
		);
}

function noScheduleSteps({node}: NodeEvidence, situation: Situation): readonly Draft[] {
	return node.taints.flatMap((taint, index): readonly Draft[] => {
		if (taint.effect === 'NoExecute') return [];
		const byRule = ruleWords(taint, node, situation);
		const what = `taint ${formatTaint(taint)} keeps new pods away, and evicts nobody`;
		return [
			{
				at: taint.timeAdded ?? null,
				what: byRule === undefined ? what : `${what}: it is set ${byRule}`,
				isAside: true,
				rule: 'only NoExecute evicts',
				evidence: () => [fact(node, `spec.taints[${index}]`, formatTaint(taint))],
			},
		];
	});
}

const order: readonly PodVerdict[] = [
	'Overdue',
	'Scheduled',
	'Expected',
	'Held',
	'Unsure',
	'Terminating',
	'Stays',
	'Safe',
];

/** ` Its pods: 1 Scheduled, 2 Terminating; the next is deleted at 14:05:00Z.`; empty if nothing happens to them. */
function podsText(pods: readonly PodForecast[], now: Instant): string {
	if (pods.every(({verdict}) => verdict === 'Safe')) return '';
	const byVerdict = Map.groupBy(pods, ({verdict}) => verdict);
	const counts = order.flatMap((verdict) => {
		const number = byVerdict.get(verdict)?.length ?? 0;
		return number > 0 ? [`${number} ${verdict}`] : [];
	});
	const [next] = pods
		.filter(({eviction}) => eviction !== null)
		.toSorted(ascending(({eviction}) => startOf(eviction)));
	const verb = next?.verdict === 'Unsure' ? 'may be' : 'is';
	const then = next ? `; the next ${verb} deleted ${whenWords(next.eviction, now)}` : '';
	return ` Its pods: ${counts.join(', ')}${then}.`;
}
