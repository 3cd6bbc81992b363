import {expect, test} from 'vitest';
import {second} from '../../../src/core/time/instant.ts';
import {humanDuration} from '../../../src/demo/apiserver/humanDuration.ts';

const [minutes, hours, days] = [60, 3600, 86_400];

// The cases of upstream's TestHumanDuration.
test.for<[seconds: number, want: string]>([
	[1, '1s'],
	[70, '70s'],
	[190, '3m10s'],
	[70 * minutes, '70m'],
	[47 * hours, '47h'],
	[49 * hours, '2d1h'],
	[8 * days + 2 * hours, '8d'],
	[367 * days, '367d'],
	[365 * 2 * days + 25 * hours, '2y1d'],
	[365 * 8 * days + 2 * hours, '8y'],
	[3 * minutes, '3m'],
	[7 * hours + 5 * minutes, '7h5m'],
	[0, '0s'],
	[-1, '0s'],
	[-2, '<invalid>'],
])('%i s is %s', ([seconds, want]) => {
	expect(humanDuration(seconds * second)).toBe(want);
});
