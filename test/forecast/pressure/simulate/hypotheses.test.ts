import {expect, test} from 'vitest';
import {
	drawnHypotheses,
	type PressureHypothesis,
} from '../../../../src/forecast/pressure/simulate/hypotheses.ts';
import type {PressureSituation} from '../../../../src/forecast/pressure/situation.ts';
import {aNodePod} from '../../../support/pressure.ts';

test('in one drawn hypothesis a pod grows by one share, whenever it is asked for; in another by another', () => {
	const all = [{course: 'median', share: () => 1}] as unknown as readonly PressureHypothesis[];
	const drawn = drawnHypotheses(all, {pods: [aNodePod('cart')]} as unknown as PressureSituation);
	const shares = drawn.map(({share}) => [share('cart'), share('shop'), share('cart')]);
	expect(shares.every(([first, , again]) => first === again)).toBe(true);
	expect(new Set(shares.flat()).size).toBe(2 * drawn.length);
});
