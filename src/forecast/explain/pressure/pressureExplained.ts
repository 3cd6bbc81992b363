import {podKey} from '../../../core/model/pod.ts';
import type {Instant} from '../../../core/time/instant.ts';
import type {PressureForecast} from '../../pressure/pressureForecast.ts';
import {nodeWords} from '../../pressure/pressureWords.ts';
import {whenWords} from '../../words.ts';
import type {Explanation, Reason, Step} from '../explanation.ts';
import {conditionSteps, newsSteps, releaseSteps, signalSteps} from './pressureNodeSteps.ts';
import {evictionStep, limitSteps, orderSteps} from './pressurePodSteps.ts';
import {oomReasons, pressureReasons} from './pressureReasons.ts';

/**
 * Adds the kubelet's side to an explanation: what the node is short of, the pod's place in the order of eviction, or what
 * keeps it from that. Unchanged where the node's kubelet was not asked.
 */
export function withPressureExplained(
	explanation: Explanation,
	pressure: readonly PressureForecast[],
	now: Instant,
): Explanation {
	const {target} = explanation;
	switch (target.kind) {
		case 'pod': {
			const key = podKey(target);
			const found = pressure.find((one) => isOn(one, key));
			return found ? podExplained(explanation, key, found, now) : explanation;
		}
		case 'node': {
			const found = pressure.find(({node}) => node === target.name);
			return found ? nodeExplained(explanation, found, now) : explanation;
		}
		case 'zone':
			return explanation;
	}
}

const isOn = ({pods}: PressureForecast, key: string): boolean => pods.some((pod) => podKey(pod) === key);

function podExplained(
	explanation: Explanation,
	key: string,
	pressure: PressureForecast,
	now: Instant,
): Explanation {
	const eviction = pressure.evictions.find(({pod}) => podKey(pod) === key);
	const steps: readonly Step[] = [
		...conditionSteps(pressure),
		...newsSteps(pressure),
		...signalSteps(pressure, now),
		...orderSteps(pressure, key),
		...limitSteps(pressure, key),
		...(eviction ? [evictionStep(eviction)] : []),
		...releaseSteps(pressure),
	];
	const reasons: readonly Reason[] = [
		...pressureReasons(pressure, key, eviction),
		...oomReasons(pressure, key),
	];
	const told = {
		...explanation,
		steps: [...explanation.steps, ...steps],
		whyNot: [...explanation.whyNot, ...reasons],
		assumptions: [...explanation.assumptions, ...assumptionsOf(pressure)],
	};
	const isFirst =
		eviction !== undefined &&
		(explanation.eviction === null || eviction.when.expected < explanation.eviction.expected) &&
		(eviction.isCertain || explanation.eviction === null) &&
		explanation.verdict !== 'Terminating' &&
		(eviction.isCertain || explanation.verdict !== 'Held');
	if (!isFirst) return {...told, summary: calmSummary(explanation, key, pressure)};
	const word = eviction.isCertain ? 'evicts' : 'may evict';
	return {
		...told,
		verdict: eviction.isCertain ? 'Expected' : 'Unsure',
		summary: `Its kubelet ${word} the pod ${whenWords(eviction.when, now)}: node ${pressure.node} runs short of ${eviction.signals.join(' or ')}.`,
		eviction: eviction.when,
		held: null,
		// That no taint evicts the pod does not matter any more.
		whyNot: told.whyNot.map((one) =>
			one.effect === 'Prevents' && explanation.verdict === 'Safe' ? {...one, effect: 'DoesNotPrevent'} : one,
		),
	};
}

/** No all-clear for a pod whose node runs short: its kubelet may find a threshold met again. */
function calmSummary({summary, verdict}: Explanation, key: string, pressure: PressureForecast): string {
	const {node, conditions, protectedPods} = pressure;
	const pressed = conditions.flatMap(({condition, isTrue}) => (isTrue ? [condition] : []));
	const isProtected = protectedPods.some(({pod}) => podKey(pod) === key);
	if (verdict !== 'Safe' || pressed.length === 0 || isProtected) return summary;
	return `No taint evicts the pod, but node ${node} has ${pressed.join(' and ')}: its kubelet may evict further pods.`;
}

function nodeExplained(explanation: Explanation, pressure: PressureForecast, now: Instant): Explanation {
	const rules = ': its kubelet evicts pods by its own rules';
	const isSaid = explanation.summary.includes(rules);
	const words = nodeWords(pressure, now).map((one) => (isSaid ? one.replace(rules, '') : one));
	return {
		...explanation,
		summary: [explanation.summary, ...words.map(sentence)].join(' '),
		steps: [
			...explanation.steps,
			...newsSteps(pressure),
			...signalSteps(pressure, now),
			...pressure.evictions.map((one) => evictionStep(one, true)),
			...releaseSteps(pressure),
		],
		assumptions: [...explanation.assumptions, ...assumptionsOf(pressure)],
	};
}

const assumptionsOf = ({gaps, assumptions}: PressureForecast): readonly string[] => [
	...gaps.map(({message}) => message),
	...assumptions,
];

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
