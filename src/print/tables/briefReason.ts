/** So much of a reason stands in a wide table; `explain` tells all of it. */
const longest = 160;

/** The first sentence of the reasoning; cut only where that is longer than a line can bear. */
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
