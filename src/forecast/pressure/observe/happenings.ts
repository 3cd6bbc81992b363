import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {PressureHappening} from '../pressureForecast.ts';
import type {PressureEvidence} from './pressureEvidence.ts';

/** Events and evicted pods are shown for an hour, as the API server keeps events. */
const remembered: Duration = 60 * minute;

/** What happened on a node in the last hour, by its kubelet and its evicted pods; the newest first, each eviction once. */
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

/** When a kubelet last evicted a pod, by pods and events; undefined where there is none. */
export function lastEvictionAt({
	evicted = [],
	reports = [],
}: Pick<PressureEvidence, 'evicted' | 'reports'>): Instant | undefined {
	const times = [
		...evicted.flatMap(({at}) => at ?? []),
		...reports.filter(({reason}) => reason === 'Evicted').map(({at}) => at),
	];
	return times.length > 0 ? Math.max(...times) : undefined;
}
