import type {Range} from './contract.ts';
import {type Check, isInside, type Outcome, type Prediction} from './judge.ts';

/** A table of what happened; times are seconds since the outage that caused it. */
export function outcomeTable(
	title: string,
	outcomes: readonly Outcome[],
	outages: readonly {at: number}[],
): string {
	const header = [title, 'HAPPENED', 'FORECASTS', 'FIRST', 'LAST', 'NARROWEST', 'INSIDE'];
	const rows = outcomes.map(({subject, at, predictions}) => {
		const zero = outages.findLast((outage) => outage.at <= at)?.at ?? at;
		const inside = predictions.filter(({range}) => isInside(at, range)).length;
		const narrowest = predictions.toSorted((a, b) => width(a.range) - width(b.range))[0];
		return [
			subject,
			offset(at, zero),
			`${predictions.length}`,
			range(predictions[0], zero),
			range(predictions.at(-1), zero),
			narrowest ? (width(narrowest.range) / 1000).toFixed(1) : '-',
			inside === predictions.length && inside > 0 ? 'all' : `${inside} of ${predictions.length}`,
		];
	});
	return alignColumns([header, ...rows]);
}

/** The width of the ranges by verdict: ranges of running timers are narrower than those of future ones. */
export function widths(outcomes: readonly Outcome[]): string {
	const byVerdict = Map.groupBy(
		outcomes.flatMap(({predictions}) => predictions),
		({verdict}) => verdict,
	);
	return [...byVerdict]
		.map(([verdict, predictions]) => {
			const sorted = predictions.map((prediction) => width(prediction.range)).sort((a, b) => a - b);
			const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
			return `${verdict}: median width ${(median / 1000).toFixed(1)} s of ${sorted.length}`;
		})
		.join('; ');
}

/** Prints what passed, the failures, and the number of checks; returns the exit code. */
export function report(checks: readonly Check[]): number {
	for (const {name, failures} of checks) if (failures.length === 0) console.log(`ok      ${name}`);
	console.log(summary(checks));
	return checks.every(({failures}) => failures.length === 0) ? 0 : 1;
}

/** The failures, and the number of checks. */
function summary(checks: readonly Check[]): string {
	const failed = checks.filter(({failures}) => failures.length > 0);
	const lines = failed.map(({name, failures}) => {
		const more = failures.length > 3 ? `\n        and ${failures.length - 3} more` : '';
		return `FAILED  ${name}\n        ${failures.slice(0, 3).join('\n        ')}${more}`;
	});
	return [...lines, `${checks.length - failed.length} passed, ${failed.length} failed`].join('\n');
}

const width = ({earliest, latest}: Range) => (latest === null ? Number.POSITIVE_INFINITY : latest - earliest);

const offset = (at: number, zero: number) => `+${((at - zero) / 1000).toFixed(1)}`;

function range(prediction: Prediction | undefined, zero: number): string {
	if (!prediction) return '-';
	const {earliest, latest} = prediction.range;
	return `${offset(earliest, zero)}..${latest === null ? '' : offset(latest, zero)}`;
}

function alignColumns(rows: readonly (readonly string[])[]): string {
	const columns = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
	return rows
		.map((row) =>
			row
				.map((cell, i) => cell.padEnd(columns[i] ?? 0))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
