import {Writable} from 'node:stream';
import type {ShownScreen} from '../../../ui/support/terminal.ts';

export const size = {columns: 200, rows: 50};

export type Drawn = {
	/** Waits until something is written completely. */
	readonly settled: () => Promise<void>;
	/** Waits for the next write. */
	readonly next: () => Promise<void>;
};

/** A terminal that discards all output: an emulator in the same process would cost more than the screen. */
export function onNothing(shown: ShownScreen): Drawn {
	let written = Promise.withResolvers<void>();
	const sink = new Writable({
		write: (_chunk, _encoding, done) => {
			written.resolve();
			done();
		},
	});
	shown.terminal.stdout.write = sink.write.bind(sink) as typeof shown.terminal.stdout.write;
	return {
		settled: async () => {
			await written.promise;
			await shown.running.flushed();
			written = Promise.withResolvers();
		},
		next: () => {
			written = Promise.withResolvers();
			return written.promise;
		},
	};
}
