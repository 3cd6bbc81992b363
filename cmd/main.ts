import process from 'node:process';
import {describeFailure} from './output/failure.ts';
import {writeWarnings} from './output/processWarnings.ts';
import {endWithReader, isBrokenPipe, processTerminal} from './output/terminal.ts';
import {run} from './run.ts';

/** Runs the command line of the process, then exits. */
export async function main(): Promise<never> {
	endWithReader();
	writeWarnings(process, processTerminal);
	try {
		process.exitCode = await run(process.argv.slice(2), processTerminal);
	} catch (error) {
		if (isBrokenPipe(error)) process.exit(0);
		await processTerminal.printError(describeFailure(error));
		process.exitCode = 1;
	}
	// Kept-alive connections would keep the process running.
	process.exit();
}
