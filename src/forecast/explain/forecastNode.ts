import {zoneKey} from '../../core/model/zone.ts';
import {judgeNode} from '../conclude/nodeVerdict.ts';
import {stopOf} from '../infer/evictionStop.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {type Draft, sentenceOf} from './draft.ts';
import {stopReason} from './reasons/stopReason.ts';
import type {Situation} from './situation.ts';
import {nodeSteps} from './steps/nodeSteps.ts';

/** A node is asked for by itself and by its pods: it is judged once. */
const judged = new WeakMap<Situation, Map<string, NodeForecast>>();

/** What happens to one node, and why. */
export function forecastNode(one: NodeEvidence, situation: Situation): NodeForecast {
	const known = judged.get(situation) ?? new Map<string, NodeForecast>();
	judged.set(situation, known);
	const forecast = known.get(one.node.name) ?? withReasons(one, situation);
	known.set(one.node.name, forecast);
	return forecast;
}

function withReasons(one: NodeEvidence, situation: Situation): NodeForecast {
	const forecast = judgeNode(one, situation);
	const {verdict, taints} = forecast;
	if (verdict === 'Healthy' && taints.length === 0) return forecast;
	const zone = zoneKey(one.node);
	const stop = verdict === 'Held' ? stopOf(zone, situation) : undefined;
	const steps: readonly Draft[] = [
		...nodeSteps(one, forecast, situation),
		...(stop ? [stopReason(stop, zone, situation)] : []),
	];
	return {...forecast, because: steps.map((step) => sentenceOf(step, situation.now))};
}
