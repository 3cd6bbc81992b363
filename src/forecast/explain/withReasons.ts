import {zoneKey} from '../../core/model/zone.ts';
import {onlyControllerHost} from '../conclude/controllersLost.ts';
import {judgeNode, stopOfNode} from '../conclude/nodeVerdict.ts';
import {judgeZone, stopOf} from '../conclude/zones/zoneVerdict.ts';
import type {ZonePast} from '../infer/zonePast.ts';
import {isWithoutTrouble, type NodeForecast} from '../nodeForecast.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {ZoneForecast, ZoneStory} from '../zoneForecast.ts';
import {type Draft, reasoningOf, sentenceOf} from './explanation.ts';
import {stopReason} from './reasons/heldEvidence.ts';
import type {Situation} from './situation.ts';
import {nodeSteps} from './steps/nodeSteps.ts';

/** The forecast of a node: its verdict, with the reasons. */
export function nodeWithReasons(one: NodeEvidence, situation: Situation): NodeForecast {
	const repairs = situation.repairs.of(one);
	const forecast = {...judgeNode(one, situation), ...(repairs.length > 0 && {repairs})};
	const {verdict} = forecast;
	if (isWithoutTrouble(forecast) && repairs.length === 0) return forecast;
	const zone = zoneKey(one.node);
	const stop = verdict === 'Held' ? stopOfNode(one, situation) : undefined;
	const steps: readonly Draft[] = [
		...nodeSteps(one, forecast, situation),
		...(stop ? [stopReason(stop, zone, situation)] : []),
	];
	return {...forecast, ...reasoningOf(steps, situation.now)};
}

/** The states to come, with the rate that is assumed now where the same flag sets theirs: each simulation supposes another. */
const asAssumed = ({coming, rate, state, isRateAssumed}: ZoneForecast): ZoneStory => ({
	...coming,
	steps: coming.steps.map((step) => {
		const isOfSameFlag = [state, step.state].every((one) => one !== 'PartialDisruption');
		return isRateAssumed && isOfSameFlag && step.rate > 0 ? {...step, rate} : step;
	}),
});

/** The forecast of a zone: its state to come, and the reason if its evictions are stopped. */
export function zoneWithReasons(zone: string, past: ZonePast, situation: Situation): ZoneForecast {
	const judged = judgeZone(zone, past, situation);
	const forecast = {...judged, coming: asAssumed(judged)};
	const host = onlyControllerHost(situation);
	const node = host === undefined ? undefined : situation.evidence.nodes.get(host)?.node;
	const stop = stopOf(zone, situation);
	const because = stop ? [sentenceOf(stopReason(stop, zone, situation), situation.now)] : [];
	if (!node || zoneKey(node) !== zone) return {...forecast, because};
	// All nodes of the zone are down then, and this one as well.
	const left = forecast.size - forecast.notReady - forecast.silent;
	const toNextState = forecast.toNextState.map((step) =>
		step.nodesDown === left ? {...step, rate: 0, isControllerLost: true as const} : step,
	);
	return {...forecast, because, toNextState, onlyController: node.name};
}
