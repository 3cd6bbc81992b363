import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import type {Range} from '../../src/forecast/range.ts';
import type {Leak} from './leakyNode.ts';
import type {DrawnWorld, PlayedWorld, Prediction} from './playedWorld.ts';

/** The resource that runs short in a drawn world. */
export const shortages = ['memory', 'start', 'disk', 'inodes', 'processes', 'limit'] as const;

type Shortage = (typeof shortages)[number];

const thresholds: Readonly<Record<Shortage, readonly [string, string]>> = {
	memory: ['memory.available', '3Gi'],
	start: ['memory.available', '3Gi'],
	disk: ['nodefs.available', '95Gi'],
	inodes: ['nodefs.inodesFree', '970k'],
	processes: ['pid.available', '8500'],
	limit: ['memory.available', '100Mi'],
};

/** Draws a node with bystanders and one or more pods whose usage of a resource grows. */
export function drawWorld(shortage: Shortage, seed: number): DrawnWorld {
	const random = new Random(seed);
	const between = (low: number, high: number) => low + random.next() * (high - low);
	const some = <T>(...of: readonly [T, ...T[]]): T => of[Math.floor(random.next() * of.length)] ?? of[0];
	const growing = (start: number, growth: number) => ({start: between(0, start), growth});
	const count = 3 + Math.floor(random.next() * 3);
	const takers = 1 + Math.floor(random.next() * 2);
	const startsAt = shortage === 'start' ? Math.round(between(60, 150)) * second : 0;
	const leaks = Array.from({length: count}, (_, index): Leak => {
		const takes = index < takers ? 1 : 0;
		const memory = shortage === 'memory' || (shortage === 'start' && index === 0);
		const isStarting = shortage === 'start' && index === count - 1;
		return {
			...{name: `p${index}`, start: Math.round(between(50, 600)), request: some(0, 100, 400, 1000)},
			...{priority: some(0, 0, 100), growth: memory ? takes * between(4, 16) : 0},
			...(isStarting && {startsAt, startsFor: some(5, 20, 40) * second}),
			disk: {
				...growing(1000, shortage === 'disk' ? takes * between(5, 30) : 0),
				...(shortage === 'limit' && takes === 1 && {start: 10, growth: between(0.5, 3), limit: 500}),
			},
			inodes: growing(5000, shortage === 'inodes' ? takes * between(20, 100) : 0),
			processes: growing(200, shortage === 'processes' ? takes * between(2, 10) : 0),
		};
	});
	const [signal, threshold] = thresholds[shortage];
	return {
		config: {
			enforceNodeAllocatable: [],
			evictionHard: {[signal]: threshold},
			evictionPressureTransitionPeriod: '30s',
		},
		leaks,
		measuring: {
			...{noise: some(0, 2, 20), seed, ending: some(1, 3, 9) * second},
			...(random.next() < 0.7 && {volumesEvery: 75 * second}),
		},
		...{passAt: Math.floor(between(0, 10_000)), lookAt: Math.floor(between(0, 10_000))},
		changedAt: startsAt,
	};
}

/** For this long after a change, nothing is expected about pods that just began to grow. */
const settling: Duration = 60 * second;

/** The predictions that did not come true in a played world, up to the next unforeseeable change. */
export function wrongPredictions(
	{changedAt, changes = [], restart}: DrawnWorld,
	played: PlayedWorld,
	length: Instant,
): readonly string[] {
	const all = [changedAt, ...changes, ...(restart ? [restart.at] : [])].filter((at) => at > 0);
	return played.predictions
		.filter(({at}) => !all.some((change) => at >= change && at < change + settling))
		.flatMap((prediction) => {
			const until = Math.min(length, ...all.filter((change) => change > prediction.at));
			return [
				...wrongEvictions(prediction, played, until),
				...wrongConditions(prediction, played, until),
			].map((text) => `${prediction.at / second}s: ${text}`);
		});
}

const wrongEvictions = (
	{at, evictions}: Prediction,
	{ends}: PlayedWorld,
	until: Instant,
): readonly string[] =>
	evictions.flatMap(({pod, when, isCertain, place}): string[] => {
		const end = ends.find(({name}) => name === pod.name)?.at;
		if (end !== undefined && end <= at) return [];
		const goes = end !== undefined && end < until;
		const isWrong = goes ? !isInside(end, when) : isCertain && (when.latest ?? until) < until;
		if (!isWrong) return [];
		return [
			`${pod.name} ${goes ? `goes at ${end / second}s` : 'stays'}: ${shown(when)}, place ${place.first}`,
		];
	});

const wrongConditions = (
	{at, conditions}: Prediction,
	{turns}: PlayedWorld,
	until: Instant,
): readonly string[] =>
	conditions.flatMap(({condition, isTrue, raised, held}): string[] => {
		const next = turns.find((turn) => turn.condition === condition && turn.at > at);
		const range = isTrue ? held : raised;
		if (!next || next.isTrue === isTrue || next.at >= until || !range || isInside(next.at, range)) return [];
		return [`${condition} turns ${next.isTrue} at ${next.at / second}s: ${shown(range)}`];
	});

const isInside = (at: Instant, {earliest, latest}: Range): boolean =>
	at >= earliest && at <= (latest ?? Number.POSITIVE_INFINITY);

const shown = ({earliest, latest}: Range): string =>
	`${earliest / second}s to ${latest === null ? 'open' : `${latest / second}s`}`;

/** How long before its eviction the first victim is named, in milliseconds; undefined if no pod is evicted. */
export function lead({predictions, ends}: PlayedWorld): number | undefined {
	const [first] = ends;
	if (!first) return undefined;
	const named = predictions.find(
		({at, evictions}) =>
			at < first.at && evictions.some(({pod, place}) => pod.name === first.name && place.first === 1),
	);
	return named ? first.at - named.at : 0;
}
