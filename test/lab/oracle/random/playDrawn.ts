import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {checkDeviceVector} from '../../../conformance/device/checkVector.ts';
import type {DeviceScenario, DeviceVector} from '../../../conformance/device/vector.ts';
import {checkTrace} from '../../../conformance/playTrace.ts';
import {checkRepairVector} from '../../../conformance/repair/checkVector.ts';
import type {RepairScenario, RepairVector} from '../../../conformance/repair/vector.ts';
import type {Action, TraceVector} from '../../../conformance/vector.ts';
import type {Scenario} from '../../../support/scenario/scenario.ts';
import {deviceVectorText} from '../deviceSuite.ts';
import {type Outcome, readOutcome} from '../outcome.ts';
import {repairOf} from '../release.ts';
import {repairVectorText} from '../repairSuite.ts';
import {runRecorder, type Task} from '../runRecorder.ts';
import {newTraceText} from '../traceSuite.ts';
import {randomDevices} from './randomDevices.ts';
import {randomMachines} from './randomMachines.ts';
import {randomRepair} from './randomRepair.ts';
import type {Tally} from './tally.ts';

type Run = {readonly name: string; readonly trace: readonly Action[]};

/** How scenarios of a controller are drawn, and how their results are saved and compared with the port. */
type Drawn<Scenario, Vector, Ran extends Run = Run> = {
	readonly draw: (seed: number) => Scenario;
	readonly read: (line: string) => Ran;
	readonly text: (scenario: Scenario, version: string, runs: readonly Ran[]) => string | undefined;
	readonly check: (vector: Vector) => string | undefined;
};

/** Drivers that taint devices, for the device taint eviction controller. */
export const drawnDevices: Drawn<DeviceScenario, DeviceVector> = {
	draw: randomDevices,
	read: readRun,
	text: deviceVectorText,
	check: checkDeviceVector,
};

/** Unhealthy nodes: in pools, for Karpenter's node repair, or with machines, for OpenShift's or Cluster API's. */
export const drawnRepairs = (version: string): Drawn<RepairScenario, RepairVector> => ({
	draw: drawRepair(version),
	read: readRun,
	text: repairVectorText,
	check: checkRepairVector,
});

function drawRepair(version: string): (seed: number) => RepairScenario {
	const project = repairOf(version)?.project;
	return project === 'machineapi' || project === 'clusterapi'
		? (seed) => randomMachines(seed, project)
		: randomRepair;
}

/** Outages for the node controllers, such as those of `randomOutage` and `randomThrottled`. */
export const drawnOutages = (draw: (seed: number) => Scenario): Drawn<Scenario, TraceVector, Outcome> => ({
	draw,
	read: readOutcome,
	text: newTraceText,
	check: checkTrace,
});

/** Go writes an empty list as null. */
function readRun(line: string): Run {
	const run = JSON.parse(line) as Run;
	return {...run, trace: run.trace ?? []};
}

/** Plays drawn scenarios with the real controller, compares the port, and writes vectors if there is an output folder. */
export async function playDrawn<
	Scenario extends {readonly name: string},
	Vector extends {readonly trace: readonly Action[]},
	Ran extends Run,
>(
	drawn: Drawn<Scenario, Vector, Ran>,
	{
		seeds,
		version,
		out,
	}: {readonly seeds: readonly number[]; readonly version: string; readonly out: string | undefined},
	task: Task,
	tally: Tally,
): Promise<void> {
	const scenarios = seeds.map(drawn.draw);
	const runs = new Map<string, Ran[]>();
	const givenUp = await runRecorder(
		task,
		scenarios.map((one) => JSON.stringify(one)),
		(line) => {
			const run = drawn.read(line);
			runs.set(run.name, [...(runs.get(run.name) ?? []), run]);
		},
	);
	for (const text of givenUp) tally.givenUp(text);
	if (out !== undefined) mkdirSync(out, {recursive: true});
	for (const scenario of scenarios) {
		const played = runs.get(scenario.name) ?? [];
		const text = drawn.text(scenario, version, played);
		if (text === undefined) {
			tally.compared(scenario.name, 'the real controller does different things in each run', false);
			continue;
		}
		if (out !== undefined) writeFileSync(join(out, `${scenario.name}.json`), text);
		const vector = JSON.parse(text) as Vector;
		tally.compared(scenario.name, drawn.check(vector), vector.trace.length > 0);
	}
}
