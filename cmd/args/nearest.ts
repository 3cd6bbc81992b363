/** The most similar candidate for a misspelt word; undefined if none is similar. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
	const near = candidates
		.map((candidate) => ({candidate, distance: editDistance(word, candidate)}))
		.filter(({candidate, distance}) => distance <= tolerated(Math.min(word.length, candidate.length)))
		.toSorted((a, b) => a.distance - b.distance);
	return near[0]?.candidate ?? shortest(candidates.filter((candidate) => candidate.startsWith(word)));
}

const shortest = (words: readonly string[]): string | undefined =>
	words.toSorted((a, b) => a.length - b.length)[0];

// One typo per three letters, two from five letters on; `po` does not match `no`.
const tolerated = (length: number): number => Math.max(Math.floor(length / 3), length < 5 ? 0 : 2);

// Damerau's distance: letters to insert, delete, replace, or swap with a neighbour.
function editDistance(from: string, to: string): number {
	let beforePrevious: number[] = [];
	let previous = Array.from({length: to.length + 1}, (_, index) => index);
	for (let row = 1; row <= from.length; row++) {
		const current = [row];
		for (let column = 1; column <= to.length; column++) {
			const isSame = from[row - 1] === to[column - 1];
			const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
			current[column] = Math.min(
				at(previous, column - 1) + (isSame ? 0 : 1),
				at(previous, column) + 1,
				at(current, column - 1) + 1,
				isSwapped ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY,
			);
		}
		[beforePrevious, previous] = [previous, current];
	}
	return at(previous, to.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
