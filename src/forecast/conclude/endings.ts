import {compareValues} from '../../core/collections/compareValues.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode, type Node} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {outOfServiceTaint, taintOutOfService} from '../../core/model/taint.ts';
import {gcCheckPeriod} from '../../core/podgc/garbage.ts';
import {matchingTolerations} from '../../core/tainteviction/tolerations.ts';
import {type Instant, never, second} from '../../core/time/instant.ts';
import {latency} from '../observe/latencies.ts';
import type {Cause, PodForecast} from '../podForecast.ts';
import {evictionOf, type PressureForecast} from '../pressure/pressureForecast.ts';
import {Range} from '../range.ts';
import {endingsIn, type Judgement} from '../verdict.ts';
import {collectionOf} from './collector.ts';

/** One of the ways in which a pod may end, and when. */
export type Ending = Readonly<{
	cause: Cause['kind'];
	/** What repairs the node, if that is the cause. */
	by?: string;
	/** When it comes; if it needs a manual action, as if that were done at the instant of the forecast. Null if unknown. */
	at: Range | null;
	/** When its deletion is requested, if its object is removed by force later; null otherwise. */
	asked: Range | null;
	/** Whether its object is removed then, whatever its kubelet does; otherwise its deletion is requested. */
	isForced: boolean;
	/** Whether it certainly comes, if nothing else ends the pod before, and the manual action is done. */
	isCertain: boolean;
	/** The manual action that it needs; null if it comes by itself. */
	needs: 'DeleteNode' | 'TaintOutOfService' | null;
}>;

/** What a pod's ends depend on, besides its forecast. */
export type EndingScene = Readonly<{
	pod: Pick<Pod, 'tolerations' | 'deletionTimestamp'>;
	/** Undefined if there is no such node. */
	node: Node | undefined;
	/** Whether its kubelet is silent, though no pass has found that yet. */
	isSilent: boolean;
	/** When its node is found not ready; null if it is so already, or never will be. */
	unknown: Range | null;
	/** What its kubelet runs short of; undefined if that was not queried. */
	pressure: PressureForecast | undefined;
	now: Instant;
	settings: Pick<ControllerSettings, 'nodeOutOfServiceVolumeDetach' | 'comparisonOperators'>;
}>;

/**
 * Everything that may end a pod, the soonest first, unknown times last.
 *
 * @param forecast by its taints, without pressure
 */
export function endingsOf(forecast: PodForecast, scene: EndingScene): readonly Ending[] {
	const {node, isSilent} = scene;
	const isReady = node !== undefined && isReadyNode(node);
	const own = ownEndings(forecast, node !== undefined && !isReady);
	const isFree = (kind: Cause['kind']) => own.every(({cause}) => cause !== kind);
	const endings: readonly (Ending | undefined)[] = [
		...own,
		node && isFree('NodeDeleted') ? ifDeleted(scene) : undefined,
		node && (!isReady || isSilent) && isFree('OutOfService')
			? ifOutOfService(forecast, node, scene)
			: undefined,
		// A silent kubelet measures nothing, and evicts nothing.
		isReady && !isSilent ? pressureEnding(forecast, scene.pressure) : undefined,
	];
	return firstAtTop(endings.flatMap((ending) => ending ?? []));
}

/** Sorts ends by when they come. */
export function firstAtTop(endings: readonly Ending[]): readonly Ending[] {
	const startOf = ({at}: Ending) => at?.earliest ?? never;
	const endOf = ({at}: Ending) => at?.latest ?? never;
	return endings.toSorted(
		(a, b) => compareValues(startOf(a), startOf(b)) || compareValues(endOf(a), endOf(b)),
	);
}

/**
 * The ends that a judgement predicts.
 *
 * @param isNotReady whether its node is not ready: if that is out of service, its pods are deleted by force
 * @param turnsAt when it is found not ready otherwise; null if never
 */
export const ownEndings = (
	judgement: Judgement,
	isNotReady: boolean,
	turnsAt: Range | null = null,
): readonly Ending[] =>
	endingsIn(judgement).flatMap(({eviction, cause, verdict}) => {
		if (!cause) return [];
		const {kind, by} = cause;
		const isCertain = verdict !== 'Unsure' && eviction.latest !== null;
		const notReady = isNotReady ? eviction : turnsAt;
		if (kind === 'OutOfService' && notReady)
			return {
				...forcedAfter(eviction, notReady),
				isCertain: isCertain && notReady.latest !== null,
				needs: null,
			};
		return {
			cause: kind,
			...(by !== undefined && {by}),
			at: eviction,
			asked: null,
			isForced: kind === 'NodeDeleted',
			isCertain,
			needs: null,
		};
	});

/** Pod garbage collection finds that the node is gone, waits for its quarantine, and deletes. */
function ifDeleted({now}: EndingScene): Ending | undefined {
	const range = collectionOf(now, [], true, 0)?.range;
	return (
		range && {
			cause: 'NodeDeleted',
			at: Range.over(range),
			asked: null,
			isForced: true,
			isCertain: true,
			needs: 'DeleteNode',
		}
	);
}

/** The taint requests the deletion at once; the next check of pod garbage collection forces it, once the node is not ready. */
function ifOutOfService(
	{verdict}: PodForecast,
	node: Node,
	{pod, now, unknown, settings}: EndingScene,
): Ending | undefined {
	if (!settings.nodeOutOfServiceVolumeDetach) return undefined;
	const isThere = node.taints.some(({key}) => key === taintOutOfService);
	const isTerminating = verdict === 'Terminating' || pod.deletionTimestamp !== undefined;
	const isTolerated =
		matchingTolerations([outOfServiceTaint], pod.tolerations, settings.comparisonOperators) !== undefined;
	if (isTolerated && !isTerminating) return undefined;
	const asked = new Range(now, now, now + latency);
	const notReady = isReadyNode(node) ? unknown : asked;
	const needs = isThere ? null : 'TaintOutOfService';
	// If no pass finds that the node is not ready, nothing is forced.
	if (!notReady) return {cause: 'OutOfService', at: null, asked, isForced: true, isCertain: false, needs};
	return {...forcedAfter(asked, notReady), isCertain: notReady.latest !== null, needs};
}

/** From one check of pod garbage collection to the end of the next. */
const look = gcCheckPeriod + second + latency;

/** The forced removal of a pod whose deletion was requested, once its node, which is out of service, is not ready. */
export function forcedAfter(asked: Range, notReady: Range) {
	const earliest = Math.max(asked.earliest, notReady.earliest);
	const expected = Math.max(asked.expected, notReady.expected) + gcCheckPeriod / 2;
	const latest =
		asked.latest === null || notReady.latest === null ? null : Math.max(asked.latest, notReady.latest) + look;
	return {cause: 'OutOfService' as const, at: new Range(earliest, expected, latest), asked, isForced: true};
}

/**
 * The eviction of a pod by its kubelet; undefined if that was queried often enough to see a trend of each signal with a
 * threshold, and these leave the pod alone.
 */
export function pressureEnding(of: PodForecast, pressure: PressureForecast | undefined): Ending | undefined {
	const kind = {cause: 'NodePressure', asked: null, isForced: false, needs: null} as const;
	if (!pressure || pressure.observedAt === null) return {...kind, at: null, isCertain: false};
	const eviction = evictionOf(pressure, podKey(of));
	if (eviction) return {...kind, at: eviction.when, isCertain: eviction.isCertain};
	// A kubelet does not act on signals that it does not observe; metrics do not show which it observes.
	const isBlind = pressure.source === 'metrics';
	const watched = pressure.signals.filter(
		({thresholds, available}) => thresholds.length > 0 || (isBlind && available === null),
	);
	const haveTrends = watched.every(({trend}) => trend !== null);
	return haveTrends ? undefined : {...kind, at: null, isCertain: false};
}
