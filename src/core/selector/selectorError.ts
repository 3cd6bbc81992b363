/** A selector that cannot be parsed or is not supported. */
export class SelectorError extends Error {
	override readonly name = 'SelectorError';
	/** The field that does not support selection, if that is the error. */
	readonly field: string | undefined;

	constructor(message: string, field?: string) {
		super(message);
		this.field = field;
	}
}
