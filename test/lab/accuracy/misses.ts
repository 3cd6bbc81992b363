import {isInside, type Prediction} from './judge.ts';
import type {Recording} from './recording.ts';
import {seconds} from './statistics.ts';
import {time} from './tolerance.ts';

/** All wrong forecasts, grouped by subject: their number, and the first and the last in detail. */
export function listMisses(predictions: readonly Prediction[], {steps}: Recording): string[] {
	const zero = steps[0]?.at ?? 0;
	const groups = Map.groupBy(predictions, ({subject, kind}) => `${subject}, ${kind}`);
	return [...groups].flatMap(([name, all]) => {
		const wrong = all.filter((one) => !isInside(one));
		const [first] = wrong;
		if (!first) return [];
		const last = wrong.at(-1);
		// The reasons are nearly the same each time.
		const facts = [
			`${describe(first, zero)}. ${first.because.join('; ')}`,
			...(last && last !== first ? [describe(last, zero)] : []),
		];
		const happened = `happened at ${time(first.truth)} (${seconds(first.truth - zero)} into the outage)`;
		return [
			`- ${name}: ${wrong.length} of ${all.length} forecasts wrong; ${happened}\n  - ${facts.join('\n  - ')}`,
		];
	});
}

function describe({at, truth, range, verdict}: Prediction, zero: number): string {
	const prediction = range
		? `${time(range.earliest)} to ${range.latest === null ? 'open' : time(range.latest)}, off by ${seconds(miss(truth, range))}`
		: 'nothing foretold';
	return `${seconds(truth - at)} before (${seconds(at - zero)} in): ${verdict}, ${prediction}`;
}

/** The distance from the range; negative if it happened too early. */
function miss(truth: number, {earliest, latest}: {earliest: number; latest: number | null}): number {
	return truth < earliest ? truth - earliest : truth - (latest ?? truth);
}
