import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isPodTerminal, type Pod, podKey} from '../../core/model/pod.ts';
import {workloadKeyOf} from '../../core/model/workloads/workload.ts';
import type {Instant} from '../../core/time/instant.ts';
import {type Ending, endingsOf} from '../conclude/endings.ts';
import type {Forecast} from '../forecast.ts';
import {isWellNode, type NodeForecast} from '../nodeForecast.ts';
import type {Pausable} from '../pausable.ts';
import {isOfLivingNode, type PodForecast} from '../podForecast.ts';
import type {PressureForecast} from '../pressure/pressureForecast.ts';
import {type Relief, reliefOf} from '../pressure/relief.ts';
import {withPressure} from '../pressure/withPressure.ts';
import type {Change} from '../simulate/change.ts';
import type {RecoveryProbe} from './recoveryProbe.ts';
import {latestReturn, otherRemedies, type Remedy} from './remedy.ts';
import type {WhatIf} from './whatIf.ts';

/** A pod that is to go, and what could be done for it. */
export type PodRescue = {
	readonly forecast: PodForecast;
	readonly pod: Pod | undefined;
	readonly remedies: readonly Remedy[];
	/** All that may end it, the first at the top. */
	readonly endings: readonly Ending[];
	/** The pressure of its node, where its kubelet evicts it. */
	readonly pressure?: PressureForecast | undefined;
	/** Whose end keeps its kubelet from that, where few are asked for. */
	readonly relief?: Relief | undefined;
	/** Whether its node is Ready all the same, so that it cannot come back. */
	readonly isNodeWell: boolean;
};

/** Who plays what could be done. */
type Rescuer = {
	readonly settings: ControllerSettings;
	readonly store: {readonly pods: {get(key: string): Pod | undefined}};
	readonly whatIfInSteps: (changes: readonly Change[], now: Instant) => Pausable<WhatIf>;
	readonly recoveryProbeInSteps: (now: Instant) => Pausable<RecoveryProbe>;
};

/** What happens if nothing is done: by taints, and what kubelets that were asked run short of. */
type RescueScene = {
	readonly forecast: Forecast;
	readonly pressure: readonly PressureForecast[];
};

/** Each answer is played; of more pods than this, only until when their nodes must be back is. */
const mostInFull = 3;
/** In a big outage only what is most urgent is played: each answer takes a moment. The first pods of each workload are. */
const mostPlayed = 20;

/**
 * Until when pods that are to go can be saved, and by what, the most urgent first. Pods of one node that go at the same
 * time are saved by the same.
 *
 * @param wanted uids of the pods that are asked for, of which all is told where they are few; undefined stands for all
 */
export function* rescuesInSteps(
	rescuer: Rescuer,
	{forecast, pressure}: RescueScene,
	wanted?: ReadonlySet<string>,
): Pausable<readonly PodRescue[]> {
	const now = forecast.observedAt;
	const going = withPressure(forecast, pressure).pods.filter(
		(pod) => isGoing(pod) && (wanted?.has(pod.uid) ?? true),
	);
	const byTaints = new Map(forecast.pods.map((pod) => [pod.uid, pod]));
	const nodes = new Map(forecast.nodes.map((node) => [node.name, node]));
	const pressureOf = new Map(pressure.map((one) => [one.node, one]));
	const isInFull = wanted !== undefined && going.length <= mostInFull;
	const returns = yield* rescuer.recoveryProbeInSteps(now);
	const rescues: PodRescue[] = [];
	const groups = alikeOf(going);
	const played = mostUrgent(groups);
	const untils = new Map<string, Instant>();
	for (const alike of groups) {
		const on = nodes.get(alike[0]?.node ?? '');
		const isNodeWell = on !== undefined && isWellNode(on) && alike[0]?.cause?.kind === 'NodeRepair';
		const isPlayed = played.has(alike) && !isNodeWell;
		const back = isPlayed ? yield* returnFor(alike[0], rescuer, returns, {now, untils}) : undefined;
		for (const one of alike) {
			const pod = rescuer.store.pods.get(podKey(one));
			const node = nodes.get(one.node);
			const others =
				isInFull && pod && !isOfLivingNode(one.cause) && one.cause?.kind !== 'NodeRepair'
					? yield* otherRemedies(pod, one, node?.taints ?? [], now, (changes) =>
							rescuer.whatIfInSteps(changes, now),
						)
					: [];
			const scene = {...sceneOn(node), pressure: pressureOf.get(one.node), now, settings: rescuer.settings};
			const endings = pod ? endingsOf(byTaints.get(one.uid) ?? one, {...scene, pod}) : [];
			const pressed = one.cause?.kind === 'NodePressure' ? pressureOf.get(one.node) : undefined;
			const remedies = [...(back ? [back] : []), ...others];
			const relief = pressed && going.length <= mostInFull ? reliefFor(one, pressed, forecast) : undefined;
			rescues.push({forecast: one, pod, remedies, endings, isNodeWell, pressure: pressed, relief});
		}
	}
	return rescues;
}

/** Whose end keeps a kubelet from evicting a pod: of those that are known here, bare pods are not started again. */
export function reliefFor(
	pod: Pick<PodForecast, 'namespace' | 'name'>,
	pressure: PressureForecast,
	{pods, observedAt}: Pick<Forecast, 'pods' | 'observedAt'>,
): Relief | undefined {
	const bare = new Set(pods.flatMap((one) => (one.owner ? [] : podKey(one))));
	return reliefOf(podKey(pod), pressure, (one) => !bare.has(podKey(one)), observedAt);
}

/** Whether something is coming that could still be prevented. */
const isGoing = ({eviction, verdict, cause, phase}: PodForecast): boolean =>
	eviction !== null && verdict !== 'Overdue' && cause?.kind !== 'NodeDeleted' && !isPodTerminal({phase});

const sceneOn = (node: NodeForecast | undefined) => ({
	node: node?.node,
	isSilent: node?.verdict === 'Silent',
	unknown: node?.unknown ?? null,
	repairs: node?.repairs ?? [],
});

function alikeOf(going: readonly PodForecast[]): readonly (readonly PodForecast[])[] {
	const alike = Map.groupBy(
		going,
		({node, eviction, cause}) =>
			`${node} ${Math.round((eviction?.earliest ?? 0) / 100)} ${isOfLivingNode(cause)}`,
	);
	return [...alike.values()].toSorted((a, b) => earliestOf(a) - earliestOf(b));
}

/** Those that are played, of groups in order: the first of each workload, whose pods are told as one, then the others. */
function mostUrgent(groups: readonly (readonly PodForecast[])[]): ReadonlySet<readonly PodForecast[]> {
	const seen = new Set<string>();
	const firsts = groups.filter((alike) => {
		const workloads = alike.map(workloadKeyOf);
		const isFirst = workloads.some((one) => !seen.has(one));
		for (const one of workloads) seen.add(one);
		return isFirst;
	});
	return new Set([...new Set([...firsts, ...groups])].slice(0, mostPlayed));
}

const earliestOf = ([first]: readonly PodForecast[]): Instant => first?.eviction?.earliest ?? 0;

/** No return helps where its kubelet is there, and evicts it itself, or where a device does. */
function* returnFor(
	sample: PodForecast | undefined,
	rescuer: Rescuer,
	returns: RecoveryProbe,
	{now, untils}: {readonly now: Instant; readonly untils: Map<string, Instant>},
): Pausable<Remedy | undefined> {
	const pod = sample && rescuer.store.pods.get(podKey(sample));
	if (!sample || !pod || isOfLivingNode(sample.cause)) return undefined;
	const {node, zone} = sample;
	// Pods of one node, or zone, often have the same time: it is tried first, and changes no answer.
	const guess = untils.get(node) ?? untils.get(zone);
	const {nodeMonitorPeriod} = rescuer.settings;
	const remedy = yield* latestReturn(pod, sample, nodeMonitorPeriod, now, returns, guess);
	if (remedy?.until !== undefined) untils.set(node, remedy.until).set(zone, remedy.until);
	return remedy;
}
