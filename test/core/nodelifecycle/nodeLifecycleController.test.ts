import {expect, test} from 'vitest';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

const unreachable = 'node.kubernetes.io/unreachable';
const notReady = 'node.kubernetes.io/not-ready';
const patient = aPod('web', {tolerations: [tolerates(unreachable, 300), tolerates(notReady, 300)]});
const dead = {conditions: [aCondition('Ready', 'Unknown')]};

/** Five nodes of one zone, n1 silent; passes take a millisecond, so that they do not coincide with the queue's. */
const aZone = (parts: Parameters<typeof aWorld>[0] = {}) =>
	aWorld({
		nodes: ['n1', 'n2', 'n3', 'n4', 'n5'].map((name) => aNode(name)),
		pods: [patient],
		alive: ['n2', 'n3', 'n4', 'n5'],
		process: {passDuration: 1},
		...parts,
	});

function play(world: ReturnType<typeof aWorld>, until: Instant, pattern?: RegExp): string[] {
	return story([...world.startControllers(), ...world.advanceTo(until)], pattern);
}

test("since v1.34 a node whose turn to Unknown the controller's cache does not show yet is taken for ready, and costs a token", () => {
	const process = {passDuration: 1, cacheDelay: 100};
	expect(play(aZone({process}), 100 * second, /Ready=Unk|NoExecute/)).toEqual([
		'50.01 s: n1 Ready=Unknown',
		// It is queued again in the next pass, and waits for the next token.
		'60.1 s: n1 +unreachable:NoExecute',
	]);
});

test('a node that is deleted while it waits costs a token and nothing else', () => {
	const nodes = ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'].map((name) => aNode(name));
	const world = aZone({nodes, alive: ['n4', 'n5', 'n6', 'n7']});
	play(world, 55 * second);
	const waiting = world.controllers?.lifecycle.zones.queue('')?.values ?? [];
	for (const name of waiting) world.observe({type: 'nodeDeleted', name});
	expect(waiting).toHaveLength(2);
	expect(story(world.advanceTo(200 * second), /NoExecute/)).toEqual([]);
	expect(world.controllers?.lifecycle.zones.queue('')?.size).toBe(0);
});

test('a start of the controller takes the NoExecute taints off all nodes, so every countdown starts again', () => {
	const tainted = aNode('n1', {...dead, taints: [aTaint(unreachable, {timeAdded: -200 * second})]});
	const world = aZone({nodes: [tainted, ...['n2', 'n3', 'n4', 'n5'].map((name) => aNode(name))]});
	expect(play(world, 400 * second, /NoExecute|delete/)).toEqual([
		'0 s: n1 -unreachable:NoExecute',
		'0.1 s: n1 +unreachable:NoExecute',
		'300.1 s: delete shop/web',
	]);
});

test('until 1.33 the condition that the pass found decides, so a node is queued one pass after it turned Unknown', () => {
	expect(play(aZone({settings: {queuesInPassOfTransition: false}}), 100 * second, /Ready|NoExecute/)).toEqual(
		['50.01 s: n1 Ready=Unknown', '50.01 s: shop/web Ready=False', '55.1 s: n1 +unreachable:NoExecute'],
	);
});
