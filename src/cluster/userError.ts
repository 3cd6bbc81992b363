/** An expected failure: one line says what is wrong, the hint what to do. Anything else that is thrown is a bug. */
export class UserError extends Error {
	override readonly name: string = 'UserError';
	readonly hint: string;

	constructor(message: string, hint: string, options?: ErrorOptions) {
		super(message, options);
		this.hint = hint;
	}
}

/** What a thrown value says for itself, in one line. */
export function messageOf(error: unknown): string {
	const message = error instanceof Error ? error.message || error.name : String(error);
	return message.trim().replaceAll(/\s*\n\s*/g, '; ');
}
