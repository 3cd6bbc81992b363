import {runRecorder, type Task} from './runRecorder.ts';
import type {Kept, Suite} from './suite.ts';

/** How a suite's recordings compare with its vectors. */
export type Verdicts = {
	/** In all runs the same in every value. */
	readonly same: readonly string[];
	/** In all runs within what chance leaves open. */
	readonly alike: readonly string[];
	readonly different: readonly {readonly name: string; readonly why: string}[];
	/** Those of which no new vector can be made. */
	readonly undecidable: readonly string[];
};

/** How a suite is played: `keep` is given each new vector's file and text. */
export type Play = Task & {readonly keep?: ((file: string, text: string) => void) | undefined};

/** Plays a suite's scenarios, compares each run with the vector, and makes new vectors of the runs where asked to. */
export async function playSuite<Vector, Result>(
	suite: Suite<Vector, Result>,
	vectors: readonly Kept<Vector>[],
	version: string,
	{keep, ...task}: Play,
): Promise<Verdicts> {
	const byName = new Map(vectors.map((kept) => [kept.name, kept]));
	const pending = new Map<string, Result[]>();
	const verdicts = {
		same: [] as string[],
		alike: [] as string[],
		different: [] as {name: string; why: string}[],
		undecidable: [] as string[],
	};
	const finish = (kept: Kept<Vector>, results: readonly Result[]) => {
		const compared = results.map((result) => suite.compare(kept, result));
		const bad = compared.find(({is}) => is === 'different');
		if (bad) verdicts.different.push({name: kept.name, why: bad.why ?? 'different'});
		else (compared.every(({is}) => is === 'same') ? verdicts.same : verdicts.alike).push(kept.name);
		if (!keep) return;
		const text = suite.write(kept, version, results);
		if (text === undefined) verdicts.undecidable.push(kept.name);
		else keep(kept.file, text);
	};
	await runRecorder(
		task,
		vectors.map((kept) => suite.scenarioOf(kept)),
		(line) => {
			const {name, result} = suite.readLine(line);
			const kept = byName.get(name);
			if (!kept) throw new Error(`the recorder tells of ${name}, which it was not asked for`);
			const results = [...(pending.get(name) ?? []), result];
			pending.set(name, results);
			if (results.length < task.runs) return;
			pending.delete(name);
			finish(kept, results);
		},
	);
	if (pending.size > 0) throw new Error(`the recorder did not finish ${[...pending.keys()].join(', ')}`);
	return verdicts;
}
