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

test('work that is due when it is added starts at once and has no timer', () => {
	const queue = new TimedWorkerQueue(false);
	expect(keys.map((key) => queue.addWork(key, 7, 7))).toEqual(keys.map(() => 'inFlight'));
	expect([queue.worker('1'), queue.scheduled.size]).toEqual([undefined, 0]);
});

test('work for a key that has some already is not added', () => {
	const {queue, timers} = fiveAddedTwice();
	expect(timers.map(({fireAt}) => fireAt)).toEqual([10, 10, 10, 10, 10]);
	expect([...queue.scheduled.keys()]).toEqual(keys);
});

test('each timer fires once', () => {
	const {queue, timers} = fiveAddedTwice();
	expect(timers.map(({id}) => queue.fire(id))).toEqual(keys);
	expect(timers.map(({id}) => queue.fire(id))).toEqual(keys.map(() => undefined));
});

test('a timer that was cancelled does not fire', () => {
	const {queue, timers} = fiveAddedTwice();
	expect(['2', '4'].map((key) => queue.cancelWork(key))).toEqual([true, true]);
	expect(timers.flatMap(({id}) => queue.fire(id) ?? [])).toEqual(['1', '3', '5']);
});

test('work that was cancelled can be added again', () => {
	const {queue, timers} = fiveAddedTwice();
	queue.cancelWork('2');
	const again = queue.addWork('2', 5, 20);
	expect(again).toMatchObject({createdAt: 5, fireAt: 20});
	expect(timers.flatMap(({id}) => queue.fire(id) ?? [])).toEqual(['1', '3', '4', '5']);
	expect(again && again !== 'inFlight' && queue.fire(again.id)).toBe('2');
});

test('nothing can be cancelled for a key without work, nor where the work began at once', () => {
	const queue = new TimedWorkerQueue(false);
	queue.addWork('now', 7, 7);
	expect([queue.cancelWork('nobody'), queue.cancelWork('now')]).toEqual([false, false]);
	expect(queue.addWork('now', 8, 8)).toBe('inFlight');
});

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

test('a fork has its own workers and timers', () => {
	const {queue, timers} = fiveAddedTwice();
	const fork = queue.fork();
	fork.cancelWork('1');
	fork.addWork('6', 0, 10);
	expect(timers.flatMap(({id}) => queue.fire(id) ?? [])).toEqual(keys);
	expect(queue.worker('6')).toBeUndefined();
	expect(timers.flatMap(({id}) => fork.fire(id) ?? [])).toEqual(['2', '3', '4', '5']);
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

test('work that failed leaves no key behind', () => {
	const queue = new TimedWorkerQueue(true);
	queue.addWork('web', 7, 7);
	queue.finished('web', false);
	expect(queue.addWork('web', 8, 8)).toBe('inFlight');
});
