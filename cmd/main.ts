import process from 'node:process';
import {describeFailure} from './output/failure.ts';
import {endWithReader, isBrokenPipe, processTerminal} from './output/terminal.ts';
import {run} from './run.ts';

/** Runs the command line of the process, then exits. */
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
	// Kept-alive connections would keep the process running.
	process.exit();
}

/**
 * Hides Node.js's warning that undici's SOCKS proxies are experimental: users cannot act on it. Other warnings pass.
 */
function quietSocksWarning() {
	const emitWarning = process.emitWarning.bind(process) as (...words: unknown[]) => void;
	process.emitWarning = ((...words: unknown[]) => {
		if (!String(words[0]).startsWith('SOCKS5 proxy support is experimental')) emitWarning(...words);
	}) as typeof process.emitWarning;
}
