import {expect, test} from 'vitest';
import {terminalLock} from '../../../cmd/output/terminalLock.ts';
import {bareEnvironment} from '../../support/testEnvironment.ts';
import {recordingTerminal} from '../recordingTerminal.ts';

const standard = (isTTY: boolean) => ({stdout: {isTTY}, stderr: {isTTY}});

test('the terminal is lent to one after the other, whatever became of the first', async () => {
	const lock = terminalLock();
	const first = Promise.withResolvers<string>();
	const order: string[] = [];
	const one = lock.lend(() => first.promise);
	const other = lock.lend(async () => order.push('second begins'));
	order.push('first ends');
	first.reject(new Error('wrong password'));
	await expect(one).rejects.toThrow('wrong password');
	await other;
	expect(order).toEqual(['first ends', 'second begins']);
});

test.for([
	{name: 'wait while it is lent, where they go to it', isTTY: true, meanwhile: ''},
	{name: 'do not wait where they go to a file', isTTY: false, meanwhile: 'row\n'},
])('words $name', async ({isTTY, meanwhile}) => {
	const lock = terminalLock();
	const terminal = recordingTerminal();
	const held = lock.heldBack(terminal, standard(isTTY));
	const answer = Promise.withResolvers<void>();
	const lent = lock.lend(() => answer.promise);
	const printed = held.print('row\n');
	await new Promise(setImmediate);
	expect(terminal.texts().out).toBe(meanwhile);
	answer.resolve();
	await Promise.all([lent, printed]);
	expect(terminal.texts().out).toBe('row\n');
});

test('what a plugin says is told at once, but for what a screen hides: its last words are told afterwards', async () => {
	const heard: string[] = [];
	const lock = terminalLock();
	const {writeError, lendTerminal} = lock.around(bareEnvironment({writeError: (text) => heard.push(text)}));
	writeError('at once\n');
	let borrowed = 0;
	lock.drawnBy((use) => {
		borrowed++;
		return use();
	});
	writeError(`${'x'.repeat(10_000)}renewed\n`);
	await lendTerminal(async () => writeError('Password: '));
	expect([heard, borrowed]).toEqual([['at once\n', 'Password: '], 1]);
	lock.drawnBy(undefined);
	const words = lock.takeWords();
	expect(words).toMatch(/^x+renewed\n$/);
	expect(words.length).toBeLessThan(5000);
	expect(lock.takeWords()).toBe('');
});
