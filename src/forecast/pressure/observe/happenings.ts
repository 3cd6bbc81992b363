import {maxOf} from '../../../core/collections/extremes.ts';
import {podKey} from '../../../core/model/pod.ts';
import {killTimeout} from '../../../core/nodepressure/killSequence.ts';
import type {EvictionSettings} from '../../../core/nodepressure/thresholds/evictionSettings.ts';
import {
	conditionOf,
	type PressureCondition,
	resourceOf,
	signals,
} from '../../../core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import type {PressureHappening} from '../pressureForecast.ts';
import type {PressureEvidence} from './pressureEvidence.ts';

/** Events and evicted pods are shown for an hour, as the API server keeps events. */
const remembered: Duration = 60 * minute;

/** What happened on a node in the last hour, by events and evicted pods; the newest first, each eviction once. */
export function happeningsOf(
	{evicted = [], reports = []}: Pick<PressureEvidence, 'evicted' | 'reports'>,
	now: Instant,
): readonly PressureHappening[] {
	const ofPods = evicted.map(
		({namespace, name, at, message}): PressureHappening => ({
			at: at ?? null,
			reason: 'Evicted',
			pod: `${namespace}/${name}`,
			message,
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

/** When a kubelet last evicted a pod, by pods and events; undefined if it never did. */
export function lastEvictionAt({
	evicted = [],
	reports = [],
}: Pick<PressureEvidence, 'evicted' | 'reports'>): Instant | undefined {
	const times = [
		...evicted.flatMap(({at}) => at ?? []),
		...reports.filter(({reason}) => reason === 'Evicted').map(({at}) => at),
	];
	return times.length > 0 ? maxOf(times) : undefined;
}

/** How the message of an eviction names the resource that ran short. */
const starved = /^The node was low on resource: ([\w-]+)\./;

/** When a kubelet last evicted a pod for a signal of a condition; undefined if no eviction is known. */
export function lastEvictionFor(
	{evicted = [], reports = []}: Pick<PressureEvidence, 'evicted' | 'reports'>,
	condition: PressureCondition,
): Instant | undefined {
	const isFor = isEvictionFor(condition);
	return lastEvictionAt({evicted: evicted.filter(isFor), reports: reports.filter(isFor)});
}

/**
 * The earliest beginning of the pass that last evicted a pod for a signal of a condition: it found a threshold met. Undefined
 * if no eviction is known. An event is dated by that pass, a pod by its end.
 */
export function lastPassFor(
	{evicted = [], reports = []}: Pick<PressureEvidence, 'evicted' | 'reports'>,
	{maxPodGracePeriodSeconds}: Pick<EvictionSettings, 'maxPodGracePeriodSeconds'>,
	condition: PressureCondition,
): Instant | undefined {
	const isFor = isEvictionFor(condition);
	const ofReports = reports.filter((one) => one.reason === 'Evicted' && isFor(one));
	const reported = new Set(ofReports.map(({pod}) => pod));
	const longest = killTimeout(Math.max(1, maxPodGracePeriodSeconds));
	const ofPods = evicted.filter((one) => isFor(one) && !reported.has(podKey(one)));
	const times = [
		...ofReports.map(({at}) => at - second),
		...ofPods.flatMap(({at}) => (at === undefined ? [] : at - longest)),
	];
	return times.length > 0 ? maxOf(times) : undefined;
}

function isEvictionFor(condition: PressureCondition): (entry: {readonly message: string}) => boolean {
	return ({message}) => {
		const resource = starved.exec(message)?.[1];
		return signals.some((signal) => resourceOf(signal) === resource && conditionOf(signal) === condition);
	};
}
