import {expect, test} from 'vitest';
import {drawnTimeout, playDrawn} from '../support/drawn.ts';
import type {OutageOptions} from '../support/outages.ts';
import {outwardMoves} from '../support/steadiness.ts';

test.for<{name: string; options: OutageOptions}>([
	{name: 'outages of nodes alone', options: {}},
	{name: 'outages through a throttled client', options: {isThrottled: true}},
])(
	'while nothing comes but renewals of nodes that are well, no range of a watch moves outwards in $name',
	{timeout: drawnTimeout},
	({name, options}) => {
		const drawn = {suite: 'steadiness', kind: name, count: 40};
		expect(playDrawn(drawn, (seed) => outwardMoves(seed, options)).flat()).toEqual([]);
	},
);
