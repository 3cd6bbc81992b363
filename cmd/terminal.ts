/** Where a command's words go. Each promise is kept once the text has left the process. */
export type Terminal = {
	readonly print: (text: string) => Promise<void>;
	readonly printError: (text: string) => Promise<void>;
};

/** The process's own standard streams. Warnings that nobody reads on are no reason to stop. */
export const processTerminal: Terminal = {
	print: (text) => write(process.stdout, text),
	printError: (text) => write(process.stderr, text).catch(unlessBrokenPipe),
};

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
	return new Promise((resolve, reject) => {
		stream.write(text, (error) => (error ? reject(error) : resolve()));
	});
}

function unlessBrokenPipe(error: unknown): void {
	if (!isBrokenPipe(error)) throw error;
}

/**
 * Lets a reader that has seen enough, as `head` has, end the command: nobody reads standard output any more, and that is
 * no failure. A stream tells of it twice, to whoever writes and as an event, and either may come first.
 */
export function endWithReader(): void {
	process.stdout.on('error', (error) => {
		unlessBrokenPipe(error);
		process.exit(0);
	});
	process.stderr.on('error', unlessBrokenPipe);
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
