import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {EventLoop} from '../../../src/core/time/eventLoop.ts';
import type {Instant} from '../../../src/core/time/instant.ts';

type Fired = readonly [event: string, at: Instant];

function run(loop: EventLoop<string>, ...stops: readonly Instant[]): Fired[] {
	const fired: Fired[] = [];
	for (const stop of stops) loop.advanceTo(stop, (event, at) => fired.push([event, at]));
	return fired;
}

function loopWith(times: readonly Instant[]): EventLoop<string> {
	const loop = new EventLoop<string>(0);
	for (const [index, time] of times.entries()) loop.schedule(time, `#${index}`);
	return loop;
}

test('events fire in order of due time, each at its own', () => {
	expect(run(loopWith([30, 10, 20]), 100)).toEqual([
		['#1', 10],
		['#2', 20],
		['#0', 30],
	]);
});

test('events of one instant fire in the order in which they were scheduled', () => {
	expect(run(loopWith([5, 5, 5]), 5).map(([event]) => event)).toEqual(['#0', '#1', '#2']);
});

test('an event at the target fires, one behind it waits', () => {
	const loop = loopWith([10, 11]);
	expect(run(loop, 10)).toEqual([['#0', 10]]);
	expect([loop.now, loop.nextDueAt]).toEqual([10, 11]);
});

test('an event that was due in the past fires now, behind those that wait for this instant', () => {
	const loop = new EventLoop<string>(50);
	loop.schedule(50, 'on time');
	loop.schedule(7, 'late');
	expect(run(loop, 50)).toEqual([
		['on time', 50],
		['late', 50],
	]);
});

test('an event scheduled by a handler for the same instant fires in the same advance', () => {
	const loop = new EventLoop<string>(0);
	loop.schedule(10, 'first');
	const fired: Fired[] = [];
	loop.advanceTo(10, (event, at) => {
		fired.push([event, at]);
		if (event === 'first') loop.schedule(at, 'second');
	});
	expect(fired).toEqual([
		['first', 10],
		['second', 10],
	]);
});

test('with nothing scheduled only the time moves', () => {
	const loop = new EventLoop<string>(0);
	expect(run(loop, 1e9)).toEqual([]);
	expect([loop.now, loop.nextDueAt]).toEqual([1e9, undefined]);
});

test('time that runs backwards is a broken invariant', () => {
	const loop = new EventLoop<string>(10);
	expect(() => run(loop, 9)).toThrow('time runs backwards: 10 -> 9');
});

test('a fork and its original do not see what the other schedules', () => {
	const loop = loopWith([10, 40]);
	const fork = loop.fork();
	fork.schedule(20, 'of the fork');
	loop.schedule(30, 'of the original');
	expect(run(fork, 100).map(([event]) => event)).toEqual(['#0', 'of the fork', '#1']);
	expect(run(loop, 100).map(([event]) => event)).toEqual(['#0', 'of the original', '#1']);
});

const dueTimes = fc.array(fc.nat(50), {maxLength: 40});

test('the heap fires in the order that a stable sort gives', () => {
	fc.assert(
		fc.property(dueTimes, (times) => {
			const sorted = times.map((at, index): Fired => [`#${index}`, at]).toSorted(([, a], [, b]) => a - b);
			expect(run(loopWith(times), 50)).toEqual(sorted);
		}),
		{numRuns: 200},
	);
});

test('one long step and many short ones fire the same events at the same times', () => {
	fc.assert(
		fc.property(dueTimes, fc.array(fc.nat(50)), (times, stops) => {
			const short = [...stops.toSorted((a, b) => a - b), 50];
			expect(run(loopWith(times), ...short)).toEqual(run(loopWith(times), 50));
		}),
		{numRuns: 200},
	);
});
