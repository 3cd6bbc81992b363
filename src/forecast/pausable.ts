/** Work with pauses, in which its caller may do something else. The input of the work must not change in a pause. */
export type Pausable<Result> = Generator<undefined, Result, undefined>;

/** Does all the work at once. */
export function finish<Result>(steps: Pausable<Result>): Result {
	for (;;) {
		const {done, value} = steps.next();
		if (done) return value;
	}
}

/** `map`, with a pause after every `size` items. */
export function* mapPausing<From, To>(
	all: readonly From[],
	size: number,
	change: (one: From) => To,
): Pausable<readonly To[]> {
	const changed: To[] = [];
	for (const one of all) {
		changed.push(change(one));
		if (changed.length % size === 0) yield;
	}
	return changed;
}
