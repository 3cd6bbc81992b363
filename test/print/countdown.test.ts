import {expect, test} from 'vitest';
import {formatDuration} from '../../src/dates/duration.ts';
import {Range} from '../../src/forecast/range.ts';
import {whenWords} from '../../src/forecast/words.ts';
import {formatAt, formatCountdown, formatWhen, formatWhenAt} from '../../src/print/countdown.ts';
import {formatClockAndCountdown} from '../../src/print/moment.ts';
import {countdown} from '../../src/ui/scene/spans.ts';
import {inSeconds, now} from './forecasts.ts';

test.for([
	{name: 'seconds stand alone', seconds: 45, want: '45s'},
	{name: 'minutes have their seconds', seconds: 250, want: '4m10s'},
	{name: 'full minutes have none', seconds: 300, want: '5m'},
	{name: 'from an hour on, seconds are left out', seconds: 3_905, want: '1h5m'},
	{name: 'from a day on, minutes are left out', seconds: 51 * 3600 + 60, want: '2d3h'},
	{name: 'half a second rounds up', seconds: 59.5, want: '1m'},
	{name: 'what is negative is nothing', seconds: -3, want: '0s'},
])('a duration: $name', ({seconds, want}) => {
	expect(formatDuration(seconds * 1000)).toBe(want);
});

test.for([
	{name: 'a range shows both ends', range: inSeconds(250, 302), want: '4m10s-5m2s'},
	{name: 'ends are rounded outwards', range: inSeconds(249.6, 250.4), want: '4m9s-4m11s'},
	{name: 'from one hour on to minutes', range: inSeconds(3659, 3661), want: '1h-1h2m'},
	{name: 'what is known exactly is one value', range: inSeconds(249.6), want: '4m9s'},
	{name: 'a range that has begun counts from now', range: inSeconds(-3, 12), want: '0s-12s'},
	{name: 'a range that is over is now', range: inSeconds(-3, -1), want: 'now'},
	{name: 'less than half a second is now', range: inSeconds(0.3), want: 'now'},
	{name: 'a range that nothing bounds is open', range: inSeconds(250, null), want: '4m10s or later'},
])('a countdown: $name', ({range, want}) => {
	expect(formatCountdown(range, now)).toBe(want);
});

test('a time that is known about is told in one way everywhere; where it adds nothing to the beginning, that is', () => {
	const estimate = (seconds: number, from = 0) =>
		Range.estimate(now + from * 1000, now + seconds * 1000, null);
	const told = (range: Range) => [
		formatCountdown(range, now),
		formatAt(range, now),
		formatWhen(range, now),
		formatWhenAt(range, now),
		formatClockAndCountdown(range, now),
		whenWords(range, now),
		countdown(range, now),
	];
	expect(told(estimate(31))).toEqual([
		'about 31s',
		'about 14:00:31Z',
		'in about 31s',
		'in about 31s (14:00:31Z)',
		'about 14:00:31Z (in 31s)',
		'about 14:00:31Z',
		'~0:31',
	]);
	expect(told(estimate(4))).toEqual(told(new Range(now, now, null)));
	expect(told(estimate(33, 30))).toEqual(told(new Range(now + 30_000, now + 30_000, null)));
	// A bounded one is shown with its ends, and a time that has passed with its beginning.
	const bounded = estimate(31).until(now + 40_000);
	expect(told(bounded)).toEqual(told(new Range(now, now, now + 40_000)));
	expect(bounded.until(null).about).toBe(now + 31_000);
	expect(formatCountdown(estimate(31), now + 32_000)).toBe('now or later');
});
