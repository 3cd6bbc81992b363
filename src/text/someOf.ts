/** `a, b and 3 more`: at most `most` names. */
export function someOf(names: readonly string[], most = 3): string {
	const more = names.length > most ? ` and ${names.length - most} more` : '';
	return `${names.slice(0, most).join(', ')}${more}`;
}
