import {runRecorder, type Task} from './runRecorder.ts';
import type {Kept, Suite} from './suite.ts';

/** How the runs of one vector's scenario compare with it. */
export type Verdict = {
	readonly name: string;
	/**
	 * `same`: equal in all runs. `alike`: within tolerance in all runs. `chance`: in some runs, so that there is another
	 * outcome as well. `different`: in none.
	 */
	readonly is: 'same' | 'alike' | 'chance' | 'different';
	readonly runs: number;
	/** How many runs are the same or alike. */
	readonly near: number;
	/** The first difference. */
	readonly why: string | undefined;
	/** A new vector, if one was requested and the runs have enough in common. */
	readonly text: string | undefined;
};

/** The options for playing a suite. */
type Play = Task & {
	/** How many more runs a scenario gets if a run differs, because another run may match the recording. */
	readonly patience: number;
	/** Whether to write new vectors. */
	readonly isWriting: boolean;
};

/** Plays a suite's scenarios and compares each run with the vector. */
export async function playSuite<Vector, Result>(
	suite: Suite<Vector, Result>,
	vectors: readonly Kept<Vector>[],
	version: string,
	{patience, isWriting, ...task}: Play,
): Promise<readonly Verdict[]> {
	const results = await play(suite, vectors, task);
	const judge = (kept: Kept<Vector>) => verdict(suite, kept, results.get(kept.name) ?? []);
	const strange = vectors.filter((kept) => judge(kept).near < task.runs);
	if (patience > 0 && strange.length > 0) {
		for (const [name, more] of await play(suite, strange, {...task, runs: patience})) {
			results.set(name, [...(results.get(name) ?? []), ...more]);
		}
	}
	return vectors.map((kept) => ({
		...judge(kept),
		text: isWriting ? suite.write(kept, version, results.get(kept.name) ?? []) : undefined,
	}));
}

function verdict<Vector, Result>(
	suite: Suite<Vector, Result>,
	kept: Kept<Vector>,
	results: readonly Result[],
): Omit<Verdict, 'text'> {
	const compared = results.map((result) => suite.compare(kept, result));
	const near = compared.filter(({is}) => is !== 'different').length;
	const why = compared.find(({is}) => is === 'different')?.why;
	const whole = compared.every(({is}) => is === 'same') ? 'same' : 'alike';
	const is = near === results.length ? whole : near > 0 ? 'chance' : 'different';
	return {name: kept.name, is, runs: results.length, near, why};
}

/** Plays each scenario as often as the task says; returns the results by vector name. */
async function play<Vector, Result>(
	suite: Suite<Vector, Result>,
	vectors: readonly Kept<Vector>[],
	task: Task,
): Promise<Map<string, Result[]>> {
	const results = new Map<string, Result[]>(vectors.map(({name}) => [name, []]));
	const scenarios = vectors.map((kept) => suite.scenarioOf(kept));
	await runRecorder(task, scenarios, (line) => {
		const {name, result} = suite.readLine(line);
		const of = results.get(name);
		if (!of) throw new Error(`the recorder tells of ${name}, which it was not asked for`);
		of.push(result);
	});
	for (const [name, of] of results) {
		if (of.length !== task.runs) throw new Error(`the recorder played ${name} ${of.length} times`);
	}
	return results;
}
