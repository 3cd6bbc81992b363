import {zoneLabel} from '../../core/model/zone.ts';
import {computeZoneState} from '../../core/nodelifecycle/zones/zoneState.ts';
import {type Stop, stopOf} from '../infer/evictionStop.ts';
import type {ZonePast} from '../infer/zonePast.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {StateStep, ZoneForecast, ZoneStop} from '../zoneForecast.ts';
import {nextTokenOf, queueOf} from './queue.ts';
import {zoneTaints} from './zoneTaints.ts';

/** What is known of a zone, and how far it is from another state; without the reasons. */
export function judgeZone(zone: string, past: ZonePast, situation: Simulated): ZoneForecast {
	const stop = stopOf(zone, situation);
	return {
		zone: zoneLabel(zone),
		state: past.state,
		size: past.count.size,
		notReady: past.count.notReady,
		rate: stop ? 0 : past.rate,
		nextToken: nextTokenOf(zone, situation),
		taints: zoneTaints(zone, situation),
		queue: queueOf(zone, situation),
		toNextState: stepsToOtherStates(past, situation.settings.unhealthyZoneThreshold),
		because: [],
		...(stop ? {stopped: shownStop(stop)} : {}),
	};
}

const shownStop = ({kind, by, since, releasedBy}: Stop): ZoneStop => ({kind, by, since, releasedBy});

/** The fewest nodes that must go down, and the fewest that must come back, until the zone's state is another. */
export function stepsToOtherStates(
	{state, count}: Pick<ZonePast, 'state' | 'count'>,
	threshold: number,
): readonly StateStep[] {
	const stateWith = (notReady: number) => computeZoneState({size: count.size, notReady}, threshold);
	const steps: StateStep[] = [];
	for (let down = count.notReady + 1; down <= count.size; down += 1) {
		if (stateWith(down) === state) continue;
		steps.push({state: stateWith(down), nodesDown: down - count.notReady});
		break;
	}
	for (let down = count.notReady - 1; down >= 0; down -= 1) {
		if (stateWith(down) === state) continue;
		steps.push({state: stateWith(down), nodesBack: count.notReady - down});
		break;
	}
	return steps;
}
