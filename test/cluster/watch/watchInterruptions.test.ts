import {expect, test} from 'vitest';
import {type Collection, JoinedStream} from '../../../src/cluster/watch/joinedStream.ts';
import type {SinkEntry} from '../../../src/core/model/observation.ts';

const now = Date.UTC(2026, 0, 31, 14);
const second = 1000;

/** A stream of three collections that has begun. */
function begun() {
	const clock = {at: now};
	const entries: SinkEntry[] = [];
	const stream = new JoinedStream({
		sink: {push: (entry) => entries.push(entry)},
		now: () => clock.at,
		commonProblems: () => [],
		opens: () => false,
		begun: () => undefined,
		selection: {},
	});
	const add = (): Collection =>
		stream.add({name: 'Nodes', isEssential: true, mayBeMissed: false}, () => undefined);
	const all = [add(), add(), add()] as const;
	for (const one of all) one.report(undefined);
	const problemsAt = (at: number) => {
		clock.at = at;
		stream.publishProblems();
		const last = entries.findLast(({type}) => type === 'problems');
		return last?.type === 'problems' ? last.problems : [];
	};
	const losses = () =>
		entries.flatMap((entry) =>
			entry.type === 'batch' && entry.provenance?.type === 'watchLost' ? [entry.provenance.since] : [],
		);
	return {
		stream,
		all,
		problemsAt,
		losses,
		reasonsAt: (at: number) => problemsAt(at).map(({reason}) => reason),
	};
}

test('nothing is seen since the first collection was lost, until the last is seen again', () => {
	const {
		stream,
		all: [one, two, three],
		losses,
	} = begun();
	one.lost(now);
	two.lost(now - 5 * second);
	expect(stream.lostSince).toBe(now - 5 * second);
	two.lost(undefined);
	expect(stream.lostSince).toBe(now);
	one.lost(undefined);
	expect(stream.lostSince).toBeUndefined();
	three.lost(undefined);
	expect(losses()).toEqual([now, now - 5 * second, now, undefined]);
});

test('a collection that is no longer followed is not lost', () => {
	const {
		stream,
		all: [one],
	} = begun();
	one.lost(now);
	one.remove();
	expect(stream.lostSince).toBeUndefined();
});

test('an interruption is said once it is worth a word', () => {
	const {all, problemsAt, reasonsAt} = begun();
	all[0].lost(now);
	expect(reasonsAt(now + second)).toEqual([]);
	expect(problemsAt(now + 3 * second)).toEqual([
		{
			reason: 'WatchInterrupted',
			message: 'watches have been interrupted since 14:00:00Z: forecasts are as of then',
		},
	]);
});

test('a gap that is over is told for five minutes; the moment of a reconnection is not', () => {
	const {
		all: [one, two],
		problemsAt,
		reasonsAt,
	} = begun();
	one.missed(now - second, now);
	expect(reasonsAt(now)).toEqual([]);
	one.missed(now - 31 * second, now);
	// Another collection with the same gap: it is reported once.
	two.missed(now - 2 * second, now + 4 * second);
	const [problem] = problemsAt(now + 5 * second);
	expect(problem?.message).toMatch(/^not watched from 13:59:29Z to 14:00:00Z: /);
	expect(reasonsAt(now + 299 * second)).toEqual(['WatchGap']);
	expect(reasonsAt(now + 305 * second)).toEqual([]);
});
