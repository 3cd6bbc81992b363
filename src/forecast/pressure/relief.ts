import type {NodePod} from '../../core/nodepressure/nodePod.ts';
import {conditionOf, isSignal, type PressureCondition} from '../../core/nodepressure/thresholds/signal.ts';
import type {Instant} from '../../core/time/instant.ts';
import {forecastPressure} from './forecastPressure.ts';
import {firmPoints} from './observe/trend.ts';
import type {PressureForecast, SignalForecast} from './pressureForecast.ts';
import type {Victim} from './victims.ts';
import {withoutPods} from './whatIf.ts';

/** Other pods, whose end frees so much that a pod stays, in the order of eviction; none where no few of them do. */
export type Relief = {
	readonly signal: SignalForecast['signal'];
	readonly pods: readonly Victim[];
	/** Whether their kubelet evicts the first of them before that pod in any case. */
	readonly isFirstAnyway: boolean;
	/** Whether nothing starts one of them again. */
	readonly isLoss: boolean;
	/** Whether it holds on the trend that was measured; without one nobody knows who goes on growing. */
	readonly isLasting: boolean;
};

/** So many are tried alone, and then so many together: each is a forecast of its own. */
const mostTries = 5;

/**
 * Whose end keeps a pod from being evicted by its kubelet: of one other pod, or of several together. Whoever is evicted before it
 * anyway comes first, then who is replaced. Undefined where nothing that others free decides, or nobody is about to be evicted.
 *
 * @param isReplaced whether something starts another where a pod ends
 */
export function reliefOf(
	uid: string,
	{evictions, signals, evidence}: PressureForecast,
	isReplaced: (pod: NodePod) => boolean,
	now: Instant,
): Relief | undefined {
	const eviction = evictions.find(({pod}) => pod.uid === uid) ?? evictions[0];
	const own = eviction?.signals.filter((one) => isSignal(one)) ?? [];
	const short = signals.find(({signal}) => own.includes(signal));
	if (!eviction || !short) return undefined;
	const {signal, victims, thresholds} = short;
	const isAnyway = ({pod}: Victim) => evictions[0]?.pod.uid === pod.uid;
	const rank = (one: Victim) => (isAnyway(one) ? 0 : isReplaced(one.pod) ? 1 : 2);
	const others = victims
		.filter((one) => one.pod.uid !== uid && isRemovable(one, conditionOf(signal)))
		.toSorted((a, b) => rank(a) - rank(b));
	const needed = Math.max(0, ...thresholds.map(({distance}) => -distance));
	const isEnough = (some: readonly Victim[]): boolean => {
		if (some.reduce((sum, {usage}) => sum + Number(usage ?? 0n), 0) < needed) return false;
		const rest = new Set(some.map(({pod}) => pod.uid));
		return isRelieved(uid, signal, forecastPressure(withoutPods(evidence, rest), now));
	};
	const alone = others.filter(({usage}) => Number(usage) >= needed).slice(0, mostTries);
	const tries = [
		...alone.map((one) => [one]),
		...others.slice(1, mostTries).map((_, index) => others.slice(0, index + 2)),
	];
	const pods = tries.find(isEnough) ?? [];
	const [first] = pods;
	return {
		signal,
		pods,
		isFirstAnyway: first !== undefined && isAnyway(first),
		isLoss: pods.some(({pod}) => !isReplaced(pod)),
		isLasting: (short.trend?.points ?? 0) >= firmPoints,
	};
}

/** Whether its end frees anything: what tolerates the taint of the condition, as pods of DaemonSets do, is started there again. */
const isRemovable = ({pod, usage, protection}: Victim, condition: PressureCondition): boolean =>
	protection === null &&
	(usage ?? 0n) > 0n &&
	pod.deletionTimestamp === undefined &&
	!pod.tolerations.some(
		({key, operator}) => key === taintOf[condition] || (key === '' && operator === 'Exists'),
	);

const taintOf: Readonly<Record<PressureCondition, string>> = {
	MemoryPressure: 'node.kubernetes.io/memory-pressure',
	DiskPressure: 'node.kubernetes.io/disk-pressure',
	PIDPressure: 'node.kubernetes.io/pid-pressure',
};

const isRelieved = (
	uid: string,
	of: SignalForecast['signal'],
	{evictions, signals}: PressureForecast,
): boolean =>
	!evictions.some(({pod}) => pod.uid === uid) &&
	signals.every(
		({signal, thresholds}) => signal !== of || thresholds.every(({crossing}) => crossing.type !== 'met'),
	);
