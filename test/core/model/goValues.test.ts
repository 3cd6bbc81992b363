import {expect, test} from 'vitest';
import {formatGoDuration, parseGoDuration} from '../../../src/core/model/goValues.ts';

test.for([
	{text: '50s', want: 50_000},
	{text: '1m30s', want: 90_000},
	{text: '100ms', want: 100},
	{text: '1.5h', want: 5_400_000},
	{text: '.5s', want: 500},
	{text: '2h0m3s', want: 7_203_000},
	{text: '250us', want: 0.25},
	{text: '250µs', want: 0.25},
	{text: '0', want: 0},
	{text: '+3s', want: 3000},
	{text: '-3s', want: -3000},
])('$text is $want ms', ({text, want}) => {
	expect(parseGoDuration(text)).toBe(want);
});

test.for([
	{text: '', want: 'time: invalid duration ""'},
	{text: '50', want: 'time: missing unit in duration "50"'},
	{text: '5d', want: 'time: unknown unit "d" in duration "5d"'},
	{text: 's', want: 'time: invalid duration "s"'},
	{text: '1m 30s', want: 'time: unknown unit "m " in duration "1m 30s"'},
	{text: '1..5s', want: 'time: missing unit in duration "1..5s"'},
])('"$text" is refused in the words of Go', ({text, want}) => {
	expect(() => parseGoDuration(text)).toThrow(want);
});

test.for([
	{duration: 0, want: '0s'},
	{duration: 100, want: '100ms'},
	{duration: 50_000, want: '50s'},
	{duration: 1_500, want: '1.5s'},
	{duration: 60_000, want: '1m'},
	{duration: 90_000, want: '1m30s'},
	{duration: 3_605_000, want: '1h5s'},
	{duration: 55_000.1 + 0.2, want: '55s'},
	{duration: -2000, want: '-2s'},
])('$duration ms is written $want', ({duration, want}) => {
	expect(formatGoDuration(duration)).toBe(want);
});
