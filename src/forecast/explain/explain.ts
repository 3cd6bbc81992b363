import {podKey} from '../../core/model/pod.ts';
import {zoneLabel} from '../../core/model/zone.ts';
import type {PodForecast} from '../podForecast.ts';
import {explainNode} from './explainNode.ts';
import {explainPod} from './explainPod.ts';
import {explainZone} from './explainZone.ts';
import type {Explanation, Target} from './explanation.ts';
import type {Situation} from './situation.ts';

/** Explains the forecast of a target; undefined if there is none of its name. */
export function explain(
	target: Target,
	pods: readonly PodForecast[],
	situation: Situation,
): Explanation | undefined {
	const {evidence, zones} = situation;
	switch (target.kind) {
		case 'pod': {
			const key = podKey(target);
			const pod = evidence.pods.get(key);
			const forecast = pods.find((one) => podKey(one) === key);
			return pod && forecast && explainPod(pod, forecast, situation);
		}
		case 'node': {
			const one = evidence.nodes.get(target.name);
			return (
				one &&
				explainNode(
					one,
					pods.filter(({node}) => node === target.name),
					situation,
				)
			);
		}
		case 'zone': {
			const found = [...zones.zones].find(([zone]) => zoneLabel(zone) === target.name);
			return found && explainZone(found[0], found[1], situation);
		}
	}
}
