import {redact} from './redact.ts';

/** An expected failure: one line says what is wrong, the hint what to do, both redacted. Anything else thrown is a bug. */
export class UserError extends Error {
	override readonly name: string = 'UserError';
	readonly hint: string;

	constructor(message: string, hint: string, options?: ErrorOptions) {
		super(redact(message), options);
		this.hint = redact(hint);
	}
}

/** The code of an error or of its nearest cause, such as `ENOENT`; empty if there is none. */
export function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return '';
	// If all addresses of a host fail, the AggregateError has the code of the first.
	const {code} = error as NodeJS.ErrnoException;
	return typeof code === 'string' && code !== '' ? code : codeOf(error.cause);
}

/** The system's message about a file, without its code and path: the surrounding sentence names the path. */
export const fileErrorOf = (error: unknown): string =>
	messageOf(error).replace(/^E[A-Z0-9]+: (.+?), [a-z]+(?: '.*')?$/s, '$1');

/** The message of a thrown value, redacted, in one line. */
export function messageOf(error: unknown): string {
	const message = error instanceof Error ? error.message || error.name : String(error);
	return redact(message)
		.trim()
		.replaceAll(/\s*\n\s*/g, '; ');
}
