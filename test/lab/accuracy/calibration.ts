import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {PodForecast} from '../../../src/forecast/podForecast.ts';
import type {Range} from '../../../src/forecast/range.ts';

/** A forecast of a deletion, and what became of it. */
export type Case = {
	/** The outage, and the node in it: pods of a node are one draw. */
	readonly outage: string;
	readonly node: string;
	readonly kind: string;
	readonly at: Instant;
	readonly verdict: string;
	readonly range: Range;
	/** Undefined if it was not deleted. */
	readonly truth: Instant | undefined;
	/** Until when this is known: the end of the recording, or the first step that the forecast could not see. */
	readonly until: Instant;
};

/** Narrower ranges are not judged: what is left in them are the latencies of watches and clocks. */
const judgedFrom = 3 * second;

/** How much later than it happens a deletion may be reported, or sooner by other clocks. */
const reporting = second / 2;

/** The case of a pod's forecast; undefined if it predicts no deletion, or a range that leaves nothing open. */
export function caseOf(
	outage: string,
	{node, verdict, eviction: range}: PodForecast,
	kind: string,
	at: Instant,
	deletedAt: Instant | undefined,
	until: Instant,
): Case | undefined {
	if (!range || !['Scheduled', 'Expected', 'Unsure'].includes(verdict)) return undefined;
	if (range.latest !== null && range.latest - range.earliest < judgedFrom) return undefined;
	if (until <= at || (deletedAt !== undefined && deletedAt <= at)) return undefined;
	return {
		...{outage, node},
		kind,
		at,
		verdict,
		range,
		until,
		truth: deletedAt !== undefined && deletedAt < until ? deletedAt : undefined,
	};
}

/** How well the odds of some forecasts hold. */
export type Calibration = {
	readonly count: number;
	/** How many draws they are: those of one node at one look are one. */
	readonly draws: number;
	/** The share that came before `expected`, of those whose `expected` the recording reaches: about then it counts half. */
	readonly before: number;
	/** The share that came within `likely`, of those whose `likely` the recording reaches. */
	readonly likely: number;
	/** The mean widths of `likely` and of the range, of bounded ones, in seconds. */
	readonly likelyWidth: number;
	readonly width: number;
	/** The mean pinball losses, in seconds: by `likely` and `expected`, and by the middle of the range. */
	readonly loss: number;
	readonly lossOfMiddle: number;
};

/** The calibration of some cases, counted by node. `Unsure` counts given that it is deleted. */
export function calibrationOf(cases: readonly Case[]): Calibration {
	const judged = cases.filter(({verdict, truth}) => verdict !== 'Unsure' || truth !== undefined);
	const draws = Map.groupBy(
		judged,
		({outage, node, kind, at, verdict}) => `${outage} ${kind} ${at} ${node} ${verdict}`,
	);
	const weightOf = new Map(
		[...draws.values()].flatMap((ones) => ones.map((one) => [one, 1 / ones.length] as const)),
	);
	const mean = (ones: readonly Case[], of: (one: Case) => number): number => {
		const total = ones.reduce((sum, one) => sum + (weightOf.get(one) ?? 0), 0);
		return ones.reduce((sum, one) => sum + of(one) * (weightOf.get(one) ?? 0), 0) / total;
	};
	const reached = judged.filter(({range, until}) => range.expected < until);
	const within = judged.filter(({range: {likely}, until}) => likely && likely.until < until);
	const bounded = judged.filter(({range: {likely, latest}}) => likely && latest !== null);
	const seen = bounded.filter(({truth}) => truth !== undefined);
	return {
		count: judged.length,
		draws: draws.size,
		before: mean(reached, ({truth, range}) => isBefore(truth, range.expected)),
		likely: mean(within, ({truth, range: {likely}}) =>
			Number(
				truth !== undefined &&
					likely !== null &&
					likely.from - reporting <= truth &&
					truth <= likely.until + reporting,
			),
		),
		likelyWidth: mean(bounded, ({range: {likely}}) => (likely ? (likely.until - likely.from) / second : 0)),
		width: mean(bounded, ({range}) => (range.end - range.earliest) / second),
		loss: mean(seen, ({truth = 0, range: {likely, expected}}) =>
			likely ? lossOf(truth, likely.from, expected, likely.until) / second : 0,
		),
		lossOfMiddle: mean(
			seen,
			({truth = 0, range: {earliest, end}}) =>
				lossOf(truth, earliest + (end - earliest) / 10, (earliest + end) / 2, end - (end - earliest) / 10) /
				second,
		),
	};
}

/** Whether it came before `expected`; about then it is neither before nor after. */
function isBefore(truth: Instant | undefined, expected: Instant): number {
	if (truth === undefined || truth > expected + reporting) return 0;
	return truth < expected - reporting ? 1 : 0.5;
}

/** The mean pinball loss of three quantiles. */
const lossOf = (truth: Instant, tenth: Instant, half: Instant, nineTenths: Instant): number =>
	(pinball(truth - tenth, 0.1) + pinball(truth - half, 0.5) + pinball(truth - nineTenths, 0.9)) / 3;

const pinball = (by: number, quantile: number): number => (by >= 0 ? by * quantile : by * (quantile - 1));

const groups: readonly (readonly [name: string, isIn: (one: Case) => boolean])[] = [
	['all', () => true],
	['cold', ({kind}) => kind === 'cold'],
	['warm', ({kind}) => kind === 'warm'],
	['Scheduled', ({verdict}) => verdict === 'Scheduled'],
	['Expected', ({verdict}) => verdict === 'Expected'],
	['Unsure', ({verdict}) => verdict === 'Unsure'],
];

/** A table of the calibration, a row for each source and verdict. */
export function calibrationTable(cases: readonly Case[]): string {
	const rows = groups.map(([name, isIn]) => {
		const one = calibrationOf(cases.filter(isIn));
		const percent = (share: number) => (Number.isNaN(share) ? '–' : `${(100 * share).toFixed(0)} %`);
		const number = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(1));
		return [
			name,
			one.draws,
			percent(one.before),
			percent(one.likely),
			number(one.likelyWidth),
			number(one.width),
			number(one.loss),
			number(one.lossOfMiddle),
		];
	});
	return [
		'| Forecasts | draws | before `expected` | within `likely` | mean width of `likely` | of the range | pinball loss | of the middle |',
		'| --- | --- | --- | --- | --- | --- | --- | --- |',
		...rows.map((cells) => `| ${cells.join(' | ')} |`),
	].join('\n');
}
