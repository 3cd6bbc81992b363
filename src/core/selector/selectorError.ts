/** A selector that cannot be understood. */
export class SelectorError extends Error {
	override readonly name = 'SelectorError';
	/** The field by which objects cannot be selected, where that is what is wrong. */
	readonly field: string | undefined;

	constructor(message: string, field?: string) {
		super(message);
		this.field = field;
	}
}
