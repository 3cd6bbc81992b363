/** Binary search: the first index at which a condition holds, given that it holds at all later ones; `length` if at none. */
export function firstIndex(length: number, holds: (index: number) => boolean): number {
	let [low, high] = [0, length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (holds(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}
