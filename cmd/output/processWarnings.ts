import type {EventEmitter} from 'node:events';
import {messageOf} from '../../src/text/userError.ts';
import type {Terminal} from './terminal.ts';

/**
 * Writes warnings of Node.js and of libraries as messages: Node.js would write them raw, with whatever text and secrets they
 * quote. None are written if Node.js was told to write none. That undici's SOCKS proxies are experimental is hidden: users
 * cannot act on it.
 *
 * @param source the process
 */
export function writeWarnings(source: EventEmitter, {printError}: Pick<Terminal, 'printError'>) {
	if (source.listenerCount('warning') === 0) return;
	source.removeAllListeners('warning').on('warning', (warning: Error) => {
		const message = messageOf(warning);
		if (!message.startsWith('SOCKS5 proxy support is experimental')) void printError(`Warning: ${message}\n`);
	});
}
