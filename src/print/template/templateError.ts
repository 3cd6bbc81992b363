/** A template that is invalid, or that does not fit the printed value. */
export class TemplateError extends Error {
	override readonly name = 'TemplateError';
}
