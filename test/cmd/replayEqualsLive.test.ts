import {join} from 'node:path';
import {expect, test} from 'vitest';
import {evidenceOfRecording, recordedSettings} from '../../cmd/sources/recordedSettings.ts';
import {connect} from '../../src/cluster/cluster.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {second} from '../../src/core/time/instant.ts';
import {startDemo} from '../../src/demo/demo.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {pressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {resolveSettings} from '../../src/forecast/settings/resolve.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import {deliver} from '../../src/live/tape.ts';
import {openRecording} from '../../src/recording/format/recording.ts';
import {newRecordingFile} from '../../src/recording/format/recordingFile.ts';
import {recordingWriter} from '../../src/recording/format/recordingWriter.ts';
import {clusterSource} from '../../src/session/clusterSource.ts';
import {pressureStage} from '../../src/session/pressureStage.ts';
import {ManualTimers} from '../demo/manualTimers.ts';
import {demoScenario} from '../support/demoScenario.ts';
import {isDeep} from '../support/drawn.ts';
import {learningWatcher} from '../support/learningWatcher.ts';
import {bareEnvironment, instantTiming, TemporaryFolder} from '../support/testEnvironment.ts';

const controller = {asked: {versionFlag: undefined, flags: {}}, notes: []};
const start = Date.UTC(2026, 0, 31, 14, 0, 0);

/** What was known at the time of a forecast, and the forecast. */
type Moment = {
	/** How many entries arrived from the watches or from kubelets. */
	readonly heard: number;
	readonly now: number;
	readonly said: string;
	readonly problems: readonly Problem[];
};

const watcher = (evidence: SettingsEvidence) => learningWatcher(evidence, (store) => pressureStage(store));

const textOf = (forecast: Forecast): string =>
	JSON.stringify(forecast, (_, value) => (typeof value === 'bigint' ? String(value) : value));

/** Watches an outage over HTTP in virtual time, records it, and forecasts after each second. */
async function watchLive(name: string, file: string, seconds: number): Promise<readonly Moment[]> {
	const timers = new ManualTimers();
	const clock = () => start + timers.now;
	const demo = await startDemo(demoScenario(name), {port: 0, clock, timers, seed: 1});
	const timing = instantTiming({now: clock});
	const cluster = await connect({server: demo.url}, bareEnvironment(), timing);
	const stop = new AbortController();
	const moments: Moment[] = [];
	try {
		const [version, controlPlane] = await Promise.all([cluster.version(), cluster.controlPlane()]);
		const evidence = {...controller.asked, serverVersion: version, controlPlane};
		const predictor = watcher(evidence);
		const header = {
			program: 'v0',
			title: name,
			kubernetesVersion: version,
			isPartial: false,
			settings: recordedSettings({evidence, resolved: resolveSettings(evidence)}),
		};
		const writer = recordingWriter(await newRecordingFile(file), timing, header);
		let [heard, problems] = [0, [] as readonly Problem[]];
		const kubelets = pressuredNodes(predictor.store);
		const watching = clusterSource(cluster, {pods: {type: 'all'}}, undefined, kubelets).run(
			{
				push: (entry) => {
					if (entry.type === 'problems') problems = entry.problems;
					else heard += 1;
					writer.push(entry);
					predictor.session.push(entry);
				},
			},
			stop.signal,
		);
		for (let passed = 0; passed < seconds; passed++) {
			timers.advance(second);
			for (let turn = 0; turn < 8; turn++) await new Promise((go) => setImmediate(go));
			if (heard > 0) moments.push({heard, now: clock(), said: textOf(predictor.forecast(clock())), problems});
		}
		stop.abort();
		await watching;
		await writer.close();
	} finally {
		stop.abort();
		await cluster.close();
		await demo.close();
	}
	return moments;
}

test.for([
	// A quick run ends while pods are being evicted.
	{name: 'zone-dies', seconds: isDeep ? 180 : 110, tells: '"Scheduled"'},
	{name: 'controller-restart', seconds: isDeep ? 180 : 110, tells: '"Scheduled"'},
	{name: 'node-pressure', seconds: isDeep ? 480 : 200, tells: '"NodePressure"'},
])(
	'$name: the forecasts of the replay are those of the live watch, at every instant',
	async ({name, seconds, tells}) => {
		using folder = new TemporaryFolder();
		const file = join(folder.path, 'outage.jsonl.gz');
		const moments = await watchLive(name, file, seconds);
		expect(moments.length).toBeGreaterThan(seconds - 10);
		expect(new Set(moments.map(({heard}) => heard)).size).toBeGreaterThan(seconds / 2);
		expect(moments.filter(({said}) => said.includes(tells)).length).toBeGreaterThan(20);

		const recording = await openRecording({name: file});
		if (!recording) throw new Error('no recording');
		const evidence = evidenceOfRecording(controller, recording.header);
		const predictor = watcher(evidence);
		let [heard, problems] = [0, [] as readonly Problem[]];
		const different: number[] = [];
		const left = [...moments];
		const catchUp = () => {
			for (let moment = left[0]; moment?.heard === heard; moment = left[0]) {
				const isSame = textOf(predictor.forecast(moment.now)) === moment.said;
				const isAsTold = JSON.stringify(problems) === JSON.stringify(moment.problems);
				if (!isSame || !isAsTold) different.push(moment.now);
				left.shift();
			}
		};
		for await (const entry of recording.entries()) {
			if (entry.type === 'problems') problems = entry.problems;
			if (entry.type !== 'batch' && entry.type !== 'pressure') continue;
			catchUp();
			heard += 1;
			deliver(entry, predictor.session);
		}
		catchUp();
		expect([different, left.length, recording.problems]).toEqual([[], 0, []]);
	},
);
