import {learning} from '../../src/forecast/settingsLearner.ts';
import {LowPoints} from '../../src/impact/lowPoints.ts';
import {formatJson} from '../../src/print/json/json.ts';
import type {Recording} from '../../src/recording/format/recording.ts';
import {reportJson} from '../../src/report/json.ts';
import {formatMarkdown} from '../../src/report/markdown.ts';
import type {Outage} from '../../src/report/outage.ts';
import {ReportBuilder} from '../../src/report/reportBuilder.ts';
import {pressureStage} from '../../src/session/pressureStage.ts';
import {sessionOn} from '../../src/session/session.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {usageError} from '../args/usageError.ts';
import type {Terminal} from '../output/terminal.ts';
import {recordingOf} from '../sources/fileScene.ts';
import {evidenceOfRecording} from '../sources/recordedSettings.ts';

export async function report(options: Options, terminal: Terminal) {
	const {filenames, names, output} = options;
	const files = [...filenames, ...names];
	if (files.length !== 1) throw usageError('want one recording: report -f FILE');
	const outage = await outageOf(await recordingOf(files), options);
	await terminal.print(output === 'json' ? formatJson(reportJson(outage)) : formatMarkdown(outage));
	return 0;
}

/** All facts of a recorded outage. Forecasts are made again, each from what was known at its time. */
export async function outageOf(
	recording: Recording,
	{controller, timeZone}: Pick<Options, 'controller' | 'timeZone'>,
): Promise<Outage> {
	const {header, startedAt, name} = recording;
	const known = learning(evidenceOfRecording(controller, header));
	const {store} = known;
	const builder = new ReportBuilder(store);
	const lowPoints = new LowPoints();
	const session = sessionOn({
		...known,
		ledger: builder,
		stages: [pressureStage(store)],
		taps: [lowPoints],
		display: {publish: (forecast) => lowPoints.add(forecast)},
	});
	const to = (await session.play(recording.entries(), session.cadenceOfChanges)) ?? startedAt;
	if (!session.isAnyKnown) throw recording.nothingSeen(to);
	if (builder.nodeCount === 0)
		throw new UserError(
			`no node was seen while ${name} was written`,
			'record again, with rights to read nodes',
		);
	return builder.outage({
		title: header.title,
		file: name,
		kubernetesVersion: header.kubernetesVersion,
		from: startedAt,
		to,
		problems: [...controller.notes, ...recording.problems],
		settings: known.forecaster.settingList,
		workloads: lowPoints.points,
		timeZone,
	});
}
