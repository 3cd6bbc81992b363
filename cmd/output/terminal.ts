import {type Duration, second} from '../../src/core/time/instant.ts';
import {writeMessage, writeOutput, writeRaw} from '../../src/text/streams.ts';
import {codeOf, fileErrorOf} from '../../src/text/userError.ts';

/** The output of a command. Promises resolve once the text has left the process. */
export type Terminal = Readonly<{
	/** Escapes the text for the terminal. */
	print: (text: string) => Promise<void>;
	/** For JSON, YAML and templates, whose printers escape by their own rules. */
	printDocument: (text: string) => Promise<void>;
	/** As `print`, to standard error, with secrets removed. */
	printError: (text: string) => Promise<void>;
	/** As `printError`, but replaces the current line. */
	replaceLine: (text: string) => Promise<void>;
	/** Columns; undefined if standard output is no terminal. */
	width?: number | undefined;
}>;

/** The standard streams of the process. Errors of standard error are ignored. */
export const processTerminal: Terminal = {
	print: (text) => writeOutput(text).catch(endUnwritable),
	printDocument: (text) => writeRaw(process.stdout, text).catch(endUnwritable),
	printError: (text) => writeMessage(text).catch(unlessBrokenPipe),
	replaceLine: async (text) => {
		await writeRaw(process.stderr, eraseLine).catch(unlessBrokenPipe);
		await writeMessage(text).catch(unlessBrokenPipe);
	},
	get width() {
		// A terminal without a size reports 0.
		return process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
	},
};

const eraseLine = '\r\x1b[K';

function unlessBrokenPipe(error: unknown) {
	if (!isBrokenPipe(error) && !isHangUp(error)) throw error;
}

/**
 * Ends the process without an error if the reader of standard output ends, as `head` does. A stream reports that both
 * to the writer and as an event, in any order.
 */
export function endWithReader() {
	process.stdout.on('error', (error) => {
		if (isBrokenPipe(error)) process.exit(0);
		void endUnwritable(error);
	});
	process.stderr.on('error', unlessBrokenPipe);
}

let isEnding = false;

/** Ends the process with one message if standard output cannot be written, as on a full disk. @throws if only its reader ended */
async function endUnwritable(error: unknown) {
	if (isBrokenPipe(error)) throw error;
	if (isHangUp(error) && process.stdout.isTTY) {
		setTimeout(() => process.exit(1), hangUpPatience).unref();
		return;
	}
	if (!isEnding) {
		isEnding = true;
		await writeMessage(`error: cannot write to standard output: ${fileErrorOf(error)}\n`);
		process.exit(1);
	}
	await new Promise(() => undefined);
}

/** Whether a terminal is gone. SIGHUP follows, and whoever records ends its file then. */
const isHangUp = (error: unknown) => codeOf(error) === 'EIO';
/** After this, the signal is not coming. */
const hangUpPatience: Duration = 30 * second;

const brokenPipeCodes = [
	'EPIPE',
	// On Windows.
	'EOF',
	'ECONNRESET',
	// A stream that broke before.
	'ERR_STREAM_DESTROYED',
];

/** Whether the error only means that the reader has ended, as with `| head`. */
export const isBrokenPipe = (error: unknown) =>
	error instanceof Error && 'code' in error && brokenPipeCodes.includes(String(error.code));

/** Whether a dashboard can be shown: input and output are a terminal that can move the cursor. */
export const hasScreen = () =>
	process.stdin.isTTY === true && process.stdout.isTTY === true && process.env['TERM'] !== 'dumb';
