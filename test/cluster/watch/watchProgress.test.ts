import {expect, test} from 'vitest';
import {WatchProgress} from '../../../src/cluster/watch/watchProgress.ts';

const before = 1_000_000;
const openedAt = before + 30_000;

function opened(): WatchProgress {
	return new WatchProgress(before, openedAt);
}

const batch = (afterOpening: number, isBookmarked = false) => ({
	arrivedAt: openedAt + afterOpening,
	isBookmarked,
});

test('what comes at once is backlog: it may have happened at any time since the watch before', () => {
	const progress = opened();
	expect(progress.arrived(batch(5))).toBe(before);
	expect(progress.arrived(batch(300))).toBe(before);
});

test('what comes after a pause is news, and so is all that follows', () => {
	const progress = opened();
	expect(progress.arrived(batch(5))).toBe(before);
	expect(progress.arrived(batch(1100))).toBeUndefined();
	expect(progress.arrived(batch(1101))).toBeUndefined();
});

test('what comes after a bookmark is news; what came with it is not', () => {
	const progress = opened();
	expect(progress.arrived(batch(5, true))).toBe(before);
	expect(progress.arrived(batch(6))).toBeUndefined();
});

test('a stream without any pause has caught up after a while', () => {
	const progress = opened();
	for (let at = 0; at < 10_000; at += 500) expect(progress.arrived(batch(at))).toBe(before);
	expect(progress.arrived(batch(10_000))).toBeUndefined();
});

test.for([
	{name: 'ended by the server', end: 'ended', want: 60_000 - 100},
	{name: 'broken', end: 'broken', want: 40_000 - 100},
	{name: 'silent', end: 'silent', want: 40_000 - 100},
] as const)('a watch that was $name has shown all up to a known instant', ({end, want}) => {
	const progress = opened();
	progress.arrived(batch(40_000));
	expect(progress.seenUntil(end, openedAt + 60_000) - openedAt).toBe(want);
});

test('a watch that ends before it has caught up has shown nothing for sure', () => {
	const progress = opened();
	progress.arrived(batch(5));
	expect(progress.seenUntil('ended', openedAt + 10)).toBe(before);
});

test('what was written before the watch was opened is backlog, however late it comes, and so is what follows at once', () => {
	const progress = opened();
	expect(progress.arrived({...batch(2000), writtenAt: openedAt - 10_000})).toBe(before);
	expect(progress.arrived({...batch(2300), writtenAt: openedAt + 2000})).toBe(before);
	expect(progress.arrived({...batch(3400), writtenAt: openedAt + 3000})).toBeUndefined();
});

test.for([
	{name: 'after the watch was opened', writtenAt: openedAt + 2000},
	{name: 'before it by no more than clocks may be wrong', writtenAt: openedAt - 3000},
])('what comes after a pause, and was written $name, is news', ({writtenAt}) => {
	expect(opened().arrived({...batch(2000), writtenAt})).toBeUndefined();
});

test('a watch that has caught up is no more behind, whatever an old write says', () => {
	for (const caughtUp of [batch(5, true), batch(1100), batch(10_000)]) {
		const progress = opened();
		progress.arrived(caughtUp);
		expect(progress.arrived({...batch(10_100), writtenAt: openedAt - 10_000})).toBeUndefined();
	}
});
