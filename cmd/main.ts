import process from 'node:process';
import {describeFailure} from './output/failure.ts';
import {endWithReader, isBrokenPipe, processTerminal} from './output/terminal.ts';
import {run} from './run.ts';

/** The program: does what the process was asked for, and ends it. */
export async function main(): Promise<never> {
	endWithReader();
	quietSocksWarning();
	try {
		process.exitCode = await run(process.argv.slice(2), processTerminal);
	} catch (error) {
		if (isBrokenPipe(error)) process.exit(0);
		await processTerminal.printError(describeFailure(error));
		process.exitCode = 1;
	}
	// Connections that are kept alive would keep the process, too.
	process.exit();
}

/**
 * Keeps Node.js from telling users that undici's SOCKS proxies are an experiment, which nothing can be done about. All
 * other warnings are told as ever.
 */
function quietSocksWarning(): void {
	const emitWarning = process.emitWarning.bind(process) as (...words: unknown[]) => void;
	process.emitWarning = ((...words: unknown[]) => {
		if (!String(words[0]).startsWith('SOCKS5 proxy support is experimental')) emitWarning(...words);
	}) as typeof process.emitWarning;
}
