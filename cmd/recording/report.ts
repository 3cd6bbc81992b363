import {second} from '../../src/core/time/instant.ts';
import {LearningPredictor} from '../../src/forecast/learningPredictor.ts';
import {finish} from '../../src/forecast/pausable.ts';
import {LowPoints} from '../../src/impact/lowPoints.ts';
import {type Cadence, liveCadence, playThrough} from '../../src/live/tape.ts';
import {formatJson} from '../../src/print/json/json.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import {formatHtml} from '../../src/report/html.ts';
import {reportJson} from '../../src/report/json.ts';
import {formatMarkdown} from '../../src/report/markdown.ts';
import type {Outage} from '../../src/report/outage.ts';
import {ReportBuilder} from '../../src/report/reportBuilder.ts';
import {questionsOf, type ReportTrial, type TrialContext, tryOut} from '../../src/report/trials.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {usageError} from '../args/usageError.ts';
import type {Terminal} from '../output/terminal.ts';
import {recordingOf} from '../sources/fileScene.ts';
import {settingsOfRecording} from '../sources/recordedSettings.ts';

/** The command `report`: an outage afterwards, from a recording. */
export async function report(options: Options, terminal: Terminal): Promise<number> {
	const {filenames, names, output} = options;
	const files = [...filenames, ...names];
	if (files.length !== 1) throw usageError('want one recording: report -f FILE');
	const outage = await outageOf(await recordingOf(files), options);
	await terminal.print(
		output === 'html'
			? formatHtml(outage)
			: output === 'json'
				? formatJson(reportJson(outage))
				: formatMarkdown(outage),
	);
	return 0;
}

/** In a large cluster a forecast takes its time, and a recording has thousands of instants. */
const largeCadence: Cadence = {shortest: 5 * second, longest: 10 * second};
const manyNodes = 500;

/** All that can be told of a recorded outage: its forecasts are made again, each from what was known then. */
export async function outageOf(
	recording: Recording,
	{controller}: Pick<Options, 'controller'>,
): Promise<Outage> {
	const {header, startedAt, name} = recording;
	const {evidence} = settingsOfRecording(controller, header);
	const store = new ClusterStore();
	const predictor = new LearningPredictor(evidence, () => undefined, store);
	const builder = new ReportBuilder(store);
	for (const one of [builder, predictor]) store.subscribe(one);
	const lowPoints = new LowPoints();
	let [to, nodes] = [startedAt, 0];
	await playThrough(
		recording.entries(),
		{
			observe: (observations, at, sight) => {
				nodes += observations.filter(({type}) => type === 'nodeApplied').length;
				store.apply(observations, at, sight);
			},
			reportProblems: () => undefined,
			reportRelated: (related, at) => lowPoints.take(related, at),
			passed: (at) => {
				to = at;
			},
		},
		(now) => {
			const forecast = predictor.forecast(now);
			builder.add(forecast);
			lowPoints.add(forecast);
		},
		() => (nodes > manyNodes ? largeCadence : liveCadence),
	);
	if (nodes === 0)
		throw new UserError(
			`no node was seen while ${name} was written`,
			'record again, with rights to read nodes',
		);
	const outage = builder.outage({
		...{title: header.title, file: name, kubernetesVersion: header.kubernetesVersion, from: startedAt, to},
		problems: [...controller.notes, ...recording.problems],
		settings: predictor.settings,
	});
	return {
		...outage,
		workloads: lowPoints.points,
		trials: await tried(recording, outage, new LearningPredictor(evidence, () => undefined)),
	};
}

/** The instants at which something is tried lie no farther apart from where they should be. */
const trialCadence: Cadence = {shortest: 2 * second, longest: 5 * second};

/** Plays a recording once more, as far as there is something to be tried in it. */
async function tried(
	recording: Recording,
	outage: Outage,
	predictor: LearningPredictor,
): Promise<readonly ReportTrial[]> {
	const questions = [...questionsOf(outage)];
	const trials: ReportTrial[] = [];
	await playThrough(
		whileAny(recording.entries(), questions),
		{
			observe: (observations, at, sight) => predictor.observe(observations, at, sight),
			reportProblems: () => undefined,
		},
		(now) => {
			const forecast = predictor.forecast(now);
			const {forecaster} = predictor;
			const asked: TrialContext = {
				forecast,
				podOf: (key) => forecaster.podOf(key),
				period: forecaster.settings.nodeMonitorPeriod,
				ask: (changes) => forecaster.whatIfInSteps(changes, forecast.observedAt),
				returns: () => forecaster.recoveryProbeInSteps(forecast.observedAt),
			};
			for (let next = questions[0]; next && next.at <= now; next = questions[0]) {
				questions.shift();
				const trial = finish(tryOut(next, asked));
				if (trial) trials.push(trial);
			}
		},
		() => trialCadence,
	);
	return trials;
}

async function* whileAny<T>(entries: AsyncIterable<T>, questions: readonly unknown[]): AsyncGenerator<T> {
	for await (const entry of entries) {
		if (questions.length === 0) return;
		yield entry;
	}
}
