import {expect, test} from 'vitest';
import type {Pod} from '../../../src/core/model/pod.ts';
import {second} from '../../../src/core/time/instant.ts';
import {aCondition, aNode, aPod, aTaint} from '../../support/builders.ts';
import {aWorld, story} from '../../support/simulations.ts';

type Parts = Parameters<typeof aWorld>[0];

/** A cluster with a collector whose passes are at 0 s, 20 s, 40 s, ...; returns the forced deletions. */
function aCollector(parts: Parts) {
	const world = aWorld({hasPodGc: true, ...parts});
	const removed = (effects: Parameters<typeof story>[0]) => story(effects, /force-delete/);
	const started = removed(world.startControllers());
	return {
		world,
		started,
		/** The deletions up to an instant, in seconds. */
		until: (seconds: number) => removed(world.advanceTo(seconds * second)),
	};
}

const going = {deletionTimestamp: 0};
const fenced = aNode('n1', {
	conditions: [aCondition('Ready', 'False')],
	taints: [aTaint('node.kubernetes.io/out-of-service')],
});

test('a pass sees pods and nodes as they were at its beginning, however long it takes', () => {
	const pods = ['a', 'b', 'c'].map((name) => aPod(name));
	const {until, world} = aCollector({pods, process: {callDuration: 1000}});
	until(41.5);
	// The first pod is being removed; the node comes back, and the others are deleted nevertheless.
	world.observe({type: 'nodeApplied', node: aNode('n1')});
	expect(until(300)).toEqual([
		'43 s: force-delete shop/a',
		'45 s: force-delete shop/b',
		'47 s: force-delete shop/c',
	]);
});

test('a removal that fails is not tried again before the next pass', () => {
	const {until, world} = aCollector({
		nodes: [fenced],
		pods: [aPod('web', going)],
		process: {callDuration: 1000},
	});
	until(0.5);
	// Another pod of the same name is created before the status is written.
	world.observe({type: 'podDeleted', namespace: 'shop', name: 'web'});
	world.observe({type: 'podApplied', pod: aPod('web', {...going, uid: 'another'})});
	expect(until(20.9)).toEqual([]);
	expect(until(60)).toEqual(['23 s: force-delete shop/web again']);
});

test.for(['Succeeded', 'Failed'])('a pod that has finished is deleted without a word of why: %s', (phase) => {
	const removalOf = (pod: Partial<Pod>) =>
		aCollector({pods: [aPod('job', pod)], process: {callDuration: 1000}}).until(300);
	// The status of one that runs is written first, which takes a call more.
	expect(removalOf({phase: 'Running'})).toEqual(['43 s: force-delete shop/job']);
	expect(removalOf({phase})).toEqual(['42 s: force-delete shop/job']);
});
