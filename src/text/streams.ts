import {escapeStream} from './escape.ts';
import {redact} from './redact.ts';

/** Writes text without escaping: for text of our own, or that is escaped already. */
export const writeRaw = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
	new Promise((resolve, reject) => {
		stream.write(text, (error) => (error ? reject(error) : resolve()));
	});

/** Writes a command's output to standard output, escaped for a terminal. */
export const writeOutput = (text: string): Promise<void> => writeRaw(process.stdout, escapeStream(text));

/** Writes a message to standard error, redacted and escaped. A closed standard error is no failure. */
export const writeMessage = (text: string): Promise<void> =>
	writeRaw(process.stderr, escapeStream(redact(text))).catch(() => undefined);
