import {expect, test} from 'vitest';
import {Closers} from '../../../cmd/shadow/closers.ts';

test('what was begun last ends first, what is to be last ends last, and each waits for the one before', async () => {
	const closers = new Closers();
	const ended: string[] = [];
	closers.add(() => void ended.push('first'));
	closers.add(async () => {
		await new Promise((resolve) => setImmediate(resolve));
		ended.push('slow');
	});
	closers.addLast(() => void ended.push('last'));
	await closers.close();
	await closers.close();
	expect(ended).toEqual(['slow', 'first', 'last']);
});

test('one that fails keeps no other from its end, and is heard of', async () => {
	const closers = new Closers();
	const ended: string[] = [];
	closers.add(() => void ended.push('other'));
	closers.add(() => Promise.reject(new Error('stuck')));
	await expect(closers.close()).rejects.toThrow('stuck');
	expect(ended).toEqual(['other']);
});
