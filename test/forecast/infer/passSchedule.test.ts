import {expect, test} from 'vitest';
import {passPhase} from '../../../src/forecast/infer/passPhase.ts';
import {
	earliestPass,
	endOfPass,
	lastPass,
	latestLook,
	type PassSchedule,
	passAtOrAfter,
} from '../../../src/forecast/infer/passSchedule.ts';
import {stretchedPassesBefore} from '../../../src/forecast/infer/stretchedPasses.ts';

const regular: PassSchedule = {nextPass: 40_000, period: 5000, idlePeriod: 5000, firstPass: 1000};
/** One pass lasted three seconds, so the next one began eight seconds after its start. */
const uneven: PassSchedule = {...regular, stretchedPasses: [{at: 32_000, until: 34_000}]};
/** A pass whose writes were observed for 21 seconds. */
const seenLong: PassSchedule = {
	...regular,
	stretchedPasses: [{at: 12_000, until: 33_000}],
};

test.for([
	{name: 'the one before a stretched pass', schedule: uneven, instant: 26_000, pass: 27_000},
	{name: 'the stretched pass itself', schedule: uneven, instant: 31_000, pass: 32_000},
	{name: 'the one after it, also soon after it began', schedule: uneven, instant: 32_500, pass: 40_000},
	{
		name: 'the one after it, as long as it was seen to write',
		schedule: seenLong,
		instant: 13_000,
		pass: 40_000,
	},
	{name: 'none before the controllers started', schedule: uneven, instant: 0, pass: 2000},
	{name: 'one of passes none of which was long', schedule: regular, instant: 26_000, pass: 30_000},
])('the first pass at or after an instant is $name', ({schedule, instant, pass}) => {
	expect(passAtOrAfter(schedule, instant)).toBe(pass);
});

test.for([
	{name: 'after a pass that may have come later', change: 27_100, earliest: 27_100, latest: 32_000},
	{name: 'long after it', change: 27_300, earliest: 32_000, latest: 32_000},
	{name: 'just before a pass that may have come earlier', change: 21_900, earliest: 22_000, latest: 26_900},
	{name: 'long before it', change: 21_700, earliest: 22_000, latest: 22_000},
	{
		name: 'before the stretched pass, which may have come earlier',
		change: 31_900,
		earliest: 32_000,
		latest: 40_000,
	},
	{name: 'after its start, which may have come later', change: 32_100, earliest: 32_100, latest: 40_000},
	{name: 'long after its start', change: 33_000, earliest: 40_000, latest: 40_000},
])(
	'a change $name is seen between the earliest and the latest pass that the start of a stretched one allows',
	({change, earliest, latest}) => {
		const mayBegin = {lo: 31_750, hi: 32_250};
		const schedule = {...regular, stretchedPasses: [{at: 32_000, until: 32_000, mayBegin}]};
		expect([earliestPass(schedule, change), latestLook(schedule, change)]).toEqual([earliest, latest]);
	},
);

test('a stretched pass judges the zones as late as what it wrote made it last', () => {
	expect(endOfPass(uneven, 32_000)).toBe(34_000);
	expect(endOfPass(uneven, 27_000)).toBe(27_000);
});

test('the pass before the next one is the long one, where that came last', () => {
	expect(lastPass(uneven)).toBe(32_000);
	expect(lastPass(regular)).toBe(35_000);
	expect(lastPass({...uneven, nextPass: 45_000})).toBe(40_000);
});

test('a stretched pass began by as much earlier than whole periods before the next one as it may have taken, the later the later all else is', () => {
	const seen = {began: {lo: 31_500, hi: 32_500}, extraWork: 3000, lastWrite: {lo: 32_500, hi: 34_500}};
	const mayBegin = {lo: 32_000, hi: 32_500};
	expect(stretchedPassesBefore(40_000, 5000, [seen], 1)).toEqual([{at: 32_500, until: 34_500, mayBegin}]);
	expect(stretchedPassesBefore(40_000, 5000, [seen], 0)).toEqual([{at: 32_000, until: 32_500, mayBegin}]);
	expect(stretchedPassesBefore(45_000, 5000, [seen], 1)).toEqual([{at: 32_500, until: 34_500, mayBegin}]);
	// Another pass came between, and was stretched unseen.
	expect(stretchedPassesBefore(41_500, 5000, [seen], 0)).toEqual([
		{at: 31_500, until: 32_500, mayBegin: seen.began},
	]);
	expect(stretchedPassesBefore(36_000, 5000, [seen], 0)).toEqual([]);
});

test.for([0, 1])(
	'between two stretched passes lie whole periods, at quantile %s of the other unknowns',
	(quantile) => {
		// Each write is dated by a whole second, and both passes may have begun before it.
		const first = {began: {lo: 24_780, hi: 25_130}, extraWork: 520, lastWrite: {lo: 25_000, hi: 25_200}};
		const second = {began: {lo: 34_700, hi: 35_140}, extraWork: 560, lastWrite: {lo: 35_000, hi: 35_200}};
		const stretchedPasses = stretchedPassesBefore(40_010, 5000, [first, second], quantile);
		const between = passAtOrAfter({...regular, nextPass: 40_010, stretchedPasses}, 28_000);
		expect(between).toBeGreaterThanOrEqual(29_780);
		expect(between).toBeLessThanOrEqual(30_200);
	},
);

test.for([
	{name: 'cut in one place', other: {lo: 105_900, hi: 106_700}, begins: {lo: 110_200, hi: 110_700}},
	// They are passes at 109.3 to 111 seconds, or at 111.3 to 113.
	{name: 'left whole in two', other: {lo: 105_300, hi: 107_000}, begins: {lo: 110_200, hi: 111_600}},
])('where other passes agree, the next one is $name', ({other, begins}) => {
	const settings = {nodeMonitorPeriod: 2000, kubeApiQps: 0, kubeApiBurst: 0, monitorWorkers: 8};
	const observations = [{lo: 100_200, hi: 101_600}, other].map((at) => ({at, calls: 0, source: ''}));
	expect(passPhase(observations, settings, {lo: 0, hi: 0}, 110_000).begins).toEqual(begins);
});
