import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {writeWarnings} from '../../../cmd/output/processWarnings.ts';

/** What is written of warnings, and what reaches the listener that was there before. */
function written(warnings: readonly Error[], ...before: readonly (() => void)[]): readonly string[] {
	const source = new EventEmitter();
	for (const listener of before) source.on('warning', listener);
	const texts: string[] = [];
	writeWarnings(source, {printError: async (text) => void texts.push(text)});
	for (const warning of warnings) source.emit('warning', warning);
	return texts;
}

const raw = () => expect.unreachable('Node.js writes it');

test('a warning of a library is a message of one line, without secrets', () => {
	expect(written([new Error('odd: Authorization: Bearer hush\nnew')], raw)).toEqual([
		'Warning: odd: Authorization: [removed]; new\n',
	]);
});

test('what users cannot act on is not written, nor anything if Node.js is to write no warnings', () => {
	expect(written([new Error('SOCKS5 proxy support is experimental and subject to change')], raw)).toEqual([]);
	expect(written([new Error('odd')])).toEqual([]);
});
