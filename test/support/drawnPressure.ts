import type {NodeCondition} from '../../src/core/model/node.ts';
import type {TimedEvictionEffect} from '../../src/core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../src/core/nodepressure/evictionLoop.ts';
import type {EvictionConfig} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {evictionSettings} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import type {PressureCondition} from '../../src/core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';
import {forecastPressure} from '../../src/forecast/pressure/forecastPressure.ts';
import type {SummarySample} from '../../src/forecast/pressure/observe/pressureEvidence.ts';
import type {PressureEviction} from '../../src/forecast/pressure/pressureForecast.ts';
import {type Leak, LeakyNode, type Measuring} from './leakyNode.ts';

/** What runs short in a drawn world. */
export const shortages = ['memory', 'start', 'disk', 'inodes', 'processes', 'limit'] as const;

type Shortage = (typeof shortages)[number];

export type DrawnWorld = {
	readonly config: EvictionConfig;
	readonly leaks: readonly Leak[];
	readonly measuring: Measuring;
	/** When the first pass is, and the first look. */
	readonly passAt: Instant;
	readonly lookAt: Instant;
	/** When the last of it began: what began just now is no trend yet. */
	readonly changedAt: Instant;
	/** When something changes that nobody can foresee. */
	readonly changes?: readonly Instant[];
	/** When its kubelet starts anew, and with what. */
	readonly restart?: {readonly at: Instant; readonly config: EvictionConfig; readonly passAt: Instant};
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
	{config, leaks, measuring, passAt, lookAt, restart}: DrawnWorld,
	length: Instant,
	every = 1,
): {readonly said: readonly Said[]; readonly ends: readonly End[]} {
	const node = new LeakyNode(leaks, measuring);
	const starting = (until: Instant) => ({phase: {type: 'resting', until}}) as const;
	let loop = new EvictionLoop(evictionSettings(config), node, 0, starting(passAt));
	let inForce = config;
	const said: Said[] = [];
	const ends: End[] = [];
	const samples: SummarySample[] = [];
	const conditions = new Map<PressureCondition, NodeCondition>();
	const advanceTo = (now: Instant) => {
		if (restart && loop.now < restart.at && now >= restart.at) {
			take(loop.advanceTo(restart.at));
			inForce = restart.config;
			loop = new EvictionLoop(evictionSettings(inForce), node, restart.at, starting(restart.passAt));
		}
		take(loop.advanceTo(now));
	};
	const take = (effects: readonly TimedEvictionEffect[]) => {
		for (const {at, effect} of effects) {
			if (effect.type === 'killed') ends.push({name: effect.pod.name, at});
			if (effect.type === 'conditionChanged')
				conditions.set(effect.condition, {
					...{type: effect.condition, status: effect.isTrue ? 'True' : 'False'},
					...{reason: '', message: '', lastHeartbeatTime: at},
					// The kubelet tells of it with its next status, by a clock of whole seconds.
					lastTransitionTime: Math.floor(at / second) * second,
				});
		}
	};
	const listed = new Set<string>();
	for (let look = lookAt; look < length; look += 10 * second) {
		advanceTo(look);
		samples.push({seenAt: look, summary: node.summary(look)});
		// Pods are listed anew between two looks: a victim is gone before its memory is measured as free.
		for (const now of [look, look + 6 * second]) {
			advanceTo(now);
			const told = node.listed(now);
			for (const {uid} of told.pods) listed.add(uid);
			if (samples.length % every !== 0) continue;
			const recent = samples.filter(({seenAt}) => look - seenAt <= 300 * second);
			const evidence = {
				...{node: 'n1', samples: recent, config: inForce, ...told, listedBefore: listed},
				conditions: [...conditions.values()],
			};
			said.push({at: now, evictions: forecastPressure(evidence, now).evictions});
		}
	}
	advanceTo(length + 20 * second);
	return {said, ends};
}

/** So long after a change nothing is expected of what has just begun. */
const settling: Duration = 60 * second;

/** What was said in a played world and did not come true, up to the next change that nobody can foresee. */
export function untruths(
	{changedAt, changes = [], restart}: DrawnWorld,
	{said, ends}: ReturnType<typeof playWorld>,
	length: Instant,
): readonly string[] {
	const all = [changedAt, ...changes, ...(restart ? [restart.at] : [])].filter((at) => at > 0);
	return said
		.filter(({at}) => !all.some((change) => at >= change && at < change + settling))
		.flatMap(({at, evictions}) => {
			const until = Math.min(length, ...all.filter((change) => change > at));
			return evictions.flatMap((one): string[] => {
				const end = ends.find(({name}) => name === one.pod.name)?.at;
				if (end !== undefined && end <= at) return [];
				const latest = one.when.latest ?? Number.POSITIVE_INFINITY;
				const goes = end !== undefined && end < until;
				const isWrong = goes ? end < one.when.earliest || end > latest : one.isCertain && latest < until;
				if (!isWrong) return [];
				const what = goes ? `goes at ${end / second}s` : 'stays';
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
