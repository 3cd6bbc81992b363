import {expect, test} from 'vitest';
import {Random} from '../../../src/core/time/random.ts';

const draw = (random: Random, count: number) => Array.from({length: count}, () => random.next());

test('a seed gives the same numbers every time', () => {
	expect(draw(new Random(7), 20)).toEqual(draw(new Random(7), 20));
});

test('another seed gives other numbers', () => {
	expect(draw(new Random(7), 5)).not.toEqual(draw(new Random(8), 5));
});

test('a fork goes on where its original was, and neither moves the other', () => {
	const random = new Random(1);
	draw(random, 10);
	const fork = random.fork();
	const ahead = draw(fork, 10);
	expect(draw(random, 10)).toEqual(ahead);
});

test('the numbers fill the range from 0 up to 1 evenly', () => {
	const numbers = draw(new Random(42), 10_000);
	expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
	const tenths = Array.from({length: 10}, (_, tenth) => numbers.filter((n) => Math.floor(n * 10) === tenth));
	for (const tenth of tenths) expect(Math.abs(tenth.length - 1000)).toBeLessThan(150);
});

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
