import type {Instant} from '../../../src/core/time/instant.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import type {Foreseeable} from './foreseeable.ts';
import type {Recording} from './recording.ts';
import type {Look} from './replay.ts';
import {blogTolerance, time, tolerance} from './tolerance.ts';
import type {Truth} from './truth.ts';

/** Describes the error if a pod was forecast to be deleted by an instant and was not. */
export function alarm(
	pod: PodForecast,
	kind: string,
	at: Instant,
	{endedAt}: Recording,
	truth: Truth,
	foreseeable: Foreseeable,
): string | undefined {
	const latest = pod.eviction?.latest;
	if (truth.has(`${pod.namespace}/${pod.name}`) || latest === undefined || latest === null) return undefined;
	if (latest + tolerance >= endedAt || !foreseeable(pod.node, at, latest)) return undefined;
	return `${pod.name} (${kind}, ${pod.verdict}): said to go by ${time(latest)} at ${time(at)}, and stayed`;
}

/** The pods that the blog formula wrongly forecast to be deleted. */
export function blogAlarms(
	{at, fresh}: Look,
	{endedAt}: Recording,
	truth: Truth,
	foreseeable: Foreseeable,
): string[] {
	if (!fresh) return [];
	const {blog, snapshot} = fresh;
	const nodes = new Map(snapshot.pods.map((pod) => [`${pod.namespace}/${pod.name}`, pod.nodeName]));
	return [...blog].flatMap(([pod, predictedAt]) =>
		!truth.has(pod) &&
		predictedAt + blogTolerance < endedAt &&
		foreseeable(nodes.get(pod) ?? '', at, predictedAt)
			? [pod]
			: [],
	);
}
