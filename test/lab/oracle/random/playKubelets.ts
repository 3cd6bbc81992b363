import {parseExactJson} from '../../../../src/cluster/codec/rawJson.ts';
import {checkVector} from '../../../conformance/kubelet/checkVector.ts';
import type {KubeletVector} from '../../../conformance/kubelet/vector.ts';
import {type KubeletRun, summarizeRuns} from '../kubeletRuns.ts';
import {runRecorder, type Task} from '../runRecorder.ts';
import {randomKubelet} from './randomKubelet.ts';
import type {Tally} from './tally.ts';

/** Plays nodes under pressure with the real eviction manager, several times each, and compares the port with all results. */
export async function playKubelets(seeds: readonly number[], task: Task, tally: Tally): Promise<void> {
	const scenarios = seeds.map(randomKubelet);
	const texts = new Map(scenarios.map((scenario) => [JSON.stringify(scenario), scenario.name]));
	const runs = new Map<string, KubeletRun[]>();
	const givenUp = await runRecorder(task, [...texts.keys()], (line) => {
		const run = JSON.parse(line) as KubeletRun;
		runs.set(run.name, [...(runs.get(run.name) ?? []), run]);
	});
	for (const text of givenUp) tally.givenUp(texts.get(text) ?? text);
	for (const scenario of scenarios) {
		const played = runs.get(scenario.name);
		if (!played) continue;
		// Parsed from a vector's text, whose amounts are exact.
		const vector = parseExactJson(JSON.stringify({scenario, ...summarizeRuns(played)})) as KubeletVector;
		tally.compared(scenario.name, checkVector(vector), isEventful(played));
	}
}

const isEventful = (runs: readonly KubeletRun[]) =>
	runs.some(({trace}) => trace.some(({kind}) => kind === 'kill'));
