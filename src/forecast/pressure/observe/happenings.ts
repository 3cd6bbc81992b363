import {maxOf} from '../../../core/collections/extremes.ts';
import {podKey} from '../../../core/model/pod.ts';
import type {EvictionSettings} from '../../../core/nodepressure/thresholds/evictionSettings.ts';
import {
	conditionOf,
	type PressureCondition,
	resourceOf,
	signals,
} from '../../../core/nodepressure/thresholds/signal.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {longestKill} from '../nextPass.ts';
import type {PressureHappening} from '../pressureForecast.ts';
import type {PressureEvidence} from './pressureEvidence.ts';

/** Events and evicted pods are shown for an hour, as the API server keeps events. */
const remembered: Duration = 60 * minute;

/** What tells of evictions on a node. */
type Told = Pick<PressureEvidence, 'evicted' | 'reports'>;

/** What happened on a node in the last hour, by events and evicted pods; the newest first, each eviction once. */
export function happeningsOf({evicted, reports}: Told, now: Instant): readonly PressureHappening[] {
	const ofPods = evicted.map(
		(pod): PressureHappening => ({
			at: pod.at ?? null,
			reason: 'Evicted',
			pod: podKey(pod),
			message: pod.message,
		}),
	);
	const known = new Set(ofPods.map(({pod}) => pod));
	const others = reports
		.filter(({pod}) => pod === undefined || !known.has(pod))
		.map(({at, reason, pod, message}): PressureHappening => ({at, reason, pod: pod ?? null, message}));
	return [...ofPods, ...others]
		.filter(({at}) => at === null || now - at <= remembered)
		.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0));
}

/**
 * When a kubelet last evicted a pod, by pods and events, for the signals of a condition if one is given; before all instants if
 * no eviction is known.
 */
export function lastEvictionAt(told: Told, condition?: PressureCondition): Instant {
	const {evicted, reports} = toldOf(told, condition);
	return maxOf([...evicted, ...reports].map(({at = beginningOfTime}) => at));
}

/**
 * The earliest beginning of the pass that last evicted a pod for a signal of a condition: it found a threshold met. Before all
 * instants if no eviction is known. An event is dated by that pass, a pod by its end.
 */
export function lastPassFor(told: Told, settings: EvictionSettings, condition: PressureCondition): Instant {
	const {evicted, reports} = toldOf(told, condition);
	const reported = new Set(reports.map(({pod}) => pod));
	return maxOf([
		...reports.map(({at}) => at - second),
		...evicted
			.filter((pod) => !reported.has(podKey(pod)))
			.map(({at = beginningOfTime}) => at - longestKill(settings)),
	]);
}

/** How the message of an eviction names the resource that ran short. */
const starved = /^The node was low on resource: ([\w-]+)\./;

/** What tells of evictions, for the signals of a condition if one is given. */
function toldOf({evicted, reports}: Told, condition?: PressureCondition): Told {
	const isFor = ({message}: {readonly message: string}) => {
		const resource = starved.exec(message)?.[1];
		return (
			condition === undefined ||
			signals.some((signal) => resourceOf(signal) === resource && conditionOf(signal) === condition)
		);
	};
	return {
		evicted: evicted.filter(isFor),
		reports: reports.filter((report) => report.reason === 'Evicted' && isFor(report)),
	};
}
