import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {passAfter} from '../../../src/forecast/explain/steps/passSteps.ts';

const period = 5000;

test('the pass after an instant is within what is said, for every phase and every instant that may be', () => {
	const share = fc.double({min: 0, max: 1, noNaN: true});
	fc.assert(
		fc.property(
			fc.integer({min: 0, max: 20_000}),
			fc.integer({min: 0, max: 6000}),
			fc.integer({min: 0, max: 3000}),
			share,
			share,
			(next, uncertainty, width, phaseShare, instantShare) => {
				const seen = {lo: 40_000, hi: 40_000 + width};
				const phase = {begins: {lo: next, hi: next + uncertainty}, period: {lo: period, hi: period}};
				const {lo, hi} = passAfter(seen, phase);
				const from = seen.lo + width * instantShare;
				const anyPass = next + uncertainty * phaseShare;
				const pass = anyPass + Math.ceil((from - anyPass) / period) * period;
				expect(pass).toBeGreaterThanOrEqual(lo - 1e-6);
				expect(pass).toBeLessThanOrEqual(hi + 1e-6);
				expect(hi - lo).toBeLessThanOrEqual(width + period);
			},
		),
	);
});

test('a phase that is known leaves nothing open', () => {
	const phase = {begins: {lo: 7000, hi: 7000}, period: {lo: period, hi: period}};
	expect(passAfter({lo: 12_500, hi: 12_500}, phase)).toEqual({lo: 17_000, hi: 17_000});
});
