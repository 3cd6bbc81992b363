import type {Terminal} from '../../cmd/output/terminal.ts';
import {run} from '../../cmd/run.ts';
import {recordingTerminal} from './recordingTerminal.ts';

type Printed = {readonly exitCode: number; readonly out: string; readonly err: string};

/** What a command prints, and its exit code. */
export async function printedBy(command: (terminal: Terminal) => number | Promise<number>): Promise<Printed> {
	const terminal = recordingTerminal();
	const exitCode = await command(terminal);
	return {exitCode, ...terminal.texts()};
}

/** What the program prints for a command line, and its exit code. */
export const printedFor = (...words: readonly string[]): Promise<Printed> =>
	printedBy((terminal) => run(words, terminal));
