import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';
import {shellWord} from '../../src/text/pasted.ts';

test('a plain name stays as it is', () => {
	expect(shellWord('node-1.eu/west:NoExecute-')).toBe('node-1.eu/west:NoExecute-');
});

test
	.skipIf(process.platform === 'win32')
	.for([
		'; touch /tmp/created',
		'$(touch /tmp/created)',
		'`id`',
		"it's",
		'a b\nc',
		'*',
		'~',
		'-rf',
		'',
		'"$HOME"',
	])('a shell takes %j as one word, as it is', (text) => {
	const printed = execFileSync('/bin/sh', ['-c', `printf '<%s>' x${shellWord(text)}x ${shellWord(text)}`], {
		encoding: 'utf8',
	});
	expect(printed).toBe(`<x${text}x><${text}>`);
});
