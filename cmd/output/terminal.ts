import {writeMessage, writeOutput, writeRaw} from '../../src/text/streams.ts';
import {fileErrorOf} from '../../src/text/userError.ts';

/** Where a command's words go. Each promise is kept once the text has left the process. */
export type Terminal = {
	/** Nothing in it reaches a terminal raw. */
	readonly print: (text: string) => Promise<void>;
	/** What is JSON, YAML or made by a template, whose printers escape as their forms want it. */
	readonly printDocument: (text: string) => Promise<void>;
	/** As `print`, to standard error, and without secrets. */
	readonly printError: (text: string) => Promise<void>;
	/** The same, in place of the line that the cursor is in. */
	readonly replaceLine: (text: string) => Promise<void>;
	/** How many columns its lines have; absent where standard output is no terminal. */
	readonly width?: number | undefined;
};

/** The process's own standard streams. Warnings that nobody reads on are no reason to stop. */
export const processTerminal: Terminal = {
	print: (text) => writeOutput(text).catch(endUnwritable),
	printDocument: (text) => writeRaw(process.stdout, text).catch(endUnwritable),
	printError: (text) => writeMessage(text).catch(unlessBrokenPipe),
	replaceLine: async (text) => {
		await writeRaw(process.stderr, eraseLine).catch(unlessBrokenPipe);
		await writeMessage(text).catch(unlessBrokenPipe);
	},
	get width() {
		// A terminal to which nobody gave a size has none.
		return process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
	},
};

const eraseLine = '\r\x1b[K';

function unlessBrokenPipe(error: unknown): void {
	if (!isBrokenPipe(error)) throw error;
}

/**
 * Lets a reader that has seen enough, as `head` has, end the command: nobody reads standard output any more, and that is
 * no failure. A stream tells of it twice, to whoever writes and as an event, and either may come first.
 */
export function endWithReader(): void {
	process.stdout.on('error', (error) => {
		if (isBrokenPipe(error)) process.exit(0);
		void endUnwritable(error);
	});
	process.stderr.on('error', unlessBrokenPipe);
}

let isEnding = false;

/** Ends the process where standard output cannot be written, as on a full disk, and says so once. @throws where only nobody reads on */
async function endUnwritable(error: unknown): Promise<void> {
	if (isBrokenPipe(error)) throw error;
	if (!isEnding) {
		isEnding = true;
		await writeMessage(`error: cannot write to standard output: ${fileErrorOf(error)}\n`);
		process.exit(1);
	}
	await new Promise(() => undefined);
}

const brokenPipeCodes = [
	'EPIPE',
	// What Windows says.
	'EOF',
	'ECONNRESET',
	// What a stream says that has broken before.
	'ERR_STREAM_DESTROYED',
];

/** Whether an error only says that nobody reads on, as with `| head`. */
export const isBrokenPipe = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && brokenPipeCodes.includes(String(error.code));

/** Whether a dashboard can be shown: somebody sits before a terminal whose cursor can be moved. */
export const hasScreen = (): boolean =>
	process.stdin.isTTY === true && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb';
