import {expect, test} from 'vitest';
import {podKey} from '../../src/core/model/pod.ts';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';
import {scenarioNamed} from '../../src/demo/world/scenarios.ts';
import type {PressureEviction} from '../../src/forecast/pressure/pressureForecast.ts';
import {PressureStore} from '../../src/forecast/pressure/pressureStore.ts';
import {isDeep} from '../support/drawn.ts';
import {ObservedWorld} from './truth/observedWorld.ts';

const start: Instant = Date.UTC(2026, 0, 31, 14);
const node = 'b2';
const scenario = scenarioNamed('node-pressure');
/** When the second pod begins to leak, which is not foreseeable. */
const change = start + 4 * minute + 10 * second;
const changes = [start + 10 * second, change];
/** Events have times of whole seconds. */
const wholeSecond = 1000;

type Said = {readonly at: Instant; readonly evictions: readonly PressureEviction[]};
type Played = {readonly said: readonly Said[]; readonly ends: ReadonlyMap<string, Instant>};

/** The results by seed, because both tests judge the same. */
const plays = new Map<number, Played>();

/** The predictions for each pod at each look, and when it was evicted. */
function play(seed: number): Played {
	const played = plays.get(seed) ?? playAnew(seed);
	plays.set(seed, played);
	return played;
}

function playAnew(seed: number): Played {
	if (!scenario) throw new Error('the demo has no such scenario');
	const world = new ObservedWorld(scenario, start, seed, () => undefined);
	const book = new PressureStore();
	const said: Said[] = [];
	for (let now = start + 10 * second; now <= start + 8 * minute; now += 10 * second) {
		world.advanceTo(now);
		book.take(world.pressureLook(node, now));
		book.takeReports(world.kubeletReports);
		const conditions = world.snapshot(now).nodes.find(({name}) => name === node)?.conditions ?? [];
		said.push({at: now, evictions: book.forecast({name: node, conditions}, now).evictions});
	}
	// A StatefulSet deletes its evicted pod, but the event remains.
	const ends = new Map(
		world.kubeletReports.flatMap(({pod, at}) => (pod === undefined ? [] : [[pod, at] as const])),
	);
	return {said, ends};
}

/** A quick run plays fewer seeds; each has both evictions, the foreseeable one and the one caused by a change. */
const seeds = isDeep ? [1, 2, 3, 4, 5] : [1];

test.for(seeds)('a squeezed node of the demo, seed %i: what is said of it comes true', (seed) => {
	const {said, ends} = play(seed);
	expect(ends.size).toBe(2);
	const wrong = said.flatMap(({at, evictions}) => {
		// Later changes were not foreseeable, and a change that just began cannot be distinguished from noise.
		if (changes.some((began) => at >= began && at < began + minute)) return [];
		const until = at < change ? change : Number.POSITIVE_INFINITY;
		return evictions.flatMap(({pod, when, isCertain}) => {
			const end = ends.get(podKey(pod));
			if (end === undefined || end > until) return [];
			const isTooSoon = end + wholeSecond < when.earliest;
			const isTooLate = when.latest !== null && end > when.latest;
			return isTooSoon || isTooLate ? [{at: at - start, pod: pod.name, when, end, isCertain}] : [];
		});
	});
	expect(wrong).toEqual([]);
});

test.for(seeds.slice(0, 3))(
	'its victim is named for certain, within one pass, before it goes: seed %i',
	(seed) => {
		const {said, ends} = play(seed);
		for (const [pod, end] of ends) {
			const told = said.flatMap(({at, evictions}) => {
				const [first] = evictions;
				return at < end && end - at <= 30 * second && first ? [first] : [];
			});
			expect(told.length).toBeGreaterThan(0);
			expect(told.map((one) => podKey(one.pod))).toEqual(told.map(() => pod));
		}
	},
);
