import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {WorkerPool, WorkQueue} from '../../../src/core/client/workerPool.ts';

function queueOf(...items: readonly string[]): WorkQueue {
	const queue = new WorkQueue();
	for (const item of items) queue.add(item);
	return queue;
}

function takeAll(queue: WorkQueue): string[] {
	const taken: string[] = [];
	for (let item = queue.get(); item !== undefined; item = queue.get()) taken.push(item);
	return taken;
}

test('items come out in the order in which they were added', () => {
	expect(takeAll(queueOf('b', 'a', 'c'))).toEqual(['b', 'a', 'c']);
});

test('an item that waits is not added twice, and keeps its place', () => {
	expect(takeAll(queueOf('a', 'b', 'a'))).toEqual(['a', 'b']);
});

test('an item added while it is worked on comes back when that is done, behind the others', () => {
	const queue = queueOf('a');
	queue.get();
	queue.add('a');
	queue.add('b');
	expect(queue.get()).toBe('b');
	expect(queue.get()).toBeUndefined();
	queue.done('a');
	expect(queue.get()).toBe('a');
});

test('an item that is done and was not added again is forgotten', () => {
	const queue = queueOf('a');
	queue.get();
	queue.done('a');
	expect(queue.get()).toBeUndefined();
});

test('a fork remembers what waits, what is worked on, and what is to come back', () => {
	const queue = queueOf('a', 'b');
	queue.get();
	queue.add('a');
	const fork = queue.fork();
	queue.done('a');
	expect(takeAll(queue)).toEqual(['b', 'a']);
	expect(takeAll(fork)).toEqual(['b']);
	fork.done('a');
	expect(takeAll(fork)).toEqual(['a']);
});

test('a pool hands out no more items than it has workers', () => {
	const pool = new WorkerPool(2);
	for (const item of ['a', 'b', 'c']) pool.add(item);
	expect([pool.take(), pool.take(), pool.take()]).toEqual(['a', 'b', undefined]);
	const fork = pool.fork();
	pool.done('a');
	expect([pool.take(), pool.take()]).toEqual(['c', undefined]);
	expect(fork.take()).toBeUndefined();
});

test('a worker of a pool that finds nothing to do stays free', () => {
	const pool = new WorkerPool(1);
	expect(pool.take()).toBeUndefined();
	pool.add('a');
	expect(pool.take()).toBe('a');
});

/** The queue as documented: a list of waiting items, and sets of the others. */
class NaiveQueue {
	waiting: string[] = [];
	processing: string[] = [];
	again: string[] = [];

	add(item: string): void {
		const list = this.processing.includes(item) ? this.again : this.waiting;
		if (!list.includes(item)) list.push(item);
	}

	get(): string | undefined {
		const item = this.waiting.shift();
		if (item !== undefined) this.processing.push(item);
		return item;
	}

	done(item: string): void {
		this.processing = this.processing.filter((other) => other !== item);
		if (this.again.includes(item)) this.waiting.push(item);
		this.again = this.again.filter((other) => other !== item);
	}
}

const item = fc.constantFrom('a', 'b', 'c', 'd');
const action = fc.oneof(
	fc.record({do: fc.constant('add' as const), item}),
	fc.record({do: fc.constant('done' as const), item}),
	fc.record({do: fc.constant('get' as const), item}),
);

test('the queue does what a naive one does', () => {
	fc.assert(
		fc.property(fc.array(action, {maxLength: 60}), (actions) => {
			const [queue, naive] = [new WorkQueue(), new NaiveQueue()];
			for (const {do: what, item} of actions) {
				if (what === 'get') expect(queue.get()).toBe(naive.get());
				else if (what === 'add') [queue, naive].forEach((one) => void one.add(item));
				else if (naive.processing.includes(item)) [queue, naive].forEach((one) => void one.done(item));
			}
			expect(takeAll(queue.fork())).toEqual(naive.waiting);
		}),
		{numRuns: 300},
	);
});
