import type {Range} from '../../../src/forecast/range.ts';
import {isInside, type Kind, kinds, type Prediction} from './judge.ts';
import {type Lead, leads} from './leads.ts';
import {blogTolerance} from './tolerance.ts';

/** The results of a group of forecasts. */
type Tally = {
	readonly count: number;
	readonly inside: number;
	/** Of those with a range; infinite without a latest bound. */
	readonly medianWidth: number;
	readonly ninetiethWidth: number;
};

/** Infinite without a latest bound. */
export const widthOf = ({earliest, latest}: Pick<Range, 'earliest' | 'latest'>): number =>
	(latest ?? Number.POSITIVE_INFINITY) - earliest;

export function tally(predictions: readonly Prediction[]): Tally {
	const widths = predictions.flatMap(({range}) => (range ? widthOf(range) : [])).sort((a, b) => a - b);
	const quantile = (share: number) =>
		widths[Math.min(widths.length - 1, Math.floor(widths.length * share))] ?? Number.NaN;
	return {
		count: predictions.length,
		inside: predictions.filter(isInside).length,
		medianWidth: quantile(0.5),
		ninetiethWidth: quantile(0.9),
	};
}

/** How often the blog formula was right. It is counted once per look, because cold and warm share it. */
export function blogTally(predictions: readonly Prediction[]): {
	readonly count: number;
	readonly right: number;
} {
	const once = predictions.filter(({kind}) => kind === 'cold');
	const isRight = ({blog, truth}: Prediction) =>
		blog !== undefined && Math.abs(blog - truth) <= blogTolerance;
	return {count: once.length, right: once.filter(isRight).length};
}

const leadNames: Readonly<Record<Lead, string>> = {
	60: '60 s before',
	30: '30 s before',
	10: '10 s before',
	taint: 'right after the taint',
};

/** A table of the deletions' forecasts, with a row for each lead. */
export function tableByLead(deletions: readonly Prediction[]): string {
	const rows = leads.map((lead) =>
		row(
			leadNames[lead],
			deletions.filter((prediction) => prediction.leads.includes(lead)),
		),
	);
	return [
		'| Forecast made | cold inside | median | 90 % | warm inside | median | 90 % | blog right |',
		'| --- | --- | --- | --- | --- | --- | --- | --- |',
		...rows,
		row('at every look', deletions),
	].join('\n');
}

function row(name: string, predictions: readonly Prediction[]): string {
	const cells = kinds.flatMap((kind) => cellsOf(predictions, kind));
	const {count, right} = blogTally(predictions);
	return `| ${[name, ...cells, share(right, count)].join(' | ')} |`;
}

/** The cells: inside, median width and 90th percentile. */
export function cellsOf(predictions: readonly Prediction[], kind: Kind): string[] {
	const {count, inside, medianWidth, ninetiethWidth} = tally(predictions.filter((one) => one.kind === kind));
	return [share(inside, count), seconds(medianWidth), seconds(ninetiethWidth)];
}

export function share(part: number, whole: number): string {
	if (whole === 0) return '–';
	// 99.96 % must not be rounded to 100 %.
	const percent = part === whole ? '100' : Math.min(99.9, (100 * part) / whole).toFixed(1);
	return `${part} of ${whole} (${percent} %)`;
}

export function seconds(milliseconds: number): string {
	if (Number.isNaN(milliseconds)) return '–';
	return Number.isFinite(milliseconds) ? `${(milliseconds / 1000).toFixed(1)} s` : 'open';
}
