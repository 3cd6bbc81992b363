import {describeFailure} from './failure.ts';
import {run} from './run.ts';
import {isBrokenPipe, processTerminal} from './terminal.ts';

// `kubectl evictwatch pods | head` ends the reader first; that is no failure.
process.stdout.on('error', (error) => {
	if (isBrokenPipe(error)) process.exit(0);
	throw error;
});

try {
	process.exitCode = await run(process.argv.slice(2), processTerminal);
} catch (error) {
	if (isBrokenPipe(error)) process.exit(0);
	await processTerminal.printError(describeFailure(error));
	process.exitCode = 1;
}
// Connections that are kept alive would keep the process, too.
process.exit();
