import type {CommandSpec} from '../args/commandSet.ts';
import type {Options} from '../args/options.ts';
import type {Terminal} from '../output/terminal.ts';

/** A command: what it takes, and what it does. */
export type Command = CommandSpec & {
	/** Carries it out, and answers with the exit code. It loads what that takes: help waits for no transport. */
	run(options: Options, terminal: Terminal): Promise<number>;
};
