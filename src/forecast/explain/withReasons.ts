import {zoneKey} from '../../core/model/zone.ts';
import {judgeNode, stopOfNode} from '../conclude/nodeVerdict.ts';
import {judgeZone} from '../conclude/zones/zoneVerdict.ts';
import type {ZonePast} from '../infer/zonePast.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {ZoneForecast} from '../zoneForecast.ts';
import {type Draft, sentenceOf} from './explanation.ts';
import {stopReason} from './reasons/heldEvidence.ts';
import type {Situation} from './situation.ts';
import {nodeSteps} from './steps/nodeSteps.ts';

/** The forecast of a node: its verdict, with the reasons. */
export function nodeWithReasons(one: NodeEvidence, situation: Situation): NodeForecast {
	const repairs = situation.repairs.of(one);
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

/** The forecast of a zone: its state to come, and the reason if its evictions are stopped. */
export function zoneWithReasons(zone: string, past: ZonePast, situation: Situation): ZoneForecast {
	const forecast = judgeZone(zone, past, situation);
	const stop = situation.stops.shown(zone);
	return stop
		? {...forecast, because: [sentenceOf(stopReason(stop, zone, situation), situation.now)]}
		: forecast;
}
