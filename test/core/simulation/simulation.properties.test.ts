import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import type {TimedEffect} from '../../../src/core/simulation/effect.ts';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {runsOf} from '../../support/drawn.ts';
import type {Scenario} from '../../support/scenario/scenario.ts';
import {ScenarioPlayer} from '../../support/scenario/scenarioPlayer.ts';
import {anyScenario, calmScenario, instants} from '../../support/scenarios.ts';
import {textOf} from '../../support/simulations.ts';

// For each property, a quick run draws a third of a deep run's scenarios.

const play = (scenario: Scenario, ...stops: readonly Instant[]): readonly TimedEffect[] => {
	const player = new ScenarioPlayer(scenario, defaultSettings);
	return [...stops, scenario.until * second].flatMap((stop) => player.advanceTo(stop));
};

test('one long step and many short ones see the same effects at the same times', () => {
	fc.assert(
		fc.property(anyScenario, instants, (scenario, stops) => {
			expect(play(scenario, ...stops)).toEqual(play(scenario));
		}),
		{numRuns: runsOf(50, 150)},
	);
});

const shuffled = (scenario: Scenario): fc.Arbitrary<Scenario> =>
	fc
		.record({
			nodes: fc.shuffledSubarray([...scenario.nodes], {minLength: scenario.nodes.length}),
			pods: fc.shuffledSubarray([...scenario.pods], {minLength: scenario.pods.length}),
		})
		.map((order) => ({...scenario, ...order}));

test('the order in which nodes and pods are observed before the start never matters', () => {
	fc.assert(
		fc.property(
			anyScenario.chain((scenario) => fc.tuple(fc.constant(scenario), shuffled(scenario))),
			([scenario, other]) => {
				expect(play(other)).toEqual(play(scenario));
			},
		),
		{numRuns: runsOf(50, 150)},
	);
});

test('the instant at which a scenario starts never matters', () => {
	const start = Date.UTC(2026, 0, 31, 14);
	fc.assert(
		fc.property(anyScenario, (scenario) => {
			const late = new ScenarioPlayer(scenario, defaultSettings, 1, start).advanceTo(
				start + scenario.until * second,
			);
			const early = play(scenario);
			expect(late.map(({effect}) => textOf(effect))).toEqual(early.map(({effect}) => textOf(effect)));
			for (const [index, {at}] of late.entries()) {
				expect(Math.abs(at - start - (early[index]?.at ?? Number.NaN))).toBeLessThan(0.1);
			}
		}),
		// Fixed seed: instants near a date have coarser fractions, which may swap two effects within a rounding error.
		{numRuns: 100, seed: 20260131},
	);
});

/** The world of a scenario at an instant; no further steps are applied. */
function worldAt(scenario: Scenario, at: Instant): Simulation {
	const player = new ScenarioPlayer(scenario, defaultSettings);
	player.advanceTo(at);
	return player.simulation;
}

/** Applies an input; returns the effects of the following two minutes. */
function disturb(world: Simulation, node: string): readonly TimedEffect[] {
	const end = world.now + 120 * second;
	world.stopKubelet(node);
	const removed = world.editNode(node, (old) => ({...old, taints: old.taints.slice(1)}));
	const deleted = world.observe({type: 'podDeleted', namespace: 'default', name: 'p0'});
	return [...removed, ...deleted, ...world.advanceTo(end)];
}

const cut = fc.record({
	scenario: anyScenario,
	at: fc.integer({min: 0, max: 240_000}),
	nodes: fc.tuple(fc.constantFrom('n1', 'n2'), fc.constantFrom('n1', 'n2', 'n3')),
});

test('a fork and its original do the same when the same happens to them', () => {
	fc.assert(
		fc.property(cut, ({scenario, at, nodes: [node]}) => {
			const original = worldAt(scenario, at);
			const fork = original.fork();
			const ofFork = disturb(fork, node);
			expect(disturb(original, node)).toEqual(ofFork);
			expect(original.controllers?.lifecycle.zones.views).toEqual(fork.controllers?.lifecycle.zones.views);
		}),
		{numRuns: runsOf(50, 150)},
	);
});

test('whatever happens to a fork, its original goes on as if there were none', () => {
	fc.assert(
		fc.property(cut, fc.nat(60_000), ({scenario, at, nodes: [node, other]}, wait) => {
			const [original, untouched] = [worldAt(scenario, at), worldAt(scenario, at)];
			const fork = original.fork();
			disturb(fork, node);
			const [head, wanted] = [original, untouched].map((world) => [...world.advanceTo(at + wait)]);
			disturb(original.fork(), other);
			expect([head, disturb(original, other)]).toEqual([wanted, disturb(untouched, other)]);
		}),
		{numRuns: runsOf(35, 100)},
	);
});

test('a fork of a fork made later is the same world', () => {
	fc.assert(
		fc.property(cut, fc.nat(60_000), ({scenario, at, nodes: [node]}, wait) => {
			const original = worldAt(scenario, at);
			const fork = original.fork();
			for (const world of [original, fork]) world.advanceTo(at + wait);
			expect(disturb(fork.fork(), node)).toEqual(disturb(original, node));
		}),
		{numRuns: runsOf(20, 60)},
	);
});

const isOurs = (key: string) => /^node\.kubernetes\.io\/(not-ready|unreachable)$/.test(key);

/** The NoExecute taints from a zone's queue: the controller's own, on nodes that had none of them. */
function queuedTaints(effects: readonly TimedEffect[]): (readonly [node: string, at: Instant])[] {
	const present = new Map<string, number>();
	return effects.flatMap(({at, effect}) => {
		if (effect.type !== 'taintAdded' && effect.type !== 'taintRemoved') return [];
		if (effect.taint.effect !== 'NoExecute' || !isOurs(effect.taint.key)) return [];
		const before = present.get(effect.node) ?? 0;
		present.set(effect.node, before + (effect.type === 'taintAdded' ? 1 : -1));
		const isQueued = effect.type === 'taintAdded' && before === 0 && effect.taint.timeAdded !== undefined;
		return isQueued ? [[effect.node, at] as const] : [];
	});
}

test('no zone gets NoExecute taints faster than its rate allows', () => {
	fc.assert(
		fc.property(calmScenario, (scenario) => {
			const queued = queuedTaints(play(scenario));
			const {nodeEvictionRate, secondaryNodeEvictionRate} = scenario.config;
			const zones = Map.groupBy(scenario.nodes, ({labels}) => JSON.stringify(labels));
			for (const nodes of zones.values()) {
				const times = queued.filter(([node]) => nodes.some(({name}) => name === node)).map(([, at]) => at);
				expectAtMost(times, Math.max(nodeEvictionRate, secondaryNodeEvictionRate));
			}
		}),
		{numRuns: runsOf(35, 100)},
	);
});

/** Any window has at most one more than the rate times its length; a write may be some milliseconds late. */
function expectAtMost(times: readonly Instant[], rate: number): void {
	for (const [first, from] of times.entries()) {
		for (const to of times.slice(first)) {
			const count = times.filter((time) => time >= from && time <= to).length;
			expect(count).toBeLessThanOrEqual(1 + ((to - from) / second) * rate + 0.01);
		}
	}
}
