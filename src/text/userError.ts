import {redact} from './redact.ts';

/** An expected failure: one line says what is wrong, the hint what to do. Anything else that is thrown is a bug.
 * Neither shows a secret: the constructor takes them out of the message and of the hint. */
export class UserError extends Error {
	override readonly name: string = 'UserError';
	readonly hint: string;

	constructor(message: string, hint: string, options?: ErrorOptions) {
		super(redact(message), options);
		this.hint = redact(hint);
	}
}

/** The code of a failure, as `ENOENT`, or of what caused it; empty where there is none. */
export function codeOf(error: unknown): string {
	if (!(error instanceof Error)) return '';
	// Several addresses of one host fail as an AggregateError, whose own code is that of the first.
	const {code} = error as NodeJS.ErrnoException;
	return typeof code === 'string' && code !== '' ? code : codeOf(error.cause);
}

/** What the system says of a file, without its code and without the path, which the sentence around it names. */
export const fileErrorOf = (error: unknown): string =>
	messageOf(error).replace(/^E[A-Z0-9]+: (.+?), [a-z]+(?: '.*')?$/s, '$1');

/** What a thrown value says for itself, in one line. */
export function messageOf(error: unknown): string {
	const message = error instanceof Error ? error.message || error.name : String(error);
	return redact(message)
		.trim()
		.replaceAll(/\s*\n\s*/g, '; ');
}
