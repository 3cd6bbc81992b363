import {expect, test} from 'vitest';
import {type Instant, minute, second} from '../../src/core/time/instant.ts';
import type {SceneSource} from '../../src/ui/scene/scene.ts';
import {moveTape, nextMark, previousMark, type TapeControl, type TapeState} from '../../src/ui/scene/tape.ts';
import {aForecast, now} from '../print/forecasts.ts';
import {textAt} from './support/dashboards.ts';
import {TestSource} from './support/scenes.ts';

const marks = [
	{at: now + 10 * second, text: 'node n1 turns Unknown'},
	{at: now + 70 * second, text: 'pod shop/cart-0 is deleted'},
];

/** A tape that records where it was sent. */
function aTape(fields: Partial<TapeState> = {}) {
	const sent: (Instant | 'toggle')[] = [];
	const state = {
		startedAt: now,
		endedAt: now + 10 * minute,
		position: now,
		speed: 1,
		isPlaying: true,
		isSeeking: false,
		...fields,
	};
	const tape: TapeControl = {
		marks,
		get: () => state,
		toggle: () => sent.push('toggle'),
		seek: (to) => sent.push(to - now),
	};
	return {tape, sent};
}

async function shown(
	tape: TapeControl | undefined,
	columns: number,
	...keys: readonly string[]
): Promise<string> {
	const inner = new TestSource(aForecast());
	const source: SceneSource = {
		get: inner.get,
		now: inner.now,
		explain: inner.explain,
		subscribe: inner.subscribe,
		...(tape && {tape}),
	};
	return textAt({columns, rows: 24})(source, ...keys);
}

test('each key moves the tape, or holds it', async () => {
	const {tape, sent} = aTape({position: now + minute});
	await shown(tape, 100, '.', ',', '>', '<', ']', '[', 'p');
	expect(sent).toEqual([70_000, 50_000, 120_000, 0, 70_000, 10_000, 'toggle']);
});

test('what happens next and happened before is found; of what was just jumped to, the one before', () => {
	expect([
		nextMark(marks, now)?.at,
		nextMark(marks, now + 10 * second)?.at,
		nextMark(marks, now + minute * 5),
	]).toEqual([...[now + 10 * second, now + 70 * second, undefined]]);
	expect([previousMark(marks, now), previousMark(marks, now + minute)?.text]).toEqual([
		undefined,
		'node n1 turns Unknown',
	]);
	const {tape, sent} = aTape({position: now + 71 * second});
	expect(moveTape(tape, {toMark: -1})).toBe('node n1 turns Unknown');
	expect(sent).toEqual([10 * second]);
	expect(moveTape(aTape({position: now + 9 * minute}).tape, {toMark: 1})).toBe(
		'nothing more happens in this recording',
	);
	expect(moveTape(aTape().tape, {toMark: -1})).toBe('nothing happens before');
});

test.for([60, 80, 120, 200])(
	'at %i columns the line of the tape has pace, place and a bar',
	async (columns) => {
		const {tape} = aTape({position: now + 40 * second, speed: 10});
		const text = await shown(tape, columns);
		const line = text.split('\n').find((one) => one.includes('of 10:00')) ?? '';
		expect(line).toMatch(/^ ▸ 10x 0:40 of 10:00 [─│]*●[─│]+/);
		expect(line.length).toBeLessThanOrEqual(columns);
		expect(text).toContain('recorded');
		expect(text).toContain('2026-01-31');
		if (columns >= 80) expect(line).toContain('in 0:30 pod');
	},
);

test('held, on its way and at its end it says so', async () => {
	expect(await shown(aTape({isPlaying: false}).tape, 100)).toContain('‖ 1x 0:00 of 10:00');
	expect(await shown(aTape({isSeeking: true}).tape, 100)).toContain('→ seeking 0:00 of 10:00');
	expect(await shown(aTape({position: now + 10 * minute, isPlaying: false}).tape, 100)).toContain(
		'at its end',
	);
});

test('without a recording there is no such line, and its keys do nothing', async () => {
	const text = await shown(undefined, 100, '>', ']');
	expect(text).not.toContain('recorded');
	expect(text).not.toMatch(/\dx \d:\d\d of/);
});
