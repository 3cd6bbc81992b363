import {escapeStream} from './escape.ts';
import {redact} from './redact.ts';

/** Writes text as it stands: what nobody else had a part in, or what its own form has escaped already. */
export const writeRaw = (stream: NodeJS.WriteStream, text: string): Promise<void> =>
	new Promise((resolve, reject) => {
		stream.write(text, (error) => (error ? reject(error) : resolve()));
	});

/** Writes what was asked for to standard output: nothing in it reaches a terminal raw. */
export const writeOutput = (text: string): Promise<void> => writeRaw(process.stdout, escapeStream(text));

/**
 * Says something to the user, on standard error: without secrets, and nothing in it reaches a terminal raw. Where nobody reads
 * it any more, that is no fault of the program.
 */
export const writeMessage = (text: string): Promise<void> =>
	writeRaw(process.stderr, escapeStream(redact(text))).catch(() => undefined);
