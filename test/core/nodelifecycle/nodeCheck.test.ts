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
const touch = (world: Simulation) => world.editNode('n1', (node) => ({...node, uid: `${node.uid}'`}));
const counted = (world: Simulation) =>
	world.controllers?.lifecycle.zones.views.map(({size, notReady}) => [size, notReady]);

test('a node turns Unknown when the call that says so is answered', () => {
	expect(unknown(beforeTheWrite(), 60 * second)).toEqual(['55.1 s: n1 Ready=Unknown']);
});

test('a write that meets a newer version is made again: the node is read, and judged after 20 ms', () => {
	const world = beforeTheWrite();
	touch(world);
	expect(unknown(world, 60 * second)).toEqual(['55.32 s: n1 Ready=Unknown']);
});

test('a node that somebody else writes over and over is left out of the pass, and of its count', () => {
	const world = beforeTheWrite();
	const seen: string[] = [];
	for (let at = 55 * second; at < 56.5 * second; at += 20) {
		touch(world);
		seen.push(...unknown(world, at));
	}
	expect([seen, counted(world)]).toEqual([[], [[1, 0]]]);
	expect(unknown(world, 70 * second)).toHaveLength(1);
	expect(counted(world)).toEqual([[2, 1]]);
});

test('a node that is deleted while its write is under way is left out', () => {
	const world = beforeTheWrite();
	world.observe({type: 'nodeDeleted', name: 'n1'});
	expect(unknown(world, 100 * second)).toEqual([]);
	expect(counted(world)).toEqual([[1, 0]]);
});

test('a kubelet that comes back while the write is under way wins', () => {
	const world = beforeTheWrite();
	world.startKubelet(
		'n1',
		{firstRenewalAt: world.now, renewInterval: 10_000, statusInterval: 300_000, hasLease: true},
		true,
	);
	expect(unknown(world, 100 * second)).toEqual([]);
});

const readsLeases = {confirmsSilence: true};

test('since v1.37 a node turns Unknown once its lease was read, and the call that says so is answered', () => {
	expect(unknown(beforeTheWrite(readsLeases), 60 * second)).toEqual(['55.2 s: n1 Ready=Unknown']);
});

test('since v1.37 a write that is made again is preceded by another read of the lease', () => {
	const world = beforeTheWrite(readsLeases);
	touch(world);
	expect(unknown(world, 60 * second)).toEqual(['55.52 s: n1 Ready=Unknown']);
});

test('a node whose lease was renewed meanwhile is left out of the pass and of its count, and alive in the next', () => {
	const world = beforeTheWrite(readsLeases);
	expect(unknown(world, 55.05 * second)).toEqual([]);
	const renewal = {firstRenewalAt: world.now, renewInterval: 10_000, statusInterval: 300_000, hasLease: true};
	world.startKubelet('n1', renewal, false);
	expect(unknown(world, 60 * second)).toEqual([]);
	expect(counted(world)).toEqual([[1, 0]]);
	expect(unknown(world, 100 * second)).toEqual([]);
	expect(counted(world)).toEqual([[2, 0]]);
});

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

test('the reads of silent nodes keep a throttled client busy: a node that falls silent later turns Unknown later', () => {
	const dead = Array.from({length: 60}, (_, index) => aNode(`dead-${index}`));
	const turns = (settings: Partial<ControllerSettings>) => {
		const world = aWorld({
			nodes: [...dead, aNode('n1')],
			alive: ['n1'],
			settings: {...settings, kubeApiQps: 1, kubeApiBurst: 10},
			process: {callDuration: 1},
		});
		world.startControllers();
		world.advanceTo(600 * second);
		world.stopKubelet('n1');
		const [first = ''] = unknown(world, 900 * second);
		return Number.parseFloat(first);
	};
	const [before, since] = [turns({}), turns(readsLeases)];
	expect(before).toBeLessThanOrEqual(660);
	// A pass reads 60 leases with one token per second: it is noticed a pass later, and its own read waits in the queue.
	expect(since - before).toBeGreaterThan(60);
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
