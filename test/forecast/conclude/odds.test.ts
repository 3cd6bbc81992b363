import {expect, test} from 'vitest';
import {never} from '../../../src/core/time/instant.ts';
import {oddsOf} from '../../../src/forecast/conclude/odds.ts';
import type {Draw} from '../../../src/forecast/simulate/occurrence.ts';

const runOf = (quantile: number, known: Partial<Draw> = {}): {readonly draw: Draw} => ({
	draw: {...{phase: '0', quantile, weight: 1, isOfSettings: false}, ...known},
});
const at = (instant: number) => ({lo: instant, hi: instant});

test('between the two ends of the unknowns every case is equally likely', () => {
	const odds = oddsOf([at(0), at(100)], [runOf(0), runOf(1)]);
	expect(odds).toEqual({from: 10, median: 50, until: 90, probability: 1});
});

test('in a random order each of the tokens is equally likely', () => {
	const range = {lo: 0, hi: 1000};
	expect(oddsOf([range, range], [runOf(0), runOf(1)])).toMatchObject({from: 100, median: 500, until: 900});
});

test('the ends of the range of the next pass count half as much as the instants between', () => {
	const phases = [0, 1, 2].map((phase) => runOf(0, {phase: `${phase}`, weight: phase === 1 ? 1 : 0.5}));
	const {from, median, until} = oddsOf([at(0), at(100), at(200)], phases);
	expect([from, median, until].map((time) => Math.round(time ?? 0))).toEqual([0, 101, 201]);
});

test('what comes at one end only comes in the half of the cases beside it', () => {
	const {probability, until} = oddsOf([at(40), undefined], [runOf(0), runOf(1)]);
	expect([probability, Math.round(until ?? 0)]).toEqual([0.5, 41]);
});

test('where only some get a token, it is likely in proportion, by the last of them', () => {
	const some = {lo: 0, hi: never, until: 300, chance: 0.4};
	const {from, median, until, probability} = oddsOf([some, some], [runOf(0), runOf(1)]);
	expect([from, median, until].map((time) => Math.round(time ?? 0))).toEqual([30, 150, 270]);
	expect(probability).toBeCloseTo(0.4);
});

test('without a known end there is no telling by when nearly all cases have come', () => {
	const open = {lo: 0, hi: never};
	expect(oddsOf([open, open], [runOf(0), runOf(1)])).toMatchObject({until: undefined, probability: 1});
});

test('half of the cases have the usual settings; of the others those near them are the more frequent', () => {
	const settings = [0, 0.5, 1].map((quantile) =>
		runOf(quantile, {isOfSettings: true, phase: quantile === 0.5 ? '0' : ''}),
	);
	const {from, median, until} = oddsOf([at(0), at(100), at(1100)], settings);
	expect(Math.round(median)).toBe(100);
	expect(from).toBeLessThan(70);
	expect(until).toBeGreaterThan(300);
});

test('what comes with unusual settings only has no odds', () => {
	const settings = [0, 0.5, 1].map((quantile) =>
		runOf(quantile, {isOfSettings: true, phase: quantile === 0.5 ? '0' : ''}),
	);
	expect(oddsOf([at(0), undefined, undefined], settings)).toMatchObject({until: undefined, probability: 1});
});

test('a countdown mostly runs from the taint that is seen', () => {
	const countdown = {lo: 0, hi: 100, usual: {lo: 90, hi: 92}};
	const {from, median, until} = oddsOf([countdown, countdown], [runOf(0), runOf(1)]);
	expect(from).toBeGreaterThan(85);
	expect([Math.round(median), Math.round(until ?? 0)]).toEqual([91, 92]);
});
