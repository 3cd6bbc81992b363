import {zoneKey} from '../../core/model/zone.ts';
import {repairsOf} from '../conclude/nodeRepair.ts';
import {judgeNode, stopOfNode} from '../conclude/nodeVerdict.ts';
import {judgeZone} from '../conclude/zoneVerdict.ts';
import {stopOf} from '../infer/evictionStop.ts';
import type {ZonePast} from '../infer/zonePast.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {once} from '../once.ts';
import type {ZoneForecast} from '../zoneForecast.ts';
import {type Draft, sentenceOf} from './explanation.ts';
import {stopReason} from './reasons/heldEvidence.ts';
import type {Situation} from './situation.ts';
import {nodeSteps} from './steps/nodeSteps.ts';

/** A node's forecast is needed for itself and for each of its pods: it is made once. */
const emptyForecasts = () => new Map<string, NodeForecast>();

/** Makes the forecast of a node, with its reasons. */
export function forecastNode(one: NodeEvidence, situation: Situation): NodeForecast {
	const known = once(emptyForecasts, situation);
	const forecast = known.get(one.node.name) ?? withReasons(one, situation);
	known.set(one.node.name, forecast);
	return forecast;
}

function withReasons(one: NodeEvidence, situation: Situation): NodeForecast {
	const repairs = repairsOf(one, situation);
	const forecast = {...judgeNode(one, situation), ...(repairs.length > 0 && {repairs})};
	const {verdict, taints} = forecast;
	if (verdict === 'Healthy' && taints.length === 0 && repairs.length === 0) return forecast;
	const zone = zoneKey(one.node);
	const stop = verdict === 'Held' ? stopOfNode(one, situation) : undefined;
	const steps: readonly Draft[] = [
		...nodeSteps(one, forecast, situation),
		...(stop ? [stopReason(stop, zone, situation)] : []),
	];
	return {...forecast, because: steps.map((step) => sentenceOf(step, situation.now))};
}

/** Makes the forecast of a zone, with the reason where its evictions are stopped. */
export function forecastZone(zone: string, past: ZonePast, situation: Situation): ZoneForecast {
	const forecast = judgeZone(zone, past, situation);
	const stop = stopOf(zone, situation);
	return stop
		? {...forecast, because: [sentenceOf(stopReason(stop, zone, situation), situation.now)]}
		: forecast;
}
