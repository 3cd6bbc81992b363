/** Where a command's words go. Each promise is kept once the text has left the process. */
export type Terminal = {
	readonly print: (text: string) => Promise<void>;
	readonly printError: (text: string) => Promise<void>;
};

/** The process's own standard streams. */
export const processTerminal: Terminal = {
	print: (text) => write(process.stdout, text),
	printError: (text) => write(process.stderr, text),
};

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
	return new Promise((resolve, reject) => {
		stream.write(text, (error) => (error ? reject(error) : resolve()));
	});
}

/** Whether an error only says that nobody reads on, as with `| head`. */
export const isBrokenPipe = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && error.code === 'EPIPE';
