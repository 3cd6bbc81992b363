import {expect, test} from 'vitest';
import {TaskGroup, untilBothEnd, untilFirstEnds} from '../../src/async/taskGroup.ts';

/** A task that ends when its signal aborts, and then records its name. */
const untilAborted = (ended: string[], name: string) => (signal: AbortSignal) =>
	new Promise<void>((resolve) => {
		signal.addEventListener('abort', () => {
			ended.push(name);
			resolve();
		});
	});

test('a task that fails ends the others, also those that came later, and only then the failure comes out', async () => {
	const ended: string[] = [];
	const group = new TaskGroup();
	const {promise, reject} = Promise.withResolvers<never>();
	const all = group.until(new AbortController().signal, (untilEnd) => {
		group.add(promise);
		group.add(untilAborted(ended, 'first')(untilEnd));
	});
	group.add(untilAborted(ended, 'later')(group.signal));
	reject(new Error('no more'));
	await expect(all).rejects.toThrow('no more');
	expect(ended).toEqual(['first', 'later']);
});

test('a task that ends leaves the others of a group to go on', async () => {
	const ended: string[] = [];
	const end = new AbortController();
	const group = new TaskGroup();
	const all = group.until(end.signal, (untilEnd) => {
		group.add(Promise.resolve());
		group.add(untilAborted(ended, 'other')(untilEnd));
	});
	await Promise.resolve();
	expect([group.signal.aborted, ended]).toEqual([false, []]);
	end.abort();
	await all;
	expect(ended).toEqual(['other']);
});

test('the first to end ends the others; what they fail with then is told', async () => {
	const ended: string[] = [];
	const {signal} = new AbortController();
	await untilFirstEnds(signal, () => Promise.resolve(), untilAborted(ended, 'other'));
	expect(ended).toEqual(['other']);
	const failing = untilFirstEnds(
		signal,
		() => Promise.resolve(),
		(untilEnd) => untilAborted(ended, 'last')(untilEnd).then(() => Promise.reject(new Error('late'))),
	);
	await expect(failing).rejects.toThrow('late');
});

test('a failure of the work waits for the end of the screen', async () => {
	const screen = Promise.withResolvers<string>();
	const both = untilBothEnd(Promise.reject(new Error('lost')), screen.promise);
	let isTold = false;
	both.catch(() => {
		isTold = true;
	});
	await new Promise((resolve) => setImmediate(resolve));
	expect(isTold).toBe(false);
	screen.resolve('closed');
	await expect(both).rejects.toThrow('lost');
	expect(await untilBothEnd(Promise.resolve(), screen.promise)).toBe('closed');
});
