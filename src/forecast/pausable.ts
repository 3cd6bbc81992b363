/** Work with pauses, in which its caller may do something else. The input of the work must not change in a pause. */
export type Pausable<Result> = Generator<undefined, Result, undefined>;

/** Does all the work at once. */
export function finish<Result>(steps: Pausable<Result>): Result {
	for (;;) {
		const {done, value} = steps.next();
		if (done) return value;
	}
}

/** `map`, with a pause after every `size` items, up to the first result that is the last. */
export function* mapPausing<From, To>(
	all: readonly From[],
	size: number,
	change: (one: From) => To,
	isLast: (result: To) => boolean = () => false,
): Pausable<readonly To[]> {
	const changed: To[] = [];
	for (const one of all) {
		const result = change(one);
		changed.push(result);
		if (isLast(result)) break;
		if (changed.length % size === 0) yield;
	}
	return changed;
}
