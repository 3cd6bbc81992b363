import type {Check} from '../judge.ts';
import {type Gap, type Intervention, judge} from './interventions.ts';
import type {ShadowProcess} from './shadowProcess.ts';

/** A shadow, and the times for which it is not judged because it could not observe the cluster. */
type Watched = {
	readonly shadow: ShadowProcess;
	readonly gaps: readonly Gap[];
	/** Its exit code when it was asked to end. */
	readonly code: number | null;
};

/** How much the memory of a shadow that is never killed may grow after its first minutes, in kilobytes. */
const growth = 60_000;

/** Compares a shadow's reports with the interventions, and prints the results. */
export function verdictOf(
	{shadow, gaps, code}: Watched,
	interventions: readonly Intervention[],
): readonly Check[] {
	const {name, reports, memory} = shadow;
	const {found, unseen, wrong, missed} = judge(interventions, reports, gaps);
	for (const line of found) console.log(`${name}: found   ${line}`);
	for (const line of unseen) console.log(`${name}: unseen  ${line}`);
	console.log(`${name}: ${reports.length} lines told in ${shadow.lives} lives`);
	console.log(
		`${name}: memory ${memory.map((kilobytes) => `${Math.round(kilobytes / 1000)} MB`).join(', ')}`,
	);
	return [
		{name: `${name}: nothing is told that is not true`, failures: wrong},
		{name: `${name}: all that is true is told`, failures: missed},
		{name: `${name}: nothing is told twice in one life`, failures: repeated(shadow)},
		{name: `${name}: it ends when it is asked to`, failures: code === 0 ? [] : [`it ended with ${code}`]},
		...(shadow.lives === 1 ? [{name: `${name}: its memory stays`, failures: grown(memory)}] : []),
	];
}

/** What one process of a shadow reported twice in the same words. */
function repeated({reports}: ShadowProcess): readonly string[] {
	const counts = Map.groupBy(
		reports,
		({life, divergence}) => `life ${life}: ${JSON.stringify({...divergence, noticedAt: ''})}`,
	);
	return [...counts].filter(([, all]) => all.length > 1).map(([line]) => line);
}

/** The first and the last measurement, in kilobytes: `140 MB to 152 MB`. */
export const fromTo = (memory: readonly number[]): string =>
	[memory.at(0), memory.at(-1)].map((kilobytes = 0) => `${Math.round(kilobytes / 1000)} MB`).join(' to ');

function grown([first, ...rest]: readonly number[]): readonly string[] {
	const last = rest.at(-1);
	if (first === undefined || last === undefined || last - first < growth) return [];
	return [`from ${first} to ${last} kB`];
}
