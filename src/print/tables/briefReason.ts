/** The longest reason in a wide table; `explain` shows all of it. */
const longest = 160;

/** The first sentence of the reasoning, truncated only if it is too long. */
export function briefReason({because}: {readonly because: readonly string[]}): string {
	const [first = '<none>'] = because;
	const [sentence = first] = first.split(/(?<=[^.]{12})\. (?=[A-Z])/);
	const letters = [...sentence];
	return letters.length <= longest
		? sentence
		: `${letters
				.slice(0, longest - 3)
				.join('')
				.trimEnd()}...`;
}
