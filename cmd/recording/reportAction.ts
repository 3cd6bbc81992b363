import {type Instant, second} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {finish} from '../../src/forecast/pausable.ts';
import {type Learning, learning} from '../../src/forecast/settingsLearner.ts';
import {LowPoints} from '../../src/impact/lowPoints.ts';
import type {Cadence} from '../../src/live/tape.ts';
import {formatJson} from '../../src/print/json/json.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import {formatHtml} from '../../src/report/html.ts';
import {reportJson} from '../../src/report/json.ts';
import {formatMarkdown} from '../../src/report/markdown.ts';
import type {Outage, ReportTrial} from '../../src/report/outage.ts';
import {ReportBuilder} from '../../src/report/reportBuilder.ts';
import {questionsOf, simulateTrial} from '../../src/report/trials.ts';
import {Session} from '../../src/session/session.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {usageError} from '../args/usageError.ts';
import type {Terminal} from '../output/terminal.ts';
import {recordingOf} from '../sources/fileScene.ts';
import {PressureStage} from '../sources/pressureStage.ts';
import {settingsOfRecording} from '../sources/recordedSettings.ts';

export async function report(options: Options, terminal: Terminal): Promise<number> {
	const {filenames, names, output} = options;
	const files = [...filenames, ...names];
	if (files.length !== 1) throw usageError('want one recording: report -f FILE');
	const {timeZone} = options;
	const outage = {...(await outageOf(await recordingOf(files), options)), timeZone};
	await terminal.print(
		output === 'html'
			? formatHtml(outage)
			: output === 'json'
				? formatJson(reportJson(outage))
				: formatMarkdown(outage),
	);
	return 0;
}

/** All facts of a recorded outage. Forecasts are made again, each from what was known at its time. */
export async function outageOf(
	recording: Recording,
	{controller}: Pick<Options, 'controller'>,
): Promise<Outage> {
	const {header, startedAt, name} = recording;
	const {evidence} = settingsOfRecording(controller, header);
	const known = learning(evidence);
	const {store} = known;
	const builder = new ReportBuilder(store);
	const lowPoints = new LowPoints();
	const session = new Session({
		...{...known, ledger: builder, stages: [new PressureStage(store)], taps: [lowPoints]},
		display: {publish: (forecast) => lowPoints.add(forecast)},
	});
	const to = (await session.play(recording.entries(), session.cadenceOfChanges)) ?? startedAt;
	if (builder.nodeCount === 0)
		throw new UserError(
			`no node was seen while ${name} was written`,
			'record again, with rights to read nodes',
		);
	const outage = builder.outage({
		...{title: header.title, file: name, kubernetesVersion: header.kubernetesVersion, from: startedAt, to},
		problems: [...controller.notes, ...recording.problems],
		settings: known.forecaster.settingList,
	});
	return {
		...outage,
		workloads: lowPoints.points,
		trials: await tried(recording, outage, learning(evidence)),
	};
}

/** How far trials may lie from their ideal instant. */
const trialCadence: Cadence = {shortest: 2 * second, longest: 5 * second};

/** Plays the recording a second time if it holds something to try. */
async function tried(recording: Recording, outage: Outage, known: Learning): Promise<readonly ReportTrial[]> {
	const questions = [...questionsOf(outage)];
	const trials: ReportTrial[] = [];
	const {forecaster} = known;
	const publish = (forecast: Forecast, now: Instant) => {
		for (let next = questions[0]; next && next.at <= now; next = questions[0]) {
			questions.shift();
			const trial = finish(simulateTrial(next, forecast, forecaster));
			if (trial) trials.push(trial);
		}
	};
	const session = new Session({...known, display: {publish}});
	await session.play(whileAny(recording.entries(), questions), () => trialCadence);
	return trials;
}

async function* whileAny<T>(entries: AsyncIterable<T>, questions: readonly unknown[]): AsyncGenerator<T> {
	for await (const entry of entries) {
		if (questions.length === 0) return;
		yield entry;
	}
}
