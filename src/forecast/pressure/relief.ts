import {podKey} from '../../core/model/pod.ts';
import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {conditionOf, isSignal, type PressureCondition} from '../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../core/time/instant.ts';
import {forecastPressure} from './forecastPressure.ts';
import {pressureTaints} from './observe/pressuredNodes.ts';
import {firmPoints} from './observe/trend.ts';
import {evictionOf, type PressureForecast, type SignalForecast} from './pressureForecast.ts';
import {withoutPods} from './supposedPressure.ts';
import type {Victim} from './victims.ts';

/** Other pods whose end frees so much that a pod stays, in the order of eviction; empty if a few do not free enough. */
export type Relief = {
	readonly signal: SignalForecast['signal'];
	readonly pods: readonly Victim[];
	/** Whether their kubelet evicts the first of them before that pod in any case. */
	readonly isFirstAnyway: boolean;
	/** Whether one of them is not started again. */
	readonly isLoss: boolean;
	/** Whether it is known which pods free enough: without a trend, only if no other pod can be removed. */
	readonly isKnown: boolean;
	/** The least amount that must be freed for the met thresholds. */
	readonly needed: number;
	/** The change per second on the measured trend; null without one. */
	readonly perSecond: number | null;
	/** The largest users of the resource, the largest first. */
	readonly users: readonly Victim[];
};

/** How many are tried alone: each needs a forecast of its own. */
const mostTries = 5;
/** How many of the largest users are named. */
const mostUsers = 2;
/** The most pods to end together so that one stays; all must be started again. */
const mostTogether = 3;

/**
 * Which pods keep a pod from being evicted by its kubelet if they end: one other pod, or several together. Pods that are
 * evicted before it anyway come first, then pods that are replaced. Without a trend, only a pod that is evicted anyway is
 * named: what another frees may be taken in a moment. Undefined if freeing does not help, or no eviction is predicted.
 *
 * @param key `namespace/name` of the pod
 * @param isReplaced whether something starts another if a pod ends
 */
export function reliefOf(
	key: string,
	pressure: PressureForecast,
	isReplaced: (pod: NodePod) => boolean,
	now: Instant,
): Relief | undefined {
	const {evictions, signals, evidence} = pressure;
	const eviction = evictionOf(pressure, key) ?? evictions[0];
	const own = eviction?.signals.filter((one) => isSignal(one)) ?? [];
	const short = signals.find(({signal}) => own.includes(signal));
	if (!eviction || !short) return undefined;
	const {signal, victims, thresholds} = short;
	const isAnyway = ({pod}: Victim) => evictions[0]?.pod.uid === pod.uid;
	const rank = (one: Victim) => (isAnyway(one) ? 0 : isReplaced(one.pod) ? 1 : 2);
	const others = victims
		.filter((one) => podKey(one.pod) !== key && isRemovable(one, conditionOf(signal)))
		.toSorted((a, b) => rank(a) - rank(b));
	const needed = Math.max(0, ...thresholds.map(({distance}) => -distance));
	const isEnough = (some: readonly Victim[]): boolean => {
		if (some.reduce((sum, {usage}) => sum + Number(usage ?? 0n), 0) < needed) return false;
		const rest = new Set(some.map(({pod}) => pod.uid));
		return isRelieved(key, signal, forecastPressure(withoutPods(evidence, rest), now));
	};
	const isFirm = (short.trend?.points ?? 0) >= firmPoints;
	const able = isFirm ? others : others.filter(isAnyway);
	const alone = able.filter(({usage}) => Number(usage) >= needed).slice(0, mostTries);
	const replaced = able.filter(({pod}) => isReplaced(pod));
	const together = [2, mostTogether].flatMap((many) =>
		replaced.length < many ? [] : [replaced.slice(0, many)],
	);
	const tries = [...alone.map((one) => [one]), ...together];
	const pods = tries.find(isEnough) ?? [];
	const [first] = pods;
	return {
		signal,
		pods,
		isFirstAnyway: first !== undefined && isAnyway(first),
		isLoss: pods.some(({pod}) => !isReplaced(pod)),
		...{isKnown: isFirm || others.length === 0, needed},
		perSecond: isFirm ? (short.trend?.perSecond.median ?? null) : null,
		users: victims.toSorted((a, b) => Number((b.usage ?? 0n) - (a.usage ?? 0n))).slice(0, mostUsers),
	};
}

/** Whether its end frees anything: pods that tolerate the condition's taint, as those of DaemonSets, start there again. */
const isRemovable = ({pod, usage, protection}: Victim, condition: PressureCondition): boolean =>
	protection === null &&
	(usage ?? 0n) > 0n &&
	pod.deletionTimestamp === undefined &&
	!pod.tolerations.some(
		({key, operator}) => key === pressureTaints[condition] || (key === '' && operator === 'Exists'),
	);

const isRelieved = (key: string, of: SignalForecast['signal'], pressure: PressureForecast): boolean =>
	evictionOf(pressure, key) === undefined &&
	pressure.signals.every(
		({signal, thresholds}) => signal !== of || thresholds.every(({crossing}) => crossing.type !== 'met'),
	);
