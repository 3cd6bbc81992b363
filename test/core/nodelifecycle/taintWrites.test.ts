import {expect, test} from 'vitest';
import type {Simulation} from '../../../src/core/simulation/simulation.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode, aTaint} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

/** A world of slow calls: a node that becomes not ready gets a NoSchedule taint, read at 1 s, patched at 2 s. */
function slowWorld(): Simulation {
	const world = aWorld({
		nodes: [aNode('n1'), aNode('n2')],
		alive: ['n1', 'n2'],
		process: {callDuration: second},
	});
	world.startControllers();
	world.advanceTo(0);
	world.editNode('n1', (node) => ({...node, conditions: [aCondition('Ready', 'False')]}));
	return world;
}

/** Another client writes the node, so that a patch of the earlier version is refused. */
const touch = (world: Simulation) =>
	world.editNode('n1', (node) => ({...node, labels: {...node.labels, touched: `${world.now}`}}));

const withTaint = (world: Simulation) => story(world.advanceTo(60 * second), /NoSchedule/);

test('a taint is read for, then patched: two calls', () => {
	expect(withTaint(slowWorld())).toEqual(['2 s: n1 +not-ready:NoSchedule']);
});

test('a patch that meets a newer version is tried again after 100 to 200 ms, with the node read anew', () => {
	const world = slowWorld();
	world.advanceTo(1.5 * second);
	touch(world);
	const [line = ''] = withTaint(world);
	const at = Number.parseFloat(line);
	expect(at).toBeGreaterThanOrEqual(4.1);
	expect(at).toBeLessThanOrEqual(4.2);
	expect(world.state.node('n1')?.node.labels).toEqual({touched: '1500'});
});

test('after five refused patches the write is given up; the next change of the node tries again', () => {
	const world = slowWorld();
	const seen: string[] = [];
	for (let at = 0; at < 20 * second; at += 50) {
		seen.push(...story(world.advanceTo(at), /NoSchedule/));
		if (at < 12 * second) touch(world);
	}
	expect(seen).toHaveLength(1);
});

test('a node that is deleted between read and patch is let go', () => {
	const world = slowWorld();
	world.advanceTo(1.5 * second);
	world.observe({type: 'nodeDeleted', name: 'n1'});
	expect(withTaint(world)).toEqual([]);
});

test('a taint that is there when the node is read costs no patch', () => {
	const world = slowWorld();
	world.advanceTo(0.5 * second);
	const taint = aTaint('node.kubernetes.io/not-ready', {effect: 'NoSchedule', timeAdded: 0});
	const added = world.editNode('n1', (node) => ({...node, taints: [taint]}));
	expect(story([...added, ...world.advanceTo(3 * second)], /NoSchedule/)).toEqual([
		'0.5 s: n1 +not-ready:NoSchedule',
	]);
	expect(world.state.node('n1')?.version).toBe(3);
});

/** A node that was not ready and is Unknown: its first pass swaps one NoExecute taint for the other. */
function swapping(callDuration: number): Simulation {
	const node = aNode('n1', {conditions: [aCondition('Ready', 'False')]});
	const world = aWorld({nodes: [node, aNode('n2')], alive: ['n2'], process: {callDuration, passDuration: 1}});
	world.startControllers();
	world.advanceTo(40 * second);
	return world;
}

test('a swap adds the new taint before it takes the old one off', () => {
	expect(story(swapping(0).advanceTo(60 * second), /NoExecute/)).toEqual([
		'50.01 s: n1 +unreachable:NoExecute',
		'50.01 s: n1 -not-ready:NoExecute',
	]);
});

test('where adding a taint fails, the other one is not taken off', () => {
	const world = swapping(100);
	const seen: string[] = [];
	for (let at = 40 * second; at < 53 * second; at += 20) {
		seen.push(...story(world.advanceTo(at), /NoExecute/));
		if (at > 50.2 * second) touch(world);
	}
	expect(seen).toEqual([]);
	expect(story(world.advanceTo(60 * second), /NoExecute/)).toHaveLength(2);
});
