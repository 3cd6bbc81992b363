import {EvictionLoop} from '../../src/core/nodepressure/evictionLoop.ts';
import type {EvictionConfig} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {evictionSettings} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {type Instant, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import {forecastPressure} from '../../src/forecast/pressure/forecastPressure.ts';
import type {SummarySample} from '../../src/forecast/pressure/observe/pressureEvidence.ts';
import type {PressureEviction} from '../../src/forecast/pressure/pressureForecast.ts';
import {type Leak, LeakyNode, type Measuring} from './leakyNode.ts';

/** What runs short in a drawn world. */
export const shortages = ['memory', 'start', 'disk', 'inodes', 'processes', 'limit'] as const;

type Shortage = (typeof shortages)[number];

type DrawnWorld = {
	readonly config: EvictionConfig;
	readonly leaks: readonly Leak[];
	readonly measuring: Measuring;
	/** When the first pass is, and the first look. */
	readonly passAt: Instant;
	readonly lookAt: Instant;
	/** When the last of it began: what began just now is no trend yet. */
	readonly changedAt: Instant;
};

const thresholds: Readonly<Record<Shortage, readonly [string, string]>> = {
	memory: ['memory.available', '3Gi'],
	start: ['memory.available', '3Gi'],
	disk: ['nodefs.available', '95Gi'],
	inodes: ['nodefs.inodesFree', '970k'],
	processes: ['pid.available', '8500'],
	limit: ['memory.available', '100Mi'],
};

/** Draws a node with bystanders and one or more pods that take more and more of something. */
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

type Said = {readonly at: Instant; readonly evictions: readonly PressureEviction[]};
type End = {readonly name: string; readonly at: Instant};

/**
 * Plays a drawn world, looks at it every ten seconds, and keeps what is said at a look and a moment after.
 *
 * @param every how many looks are made until something is said
 */
export function playWorld(
	{config, leaks, measuring, passAt, lookAt}: DrawnWorld,
	length: Instant,
	every = 1,
): {readonly said: readonly Said[]; readonly ends: readonly End[]} {
	const node = new LeakyNode(leaks, measuring);
	const loop = new EvictionLoop(evictionSettings(config), node, 0, {phase: {type: 'resting', until: passAt}});
	const said: Said[] = [];
	const ends: End[] = [];
	const samples: SummarySample[] = [];
	const advanceTo = (now: Instant) => {
		for (const {at, effect} of loop.advanceTo(now))
			if (effect.type === 'killed') ends.push({name: effect.pod.name, at});
	};
	for (let look = lookAt; look < length; look += 10 * second) {
		advanceTo(look);
		samples.push({seenAt: look, summary: node.summary(look)});
		// Pods are listed anew between two looks: a victim is gone before its memory is measured as free.
		for (const now of [look, look + 6 * second]) {
			advanceTo(now);
			if (samples.length % every !== 0) continue;
			const recent = samples.filter(({seenAt}) => look - seenAt <= 300 * second);
			const evidence = {node: 'n1', samples: recent, config, ...node.listed(now)};
			said.push({at: now, evictions: forecastPressure(evidence, now).evictions});
		}
	}
	advanceTo(length + 20 * second);
	return {said, ends};
}

/** What was said in a played world and did not come true: of what has just begun nothing is expected. */
export function untruths(
	{changedAt}: DrawnWorld,
	{said, ends}: ReturnType<typeof playWorld>,
	length: Instant,
): readonly string[] {
	return said
		.filter(({at}) => changedAt === 0 || at < changedAt - 300 * second || at > changedAt + 60 * second)
		.flatMap(({at, evictions}) => {
			const next = ends.find((end) => end.at > at);
			return evictions.flatMap((one): string[] => {
				const end = ends.find(({name}) => name === one.pod.name)?.at;
				if (end !== undefined && end <= at) return [];
				const latest = one.when.latest ?? Number.POSITIVE_INFINITY;
				const isWrong =
					end === undefined
						? one.isCertain && latest < length
						: (end < one.when.earliest || end > latest) && (one.isCertain || next?.name === one.pod.name);
				if (!isWrong) return [];
				const what = end === undefined ? 'stays' : `goes at ${end / second}s`;
				const range = `${one.when.earliest / second}s to ${latest / second}s`;
				return [`${at / second}s: ${one.pod.name} ${what}: ${range}, place ${one.place.first}`];
			});
		});
}

/** How long before it goes the first victim is named, in milliseconds; undefined where nobody goes. */
export function lead({said, ends}: ReturnType<typeof playWorld>): number | undefined {
	const [first] = ends;
	if (!first) return undefined;
	const named = said.find(
		({at, evictions}) =>
			at < first.at && evictions.some(({pod, place}) => pod.name === first.name && place.first === 1),
	);
	return named ? first.at - named.at : 0;
}
