import {existsSync} from 'node:fs';
import {join} from 'node:path';

/** A bench: it measures, and formats the results. */
type Bench<Measured> = {
	/** Its results are plain data: `--json` prints them. */
	readonly measure: (args: readonly string[]) => Measured | Promise<Measured>;
	readonly report: (measured: Measured) => string;
};

/** Why a bench cannot run on this machine. */
export type Unmeasurable = {readonly unmeasurable: string};

export const isUnmeasurable = (measured: object): measured is Unmeasurable => 'unmeasurable' in measured;

/** The flag that prints data, in the last line, instead of text. */
const asData = '--json';

/** Runs a bench with the command line's arguments; returns its results. */
export async function runAsProgram<Measured>({measure, report}: Bench<Measured>): Promise<Measured> {
	const args = process.argv.slice(2);
	const measured = await measure(args.filter((arg) => arg !== asData));
	console.log(args.includes(asData) ? JSON.stringify(measured) : report(measured));
	return measured;
}

/** The arguments with which a bench prints data, and the parser of its output. */
export const dataArgs = (args: readonly string[]): readonly string[] => [...args, asData];
export const dataOf = <Measured>(printed: string): Measured =>
	JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as Measured;

/** Whether a program is on PATH. */
export const isOnPath = (program: string): boolean =>
	(process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
