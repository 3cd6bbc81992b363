import type {Verdict} from './playSuite.ts';

/** The report of a suite: each vector from which a run differs, and the number of each kind. */
export function describe(folder: string, verdicts: readonly Verdict[]): string {
	const count = (kind: Verdict['is']) => verdicts.filter(({is}) => is === kind).length;
	const lines = verdicts.flatMap(({name, is, runs, near, why}) => {
		if (is === 'different') return [`${folder}/${name}: DIFFERENT in all of ${runs} runs: ${why}`];
		if (is === 'chance') return [`${folder}/${name}: as recorded in ${near} of ${runs} runs; else ${why}`];
		return [];
	});
	return [
		...lines,
		`${folder}: ${count('same')} the same in every value and run, ${count('alike')} within tolerance in every run, ` +
			`${count('chance')} in some runs, ${count('different')} in none`,
	].join('\n');
}
