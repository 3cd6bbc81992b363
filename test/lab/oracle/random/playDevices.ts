import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {checkDeviceVector} from '../../../conformance/device/checkVector.ts';
import type {DeviceVector} from '../../../conformance/device/vector.ts';
import type {Action} from '../../../conformance/vector.ts';
import {deviceVectorText} from '../deviceSuite.ts';
import {runRecorder, type Task} from '../runRecorder.ts';
import {randomDevices} from './randomDevices.ts';
import type {Tally} from './tally.ts';

type DeviceRun = {readonly name: string; readonly trace: readonly Action[]};

/** Has the real controller play drawn device taints, and holds the port to what came of it; keeps the vectors where a folder is given. */
export async function playDevices(
	{
		seeds,
		version,
		out,
	}: {readonly seeds: readonly number[]; readonly version: string; readonly out: string | undefined},
	task: Task,
	tally: Tally,
): Promise<void> {
	const scenarios = seeds.map(randomDevices);
	const runs = new Map<string, DeviceRun[]>();
	const givenUp = await runRecorder(
		task,
		scenarios.map((one) => JSON.stringify(one)),
		(line) => {
			const run = JSON.parse(line) as DeviceRun;
			// Go writes an empty list as null.
			runs.set(run.name, [...(runs.get(run.name) ?? []), {...run, trace: run.trace ?? []}]);
		},
	);
	for (const text of givenUp) tally.givenUp(text);
	if (out !== undefined) mkdirSync(out, {recursive: true});
	for (const scenario of scenarios) {
		const played = runs.get(scenario.name) ?? [];
		const text = deviceVectorText(scenario, version, played);
		if (text === undefined) {
			tally.compared(scenario.name, 'the real controller does different things in each run', false);
			continue;
		}
		if (out !== undefined) writeFileSync(join(out, `${scenario.name}.json`), text);
		const vector = JSON.parse(text) as DeviceVector;
		tally.compared(scenario.name, checkDeviceVector(vector), vector.trace.length > 0);
	}
}
