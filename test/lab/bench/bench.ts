import {existsSync} from 'node:fs';
import {join} from 'node:path';

/** A bench: it measures, and puts what it measured into words. */
type Bench<Measured> = {
	/** What it measures is plain data: with `--json` it is printed as it is. */
	readonly measure: (args: readonly string[]) => Measured | Promise<Measured>;
	readonly report: (measured: Measured) => string;
};

/** Why a bench cannot measure on this machine. */
export type Unmeasurable = {readonly unmeasurable: string};

export const isUnmeasurable = (measured: object): measured is Unmeasurable => 'unmeasurable' in measured;

/** What makes a bench print data, in the last line, in place of words. */
const asData = '--json';

/** Runs a bench as a program, with what the command line says; answers what it measured. */
export async function runAsProgram<Measured>({measure, report}: Bench<Measured>): Promise<Measured> {
	const args = process.argv.slice(2);
	const measured = await measure(args.filter((arg) => arg !== asData));
	console.log(args.includes(asData) ? JSON.stringify(measured) : report(measured));
	return measured;
}

/** What a program of a bench answers with: the command line that asks for data, and how that is read. */
export const dataArgs = (args: readonly string[]): readonly string[] => [...args, asData];
export const dataOf = <Measured>(printed: string): Measured =>
	JSON.parse(printed.trimEnd().split('\n').at(-1) ?? '') as Measured;

/** Whether a program can be run by its name. */
export const isOnPath = (program: string): boolean =>
	(process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
