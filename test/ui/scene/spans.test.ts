import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Range} from '../../../src/forecast/range.ts';
import {clockSpan, countdown} from '../../../src/ui/scene/spans.ts';
import {inSeconds, now} from '../../print/forecasts.ts';

test.for([
	{name: 'seconds', seconds: 4, want: '0:04'},
	{name: 'minutes', seconds: 245, want: '4:05'},
	{name: 'hours', seconds: 3959, want: '1h05m'},
	{name: 'many hours', seconds: 12 * 3600 + 59, want: '12h'},
	{name: 'days', seconds: 3 * 86_400 + 4 * 3600, want: '3d4h'},
	{name: 'what is past', seconds: -4, want: '0:00'},
])('a span of $name', ({seconds, want}) => {
	expect(clockSpan(seconds * 1000)).toBe(want);
});

test.for([
	{name: 'a range', range: inSeconds(245, 250), want: '4:05–4:10'},
	{name: 'an instant', range: inSeconds(300), want: '5:00'},
	{name: 'a range that has begun', range: inSeconds(-1, 4), want: '0:00–0:04'},
	{name: 'a range that is over', range: inSeconds(-2, -1), want: 'now'},
	{name: 'a range without an end', range: inSeconds(245, null), want: '4:05+'},
	{name: 'hours, rounded outwards', range: inSeconds(0, 4 * 3600 + 38 * 60 + 1), want: '0:00–4h39m'},
	{name: 'many hours, rounded outwards', range: inSeconds(3599, 11 * 3600 + 1), want: '59:59–12h'},
	{name: 'parts of a second, rounded outwards', range: inSeconds(4.9, 5.1), want: '0:04–0:06'},
])('the countdown of $name', ({range, want}) => {
	expect(countdown(range, now)).toBe(want);
});

test('a countdown never leaves out an instant of its range', () => {
	const units: Readonly<Record<string, number>> = {d: 86_400, h: 3600, m: 60};
	const read = (text: string) =>
		text.includes(':')
			? text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000
			: [...text.matchAll(/(\d+)([dhm])/g)].reduce(
					(sum, [, count, unit = '']) => sum + Number(count) * (units[unit] ?? 0),
					0,
				) * 1000;
	fc.assert(
		fc.property(fc.nat(300_000_000), fc.nat(500_000_000), (from, length) => {
			const range = new Range(now + from, now + from, now + from + length);
			const text = countdown(range, now);
			if (text === 'now') return (range.latest ?? now) <= now;
			const [first = '', last = first] = text.split('–');
			return read(first) <= from && read(last) >= from + length;
		}),
	);
});
