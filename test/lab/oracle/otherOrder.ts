import {isDeepStrictEqual} from 'node:util';

/** What follows from when a node's turn came: the times that a client sees on it and on its pods. */
const timesOfTurns = new Set(['timeAdded', 'deletionTimestamp', 'lastTransitionTime']);
/** How often an object was written follows too, where its turn was before or after another write. */
const followers = new Set(['resourceVersion']);
/** The API cuts times to whole seconds. */
const wholeSecond = 1000;

/**
 * Whether two clients saw the same outage but for who had which turn in a queue: all else is equal, and the same times were
 * given, to other nodes. Of six nodes that waited there are 720 such pasts, and a recording has one of them.
 */
export function isOtherOrder(expected: unknown, got: unknown): boolean {
	const [want, have] = [withoutTurns(expected), withoutTurns(got)];
	if (!isDeepStrictEqual(want.rest, have.rest) || want.times.length !== have.times.length) return false;
	return want.times.every((time, index) => Math.abs(time - (have.times[index] ?? 0)) <= wholeSecond);
}

/** A value without the times of turns, and those times in order. */
function withoutTurns(value: unknown): {readonly rest: unknown; readonly times: readonly number[]} {
	const times: number[] = [];
	const rest: unknown = JSON.parse(JSON.stringify(value), (key, one) => {
		if (followers.has(key)) return undefined;
		if (!timesOfTurns.has(key) || typeof one !== 'string') return one;
		times.push(Date.parse(one));
		return 'in its turn';
	});
	return {rest, times: times.toSorted((a, b) => a - b)};
}
