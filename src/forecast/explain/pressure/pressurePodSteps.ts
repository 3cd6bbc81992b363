import {podKey} from '../../../core/model/pod.ts';
import {formatQuantity} from '../../../core/nodepressure/quantities/formatQuantity.ts';
import {resourceOf, type Signal} from '../../../core/nodepressure/thresholds/signal.ts';
import {formatAmount} from '../../pressure/amount.ts';
import type {PressureEviction, PressureForecast} from '../../pressure/pressureForecast.ts';
import {evictionWords, isPressing, placeWords} from '../../pressure/pressureWords.ts';
import type {Victim} from '../../pressure/victims.ts';
import {uncapitalized} from '../../words.ts';
import {type Draft, type Fact, fact} from '../explanation.ts';

/** A pod's place in the order of eviction, for each signal with a relevant threshold. */
export function orderSteps({signals}: PressureForecast, key: string): readonly Draft[] {
	return signals
		.filter(({thresholds}) => thresholds.some(isPressing))
		.flatMap(({signal, victims}) => {
			const victim = victims.find(({pod}) => podKey(pod) === key);
			if (!victim) return [];
			return {
				what: `for ${signal} it has ${placeWords(victim, victims.length)}: it ${victim.because}`,
				rule: orderRule(signal),
				evidence: () => factsOf(victim, signal),
			};
		});
}

const orderRule = (signal: Signal) =>
	resourceOf(signal) === 'pids'
		? 'pods of lower priority are evicted first, then those with more processes'
		: 'pods that use more than they request are evicted first, then those of lower priority, then those furthest above their request; the QoS class does not matter';

function factsOf({pod, usage, request, priority}: Victim, signal: Signal): readonly Fact[] {
	const resource = resourceOf(signal);
	const value = usage === null ? 'unknown' : formatAmount(usage, signal);
	return [
		fact(pod, `stats/summary usage of ${resource}`, value),
		...(request ? [fact(pod, `requests of ${resource}`, formatQuantity(request))] : []),
		fact(pod, 'spec.priority', String(priority)),
	];
}

/** The limits of local storage that a pod exceeds. */
export const limitSteps = ({overLimits}: PressureForecast, key: string): readonly Draft[] =>
	overLimits
		.filter(({pod}) => podKey(pod) === key)
		.flatMap(({exceeded, when}) =>
			exceeded.map(({message}) => ({
				at: when,
				what: uncapitalized(message.trim().replace(/\.$/, '')),
				rule: 'a pod over a limit of its own local storage is evicted by the next pass, however much its node has left',
			})),
		);

/** The last step: the kubelet kills the pod. @param isNamed whether to name the pod */
export const evictionStep = (eviction: PressureEviction, isNamed = false): Draft => ({
	at: eviction.when,
	what: `${isNamed ? `pod ${podKey(eviction.pod)}: ` : ''}${evictionWords(eviction)}`,
	rule: 'the pod ends as Failed with the reason Evicted; no budget is asked, and its object stays',
});
