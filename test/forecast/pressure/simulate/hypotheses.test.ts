import {expect, test} from 'vitest';
import {minute, second} from '../../../../src/core/time/instant.ts';
import {signalForecasts} from '../../../../src/forecast/pressure/signalForecast.ts';
import {
	drawnHypotheses,
	hypotheses,
	likely,
	nearSignals,
	type PressureHypothesis,
} from '../../../../src/forecast/pressure/simulate/hypotheses.ts';
import {type PressureSituation, pressureSituationOf} from '../../../../src/forecast/pressure/situation.ts';
import {aNodePod, memoryLeft, memoryStats} from '../../../support/pressure.ts';

test('in one drawn hypothesis a pod grows by one share, whenever it is asked for; in another by another', () => {
	const all = [{course: 'median', share: () => 1}] as unknown as readonly PressureHypothesis[];
	const drawn = drawnHypotheses(all, {pods: [aNodePod('cart')]} as unknown as PressureSituation);
	const shares = drawn.map(({share}) => [share('cart'), share('shop'), share('cart')]);
	expect(shares.every(([first, , again]) => first === again)).toBe(true);
	expect(new Set(shares.flat()).size).toBe(2 * drawn.length);
});

/** How many hypotheses favour a pod, and how many do not, if a leak overtakes a large pod so long before the crossing. */
function countsWhere(overtakesBefore: number): {readonly usual: number; readonly favoured: number} {
	const now = 10 * minute;
	const samples = [70, 60, 50, 40, 30, 20, 10, 0].map((age) => {
		// A hundred seconds before the threshold is crossed, at two mebibytes per second.
		const left = 100 + age;
		const leak = memoryStats('leak', `${1000 - 2 * (left - overtakesBefore)}Mi`);
		const summary = memoryLeft(`${500 + 2 * left}Mi`, [memoryStats('large', '1000Mi'), leak]);
		return {seenAt: now - age * second, summary};
	});
	const [newest] = samples.slice(-1);
	if (!newest) throw new Error('nothing was measured');
	const config = {enforceNodeAllocatable: [], evictionHard: {'memory.available': '500Mi'}};
	const pods = [aNodePod('large'), aNodePod('leak')];
	const situation = pressureSituationOf({node: 'n1', samples, config, conditions: [], pods}, newest, now);
	const all = hypotheses(situation, nearSignals(situation, signalForecasts(situation)));
	const usual = all.filter(({share}) => share === likely).length;
	return {usual, favoured: all.length - usual};
}

test('rivals are tried where one overtakes another from what is cached before a crossing to the pass after it', () => {
	// Early, in the middle and late, each with two phases of the passes.
	const usual = 6;
	for (const before of [35, 25, -15, -25]) expect(countsWhere(before)).toEqual({usual, favoured: 0});
	// For each of the two: with one phase early, in the middle and late, and in the two ways that are only tried for rivals.
	for (const before of [15, 5, -5]) expect(countsWhere(before)).toEqual({usual, favoured: 2 * 5});
});
