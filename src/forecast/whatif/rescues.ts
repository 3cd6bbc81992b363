import {mapBy} from '../../core/collections/mapBy.ts';
import {unique} from '../../core/collections/unique.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {nameOf} from '../../core/model/objectName.ts';
import {isPodTerminal, type Pod, podKey} from '../../core/model/pod.ts';
import {isOfManaged} from '../../core/model/problem.ts';
import {workloadKeyOf} from '../../core/model/workloads/workload.ts';
import {type Duration, type Instant, never} from '../../core/time/instant.ts';
import {type Ending, endingsOf} from '../conclude/endings.ts';
import type {Forecast} from '../forecast.ts';
import {isWellNode} from '../nodeForecast.ts';
import type {Pausable} from '../pausable.ts';
import {isOfLivingNode, type PodForecast} from '../podForecast.ts';
import type {PressureForecast} from '../pressure/pressureForecast.ts';
import {withPressure} from '../pressure/withPressure.ts';
import type {Change} from '../simulate/change.ts';
import {alikeOf, isOfLifecycle, knownReturns} from './knownReturns.ts';
import type {RecoveryProbe} from './recoveryProbe.ts';
import {type Ask, atOnce, latestReturn, otherRemedies, type Remedy, timeToAct, toleration} from './remedy.ts';
import type {WhatIf} from './whatIf.ts';

/** A pod that will be evicted, and the possible actions for it. */
export type PodRescue = Readonly<{
	forecast: PodForecast;
	pod: Pod | undefined;
	remedies: readonly Remedy[];
	/** Everything that may end it, the soonest first; none where no times are told. */
	endings: readonly Ending[];
	/** The pressure of its node, if its kubelet evicts it, or may. */
	pressure?: PressureForecast | undefined;
	/** Whether its node is Ready nevertheless, so that it cannot come back. */
	isNodeWell: boolean;
}>;

/** Simulates possible actions. */
export type Rescuer = Readonly<{
	settings: ControllerSettings;
	store: {readonly pods: {get(key: string): Pod | undefined}};
	whatIfInSteps: (changes: readonly Change[], now: Instant, only?: string) => Pausable<WhatIf>;
	recoveryProbeInSteps: (now: Instant) => Pausable<RecoveryProbe>;
}>;

/** What happens if nothing is done: by taints, and by the pressure of the queried kubelets. */
type RescueScene = {
	readonly forecast: Forecast;
	readonly pressure: readonly PressureForecast[];
};

/** Up to this many pods get all actions simulated; with more, only the return of their nodes. */
const mostInFull = 3;
/** In a big outage only the most urgent are simulated, as each takes a moment: first the first pods of each workload. */
const mostPlayed = 20;

/**
 * Until when pods that will be evicted can be saved, and by what, the most urgent first. Pods of one node that are evicted at
 * the same time share the answer.
 *
 * @param wanted UIDs of the wanted pods, which get all answers if they are few; undefined stands for all pods
 */
export function* rescuesInSteps(
	rescuer: Rescuer,
	scene: RescueScene,
	wanted?: ReadonlySet<string>,
): Pausable<readonly PodRescue[]> {
	const {nodes, problems, observedAt: now} = scene.forecast;
	const ask: Ask = (changes, only) => rescuer.whatIfInSteps(changes, now, only);
	const returns = yield* returnsInSteps(rescuer, scene, wanted);
	if (returns.length > mostInFull) return yield* withExample(returns, now, ask);
	const isManaged = problems.some(isOfManaged);
	const taintsOf = new Map(nodes.map(({name, taints}) => [name, taints]));
	const rescues: PodRescue[] = [];
	for (const one of returns) {
		const {forecast, pod, remedies} = one;
		const others =
			pod && canTolerate(forecast)
				? yield* otherRemedies(pod, forecast, taintsOf.get(forecast.node) ?? [], {now, isManaged, ask})
				: [];
		rescues.push({...one, remedies: [...remedies, ...others]});
	}
	return rescues;
}

/** How much is simulated of the returns of nodes; the other answers follow from these, and may be early. */
type Extent = {
	/** As many groups of pods. */
	readonly most?: number | undefined;
	/** Of each node, until an answer leaves this time. */
	readonly enough?: Duration;
};

/** The same by the return of their nodes alone. */
export function* returnsInSteps(
	rescuer: Rescuer,
	{forecast, pressure}: RescueScene,
	wanted?: ReadonlySet<string>,
	{most = mostPlayed, enough = never}: Extent = {},
): Pausable<readonly PodRescue[]> {
	const now = forecast.observedAt;
	const going = withPressure(forecast, pressure).pods.filter(
		(pod) => isGoing(pod) && (wanted?.has(pod.uid) ?? true),
	);
	const byTaints = mapBy(forecast.pods, (pod) => pod.uid);
	const nodes = mapBy(forecast.nodes, nameOf);
	const pressureOf = mapBy(pressure, (one) => one.node);
	const returns = yield* rescuer.recoveryProbeInSteps(now);
	const rescues: PodRescue[] = [];
	const groups = alikeOf(going, forecast);
	const played = mostUrgent(groups, most);
	const known = knownReturns(forecast.nodes);
	for (const alike of groups) {
		const [sample] = alike;
		const on = nodes.get(sample?.node ?? '');
		const isNodeWell = on !== undefined && isWellNode(on) && sample?.cause?.kind === 'NodeRepair';
		// A kubelet that is back needs no help to come back.
		const isKnown = alike.every((one) => known.isSavedAt(now + enough, one));
		const isPlayed = played.has(alike) && !isKnown && !isNodeWell && on?.verdict !== 'Recovering';
		const found =
			isPlayed && sample ? yield* returnFor(sample, rescuer, returns, known.guesses(sample), now) : undefined;
		for (const one of alike) {
			const pod = rescuer.store.pods.get(podKey(one));
			const node = nodes.get(one.node);
			const back = found
				? {...found, change: {...found.change, node: one.node}}
				: isPlayed || node?.verdict === 'Recovering'
					? undefined
					: known.of(one, node, now);
			if (found) known.add(one, found);
			const pressureThere = pressureOf.get(one.node);
			const endings =
				pod &&
				!one.isUntold &&
				endingsOf(byTaints.get(one.uid) ?? one, {
					pod,
					node: node?.node,
					isSilent: node?.verdict === 'Silent',
					unknown: node?.unknown ?? null,
					pressure: pressureThere,
					now,
					settings: rescuer.settings,
				});
			rescues.push({
				forecast: one,
				pod,
				remedies: back ? [back] : [],
				endings: endings || [],
				isNodeWell,
				pressure: one.cause?.kind === 'NodePressure' ? pressureThere : undefined,
			});
		}
	}
	return rescues;
}

/** Whether a toleration may save it. */
const canTolerate = ({cause, isUntold}: PodForecast) =>
	!isUntold && !isOfLivingNode(cause) && cause?.kind !== 'NodeRepair';

/** Of many pods, one gets a toleration simulated, as an example: the first that leaves a person the time to act, or else that can surely be saved; sure evictions first. */
function* withExample(rescues: readonly PodRescue[], now: Instant, ask: Ask): Pausable<readonly PodRescue[]> {
	const isUnsure = ({forecast}: PodRescue) => forecast.verdict === 'Unsure';
	const tolerant = rescues
		.filter(({pod, forecast}) => pod && canTolerate(forecast))
		.toSorted((a, b) => Number(isUnsure(a)) - Number(isUnsure(b)));
	const hasLeft =
		(time: Duration) =>
		({remedies: [first]}: PodRescue) =>
			(first?.until ?? now) - now >= time;
	const example = tolerant.find(hasLeft(timeToAct)) ?? tolerant.find(hasLeft(atOnce)) ?? tolerant[0];
	if (!example?.pod) return rescues;
	const remedies = [...example.remedies, yield* toleration(example.pod, example.forecast, now, ask)];
	return rescues.map((one) => (one === example ? {...one, remedies} : one));
}

/** Whether an eviction is coming that could still be prevented. */
export const isGoing = ({eviction, verdict, cause, phase}: PodForecast) =>
	eviction !== null && verdict !== 'Overdue' && cause?.kind !== 'NodeDeleted' && !isPodTerminal({phase});

/** The groups to simulate, of groups in order: the first of each workload, whose pods are shown together, then the others. */
function mostUrgent(
	groups: readonly (readonly PodForecast[])[],
	most: number,
): ReadonlySet<readonly PodForecast[]> {
	const seen = new Set<string>();
	const firsts = groups.filter((alike) => {
		const workloads = alike.map(workloadKeyOf);
		const isFirst = workloads.some((one) => !seen.has(one));
		for (const one of workloads) seen.add(one);
		return isFirst;
	});
	return new Set(unique([...firsts, ...groups]).slice(0, most));
}

/** No return helps if the kubelet is there and evicts the pod itself, or if a device or somebody else's taint does. */
function* returnFor(
	sample: PodForecast,
	rescuer: Rescuer,
	returns: RecoveryProbe,
	guesses: readonly Instant[],
	now: Instant,
): Pausable<Remedy | undefined> {
	const pod = rescuer.store.pods.get(podKey(sample));
	if (!pod || isOfLivingNode(sample.cause)) return undefined;
	if (sample.cause?.kind === 'Taint' && !isOfLifecycle(sample)) return undefined;
	const {node, eviction} = sample;
	if (sample.isUntold) {
		const change: Change = {type: 'nodeBack', node, at: now};
		return {kind: 'NodeBack', until: undefined, effect: 'Nothing', eviction, change};
	}
	const {nodeMonitorPeriod} = rescuer.settings;
	return yield* latestReturn(pod, sample, nodeMonitorPeriod, now, returns, guesses);
}
