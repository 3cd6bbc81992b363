import {expect, test} from 'vitest';
import {formatCountdown, formatDuration, formatWhen} from '../../src/print/countdown.ts';
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
	{name: 'ends of the same second are one value', range: inSeconds(249.6, 250.4), want: '4m10s'},
	{name: 'a range that has begun counts from now', range: inSeconds(-3, 12), want: '0s-12s'},
	{name: 'a range that is over is now', range: inSeconds(-3, -1), want: 'now'},
	{name: 'less than half a second is now', range: inSeconds(0.3), want: 'now'},
	{name: 'a range that nothing bounds is open', range: inSeconds(250, null), want: '4m10s or later'},
])('a countdown: $name', ({range, want}) => {
	expect(formatCountdown(range, now)).toBe(want);
});

test.for([
	{name: 'what is so already is so now', range: inSeconds(0), want: 'now'},
	{name: 'what may be so now is so within its range', range: inSeconds(0, 22), want: 'within 22s'},
	{name: 'what nothing bounds is so now or later', range: inSeconds(0, null), want: 'now or later'},
	{
		name: 'what nothing bounds is so at its earliest or later',
		range: inSeconds(33, null),
		want: 'in 33s or later',
	},
	{name: 'what lies ahead is so in some time', range: inSeconds(45, 47), want: 'in 45s-47s'},
])('a countdown in a sentence: $name', ({range, want}) => {
	expect(formatWhen(range, now)).toBe(want);
});
