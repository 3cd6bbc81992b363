import {podKey} from '../../../core/model/pod.ts';
import type {Instant} from '../../../core/time/instant.ts';
import {evictionOf, type PressureForecast, type PressureHappening} from '../../pressure/pressureForecast.ts';
import {evictedWhen, mayEvictWords, nodeWords, pressedOf, rankWords} from '../../pressure/pressureWords.ts';
import {withKubelet} from '../../pressure/withPressure.ts';
import type {Judgement} from '../../verdict.ts';
import {sentence, uncapitalized, whenWords} from '../../words.ts';
import {type Explanation, reasonOf, type Step, stepOf, type WhyNot} from '../explanation.ts';
import {conditionSteps, newsSteps, releaseSteps, signalSteps} from './pressureNodeSteps.ts';
import {evictionStep, limitSteps, orderSteps} from './pressurePodSteps.ts';
import {oomReasons, pressureReasons} from './pressureReasons.ts';

/**
 * Adds the kubelet's side to an explanation: what the node is short of, and the pod's place in the order of eviction, or what
 * protects it. Unchanged if the node's kubelet was not queried.
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
			const found = pressure.find(({pods}) => pods.some((pod) => podKey(pod) === key));
			if (found) return podExplained(explanation, key, found, now);
			const ended = pressure
				.flatMap(({happenings}) => happenings)
				.find(({pod, reason}) => pod === key && reason === 'Evicted');
			return ended ? endedExplained(explanation, ended, now) : explanation;
		}
		case 'node': {
			const found = pressure.find(({node}) => node === target.name);
			return found ? nodeExplained(explanation, found, now) : explanation;
		}
		case 'zone':
			return explanation;
	}
}

/** Why its kubelet evicted a pod that has ended, or an earlier pod of its name. */
function endedExplained(
	explanation: Explanation,
	{at, message}: PressureHappening,
	now: Instant,
): Explanation {
	const when = at === null ? '' : ` ${whenWords(at, now)}`;
	const why = uncapitalized(message.trim());
	const details = `${when}${why === '' ? '.' : `: ${why}`}`;
	// A StatefulSet creates another pod of the same name.
	if (!explanation.whyNot.some(({reason}) => reason === 'FinishedPod'))
		return {
			...explanation,
			summary: `${explanation.summary} An earlier pod of this name was evicted by its kubelet${details}`,
		};
	const steps = [stepOf({at, what: `its kubelet evicted it${why === '' ? '' : `: ${why}`}`})];
	return {...explanation, summary: `${explanation.summary} Evicted${details}`, steps};
}

function podExplained(
	explanation: Explanation,
	key: string,
	pressure: PressureForecast,
	now: Instant,
): Explanation {
	const eviction = evictionOf(pressure, key);
	const drafts = [
		...conditionSteps(pressure),
		...newsSteps(pressure),
		...signalSteps(pressure, now),
		...orderSteps(pressure, key),
		...limitSteps(pressure, key),
		...(eviction ? [evictionStep(eviction)] : []),
	];
	const steps = [...drafts.map(stepOf), ...releaseSteps(pressure, now).map(stepOf).map(asAside)];
	const reasons = [...pressureReasons(pressure, key, eviction), ...oomReasons(pressure, key)];
	// What explains a pod has a pod's verdict, and no cause.
	const plain = {...explanation, cause: null} as Judgement;
	const joined = eviction ? withKubelet(plain, eviction) : plain;
	const extended = {
		...explanation,
		eviction: joined.eviction,
		steps: [...explanation.steps, ...steps],
		whyNot: [...explanation.whyNot, ...reasons.map(reasonOf)],
		assumptions: [...explanation.assumptions, ...assumptionsOf(pressure)],
	};
	const isFirst = eviction !== undefined && joined.cause !== null;
	const pressedBy = pressedOf(pressure);
	const mayFollow = explanation.verdict === 'Safe' ? mayEvictWords(key, pressure) : '';
	if (!isFirst && mayFollow === '') return extended;
	// It no longer matters that no taint evicts the pod.
	const whyNot = extended.whyNot.map((one) =>
		one.effect === 'Prevents' && explanation.verdict === 'Safe' ? notPreventing(one) : one,
	);
	// It is obvious that its kubelet is alive.
	const byKubelet = {...extended, steps: [...explanation.steps.map(asAside), ...steps], whyNot};
	if (!isFirst) return {...byKubelet, pressedBy, summary: `No taint evicts the pod, but ${mayFollow}.`};
	const word = eviction.isCertain ? 'evicts' : 'may evict';
	return {
		...byKubelet,
		verdict: joined.verdict,
		summary: `Its kubelet ${word} the pod ${evictedWhen(eviction, pressure, now)}. ${rankWords(eviction, pressure)}.`,
		held: joined.held,
	};
}

/** A step that only a full answer shows. */
const asAside = (step: Step): Step => ({...step, isAside: true});

const notPreventing = (one: WhyNot): WhyNot => ({...one, effect: 'DoesNotPrevent'});

function nodeExplained(explanation: Explanation, pressure: PressureForecast, now: Instant): Explanation {
	const rules = ': its kubelet evicts pods by its own rules';
	const isSaid = explanation.summary.includes(rules);
	const words = nodeWords(pressure, now).map((one) => (isSaid ? one.replace(rules, '') : one));
	const pressedBy = pressedOf(pressure);
	const isShort = pressedBy.length > 0 || pressure.evictions.length > 0;
	const steps = [
		...newsSteps(pressure),
		...signalSteps(pressure, now),
		...pressure.evictions.map((one) => evictionStep(one, true)),
		...releaseSteps(pressure, now),
	];
	return {
		...explanation,
		...(pressedBy.length > 0 && {pressedBy}),
		// That no taint evicts the pods does not prevent evictions by the kubelet.
		whyNot: explanation.whyNot.map((one) =>
			isShort && one.reason === 'OnlyNoSchedule' ? notPreventing(one) : one,
		),
		summary: [explanation.summary, ...words.map(sentence)].join(' '),
		steps: [...explanation.steps, ...steps.map(stepOf)],
		assumptions: [...explanation.assumptions, ...assumptionsOf(pressure)],
	};
}

const assumptionsOf = ({problems, assumptions}: PressureForecast) => [
	...problems.map(({message}) => message),
	...assumptions,
];
