import type {CommandSpec} from '../args/commandSet.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from '../output/terminal.ts';

export type Command = CommandSpec & {
	/** Runs it and returns the exit code. Imports what it needs, so that help loads no transport. */
	run(options: Options, terminal: Terminal): Promise<number>;
};

/** An action that is imported once it runs. */
export const loaded =
	(load: () => Promise<Command['run']>): Command['run'] =>
	async (options, terminal) =>
		(await load())(options, terminal);
