import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import type {WorkloadAction, WorkloadScenario, WorkloadVector} from '../../core/workloads/vector.ts';
import {randomWorkloads} from './random/randomWorkloads.ts';
import {buildRecorder} from './release.ts';
import {runRecorder} from './runRecorder.ts';

// `node tools/runtime test/lab/oracle/recordWorkloads.ts v1.36.3 1-300` draws workloads, has the real controllers play each
// five times, and keeps those of which all runs agree to a second, in test/core/workloads/vectors.

type Run = Pick<WorkloadVector, 'statuses'> & {
	readonly name: string;
	readonly trace: readonly WorkloadAction[] | null;
};

const [version = 'v1.36.3', seeds = '1-300'] = process.argv.slice(2);
const [from = 1, to = from] = seeds.split('-').map(Number);
const folder = join(import.meta.dirname, '../../core/workloads/vectors');
const scenarios = Array.from({length: to - from + 1}, (_, index) => randomWorkloads(from + index));
const runs = new Map<string, Run[]>();
await runRecorder(
	{program: buildRecorder('workloads', version, console.log), runs: 5, jobs: 1},
	scenarios.map((scenario) => JSON.stringify(scenario)),
	(line) => {
		const run = JSON.parse(line) as Run;
		runs.set(run.name, [...(runs.get(run.name) ?? []), run]);
	},
);
const byKind = Map.groupBy(scenarios, ({objects: [first]}) => first?.kind ?? '');
mkdirSync(folder, {recursive: true});
for (const [kind, ofKind] of byKind) {
	const vectors = ofKind.flatMap((scenario) => vectorOf(scenario, runs.get(scenario.name) ?? []) ?? []);
	writeFileSync(
		join(folder, `${kind}.jsonl`),
		vectors.map((vector) => `${JSON.stringify(vector)}\n`).join(''),
	);
	console.log(`${kind}: ${vectors.length} of ${ofKind.length} kept`);
}

/** Undefined if its runs differ. */
function vectorOf(scenario: WorkloadScenario, all: readonly Run[]): WorkloadVector | undefined {
	const [first, ...others] = all.map(({trace, statuses}) => ({
		of: version,
		scenario,
		trace: inSeconds(trace ?? []),
		statuses,
	}));
	if (!first || !others.every(({trace}) => isDeepStrictEqual(first.trace, trace))) return undefined;
	// Counts may lag behind at the end of a run.
	return others.every((other) => isDeepStrictEqual(first, other)) ? first : {...first, statuses: {}};
}

/** What was done in which second; a call that is made twice counts once. */
function inSeconds(trace: readonly WorkloadAction[]): readonly WorkloadAction[] {
	const actions = trace.map(({at, kind, pod}) => ({at: Math.floor(at / 1000) * 1000, kind, pod}));
	const unique = new Map(
		actions.map((action) => [`${String(action.at).padStart(9, '0')} ${action.kind} ${action.pod}`, action]),
	);
	return [...unique].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, action]) => action);
}
