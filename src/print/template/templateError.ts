/** A template that cannot be read, or cannot be applied to what is printed. */
export class TemplateError extends Error {
	override readonly name = 'TemplateError';
}
