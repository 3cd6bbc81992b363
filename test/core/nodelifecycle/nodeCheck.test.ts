import {expect, test} from 'vitest';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {aNode} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

/** Two nodes, n1 silent; calls take 100 ms, so that its write at 55 s is sent and arrives at 55.1 s. */
function beforeTheWrite(): Simulation {
	const world = aWorld({nodes: [aNode('n1'), aNode('n2')], alive: ['n2'], process: {callDuration: 100}});
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
