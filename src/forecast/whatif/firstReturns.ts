import {ascending} from '../../core/collections/ascending.ts';
import {compareValues} from '../../core/collections/compareValues.ts';
import {minOf} from '../../core/collections/extremes.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {type Duration, type Instant, minute, never} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import type {NodeForecast} from '../nodeForecast.ts';
import type {Pausable} from '../pausable.ts';
import type {PodForecast} from '../podForecast.ts';
import {bestReturns} from './bestReturns.ts';
import {isOfLifecycle} from './knownReturns.ts';
import {isSaved, releasedBy} from './podsInDanger.ts';
import {atOnce, returnBefore, timeToAct} from './remedy.ts';
import {isGoing, type PodRescue, type Rescuer, returnsInSteps} from './rescues.ts';

/** A node whose return saves pods, and what it does besides. */
export type FirstReturn = Readonly<{
	node: string;
	/** Its pods that will be evicted, those that must be saved first before the others. */
	rescues: readonly PodRescue[];
	/** How many held pods it saves. */
	held: number;
	/** The held pods that it lets be evicted. */
	price: ReturnType<typeof releasedBy>;
}>;

/** As many nodes are tried; of a cluster with more nodes than that one, as each simulation takes a good part of a second. */
const [mostTried, manyNodes] = [3, 500];

/** What is shown first leaves the time to act, until it is found anew. */
const enough: Duration = timeToAct + minute;

/**
 * The returns of nodes that a person should see to first: those with the soonest deadline that leaves the time to act, of these
 * the best. One that lets more held pods be evicted than it saves is left out.
 */
export function* firstReturnsInSteps(rescuer: Rescuer, forecast: Forecast): Pausable<readonly FirstReturn[]> {
	const {observedAt: now, pods} = forecast;
	const areHeld = pods.some(({verdict}) => verdict === 'Held');
	const going = Map.groupBy(
		pods.filter((pod) => isGoing(pod) && isOfLifecycle(pod)),
		({node}) => node,
	);
	const heldOn = new Set(pods.flatMap(({verdict, node}) => (verdict === 'Held' ? node : [])));
	const period = rescuer.settings.nodeMonitorPeriod;
	const isLarge = forecast.nodes.length > manyNodes;
	const urgency = ({name}: NodeForecast) => urgencyOf(going.get(name) ?? [], period, now);
	const tried = bestReturns(forecast)
		.filter(({name, verdict}) => (going.has(name) || heldOn.has(name)) && verdict !== 'Recovering')
		.toSorted((a, b) => compareValues(urgency(a), urgency(b)))
		.slice(0, isLarge ? 1 : mostTried)
		.map(nameOf);
	if (tried.length === 0) return [];
	const own = tried.flatMap((name) => going.get(name) ?? []);
	const timely = own.filter((pod) => urgencyOf([pod], period, now) !== never);
	const wanted = new Set((isLarge && timely.length > 0 ? timely : own).map(({uid}) => uid));
	const scene = {forecast, pressure: []};
	const rescues =
		wanted.size > 0
			? yield* returnsInSteps(rescuer, scene, wanted, {
					most: isLarge && timely.length > 0 ? 1 : undefined,
					enough,
				})
			: [];
	const found: FirstReturn[] = [];
	for (const node of tried) {
		const its = rescues.filter((one) => one.forecast.node === node && one.remedies.length > 0);
		const changed = areHeld
			? (yield* rescuer.whatIfInSteps([{type: 'nodeBack', node, at: now}], now)).pods
			: [];
		const [held, price] = [changed.filter(isSaved).length, releasedBy(changed)];
		if (its.length + held > price.sure.length + price.unsure.length)
			found.push({node, rescues: its.toSorted(ascending(untilOf)), held, price});
	}
	return found;
}

const untilOf = ({remedies}: PodRescue): Instant => remedies[0]?.until ?? 0;

/** About the soonest time at which a node must be back that may still leave a person the time to act; never if none does. */
const urgencyOf = (going: readonly PodForecast[], period: Duration, now: Instant): Instant =>
	minOf(
		going
			.flatMap(({eviction}) => (eviction ? returnBefore(eviction, period) : []))
			.filter((at) => at - now >= timeToAct)
			.map((at) => Math.floor(at / atOnce)),
	);
