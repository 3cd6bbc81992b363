import {expect, test} from 'vitest';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {aNode} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

/** Two nodes, n1 silent; calls take 100 ms, so its write at 55 s is sent and arrives at 55.1 s. */
function beforeTheWrite(settings: Partial<ControllerSettings> = {}): Simulation {
	const nodes = [aNode('n1'), aNode('n2')];
	const world = aWorld({nodes, alive: ['n2'], settings, process: {callDuration: 100}});
	world.startControllers();
	world.advanceTo(55 * second);
	return world;
}

const unknown = (world: Simulation, until: Instant) => story(world.advanceTo(until), /n1 Ready=Unknown/);
const counted = (world: Simulation) =>
	world.controllers?.lifecycle.zones.views.map(({size, notReady}) => [size, notReady]);

const readsLeases = {confirmsSilence: true};

test('since v1.37 a node whose lease somebody else wrote does not turn Unknown, and is left out of its zone', () => {
	const touched = (settings: Partial<ControllerSettings>) => {
		const world = beforeTheWrite(settings);
		world.state.touchLease('n1', world.now);
		return [unknown(world, 300 * second).length, counted(world), world] as const;
	};
	expect(touched({}).slice(0, 2)).toEqual([1, [[2, 1]]]);
	const [turns, zones, world] = touched(readsLeases);
	expect([turns, zones]).toEqual([0, [[1, 0]]]);
	// Restarted controllers do not know the earlier lease.
	world.stopControllers();
	world.startControllers();
	expect(unknown(world, 400 * second)).toHaveLength(1);
});

test('since v1.37 every pass reads the lease of every silent node, also of those that are Unknown already', () => {
	const isPassAtWork = (settings: Partial<ControllerSettings>) => {
		const world = beforeTheWrite(settings);
		world.advanceTo(58 * second);
		const passes = [60, 65, 70].map((at) => {
			world.advanceTo(at * second + 350);
			return world.controllers?.lifecycle.pass !== undefined;
		});
		return passes;
	};
	// Each pass begins 5 s after the previous one, which took 200 ms, then 100 ms for each read.
	expect(isPassAtWork(readsLeases)).toEqual([false, true, false]);
	expect(isPassAtWork({})).toEqual([false, false, false]);
});

test('since v1.37 a node that is tainted while a pass reads leases takes another token for nothing', () => {
	const zoned = (name: string) => aNode(name, {labels: {'topology.kubernetes.io/zone': name.slice(0, 1)}});
	const [dead, well] = ['a', 'b'].map((zone) => Array.from({length: 72}, (_, n) => zoned(`${zone}${n}`)));
	const gaps = (settings: Partial<ControllerSettings>) => {
		const world = aWorld({
			nodes: [...(dead ?? []), ...(well ?? [])],
			alive: (well ?? []).map(({name}) => name),
			settings: {...settings, kubeApiQps: 20, kubeApiBurst: 30},
			process: {callDuration: 1, noExecuteCallsTakeTime: false},
		});
		world.startControllers();
		const taints = world
			.advanceTo(600 * second)
			.filter(
				({at, effect}) =>
					effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute' && at > 200 * second,
			)
			.map(({at}) => at);
		return taints.slice(1).map((at, n) => (at - (taints[n] ?? 0)) / second);
	};
	expect(Math.max(...gaps({}))).toBeLessThan(12);
	expect(Math.max(...gaps(readsLeases))).toBeGreaterThan(18);
	expect(Math.max(...gaps(readsLeases))).toBeLessThan(22);
});
