/** So much of a reason stands in a wide table; `explain` tells all of it. */
const longest = 100;

/** The first sentence of the reasoning, cut to a length that a line can bear. */
export function briefReason({because}: {readonly because: readonly string[]}): string {
	const [first = '<none>'] = because;
	const letters = [...first];
	return letters.length <= longest
		? first
		: `${letters
				.slice(0, longest - 3)
				.join('')
				.trimEnd()}...`;
}
