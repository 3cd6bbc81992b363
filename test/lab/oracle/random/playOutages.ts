import type {TraceVector} from '../../../conformance/vector.ts';
import {readOutcome} from '../outcome.ts';
import {runRecorder, type Task} from '../runRecorder.ts';
import {compact} from '../vectorText.ts';
import {firstMismatch} from './matchRun.ts';
import {type OutageKind, randomOutage} from './randomOutage.ts';
import type {Tally} from './tally.ts';

/** Plays outages with a version's real controllers, and searches for random choices with which the port does the same. */
export async function playOutages(
	version: string,
	seeds: readonly number[],
	kind: OutageKind,
	choices: number,
	task: Task,
	tally: Tally,
): Promise<void> {
	const outages = seeds.map((seed) => randomOutage(seed, kind));
	const named = new Map(outages.map((outage) => [outage.name, outage]));
	const texts = new Map(outages.map((outage) => [compact(outage), outage.name]));
	const take = (line: string): void => {
		const {name, firstPassAt, trace, zones} = readOutcome(line);
		const scenario = named.get(name);
		if (!scenario) throw new Error(`the recorder tells of ${name}, which it was not asked for`);
		const run: TraceVector = {
			...{kubernetesVersion: version, order: 'decided', firstPassAt, scenario, trace, zones},
		};
		tally.compared(name, firstMismatch(run, choices));
	};
	const givenUp = await runRecorder(task, [...texts.keys()], take);
	for (const text of givenUp) tally.givenUp(texts.get(text) ?? text);
}
