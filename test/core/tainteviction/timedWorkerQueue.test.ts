import {expect, test} from 'vitest';
import {TimedWorkerQueue} from '../../../src/core/tainteviction/timedWorkerQueue.ts';

const keys = ['1', '2', '3', '4', '5'];

/** A queue with work for five keys, each added twice, due at ten; and its timers. */
function fiveAddedTwice() {
	const queue = new TimedWorkerQueue(false);
	const timers = [...keys, ...keys].flatMap((key) => {
		const worker = queue.addWork(key, 0, 10);
		return worker && worker !== 'inFlight' ? [worker] : [];
	});
	return {queue, timers};
}

test('work of the same key that is in flight swallows the new one', () => {
	const {queue, timers} = fiveAddedTwice();
	const [first] = timers;
	if (first) queue.fire(first.id);
	expect(queue.addWork('1', 12, 30)).toBeUndefined();
	queue.finished('1', true);
	expect(queue.addWork('1', 12, 30)).toMatchObject({fireAt: 30});
});

test('a worker already at work counts as cancelled, though nothing stops it', () => {
	const {queue, timers} = fiveAddedTwice();
	const [first] = timers;
	expect(first && queue.fire(first.id)).toBe('1');
	expect(queue.cancelWork('1')).toBe(true);
	expect(queue.worker('1')).toBeUndefined();
});

test('the key is forgotten even where other work of that key was added meanwhile', () => {
	const {queue, timers} = fiveAddedTwice();
	const [first] = timers;
	if (first) queue.fire(first.id);
	queue.cancelWork('1');
	const second = queue.addWork('1', 12, 30);
	queue.finished('1', true);
	expect(queue.worker('1')).toBeUndefined();
	expect(second && second !== 'inFlight' && queue.fire(second.id)).toBe('1');
});

test('until 1.32 the key of a finished deletion stays, and swallows new work, until its pod is seen to be gone', () => {
	const outcomes = [true, false].map((keepsFinished) => {
		const queue = new TimedWorkerQueue(keepsFinished);
		queue.addWork('web', 7, 7);
		queue.finished('web', true);
		const swallowed = queue.addWork('web', 8, 20) === undefined;
		queue.cancelWork('web');
		return {swallowed, again: queue.addWork('web', 9, 20) !== undefined};
	});
	expect(outcomes).toEqual([
		{swallowed: true, again: true},
		{swallowed: false, again: true},
	]);
});

test('what is cancelled never fires, what is due at once has no timer, and a fork goes its own way', () => {
	const queue = new TimedWorkerQueue(false);
	const worker = queue.addWork('later', 0, 10);
	expect([queue.addWork('now', 5, 5), queue.addWork('now', 5, 20)]).toEqual(['inFlight', undefined]);
	expect([...queue.scheduled.keys()]).toEqual(['later']);
	const fork = queue.fork();
	expect([fork.cancelWork('later'), fork.cancelWork('now'), fork.cancelWork('now')]).toEqual([
		true,
		false,
		false,
	]);
	const fire = (of: TimedWorkerQueue) => worker && worker !== 'inFlight' && of.fire(worker.id);
	expect([fire(fork), fire(queue), fire(queue)]).toEqual([undefined, 'later', undefined]);
});
