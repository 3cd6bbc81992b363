import {isDeepStrictEqual} from 'node:util';

/** The fields that depend on when a node was processed: the times on it and on its pods. */
const timesOfTurns = new Set(['timeAdded', 'deletionTimestamp', 'lastTransitionTime']);
/** The resource version also depends on it, as it depends on the order of writes. */
const followers = new Set(['resourceVersion']);
/** The API truncates times to whole seconds. */
const wholeSecond = 1000;

/**
 * Whether two clients observed the same outage except for the order of nodes in a queue: everything else is equal, and the
 * same times occur on other nodes. Six queued nodes have 720 possible orders, and a recording has one of them.
 */
export function isOtherOrder(expected: unknown, got: unknown): boolean {
	const [want, have] = [withoutTurns(expected), withoutTurns(got)];
	if (!isDeepStrictEqual(want.rest, have.rest) || want.times.length !== have.times.length) return false;
	return want.times.every((time, index) => Math.abs(time - (have.times[index] ?? 0)) <= wholeSecond);
}

/** A value without these times, and the times in order. */
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
