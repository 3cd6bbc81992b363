import {expect, test} from 'vitest';
import {Random} from '../../../src/core/time/random.ts';

const draw = (random: Random, count: number) => Array.from({length: count}, () => random.next());

test('the numbers of a seed are those of mulberry32, today and tomorrow', () => {
	const numbers = draw(new Random(1), 3).map((number) => Math.floor(number * 2 ** 32));
	expect(numbers).toEqual([2693262067, 11749833, 2265367787]);
});

test('chance draws lots alike unless it is to favour somebody, who then is always before the others', () => {
	const [fair, partial] = [new Random(7), new Random(7, (value) => (value === 'b' ? 0 : 1))];
	expect(fair.lotOf('a')).toBe(new Random(7).next());
	const lots = ['a', 'b', 'c', 'b', 'a'].map((value) => ({value, lot: partial.fork().lotOf(value)}));
	for (const {value, lot} of lots) expect(lot < 1).toBe(value === 'b');
});
