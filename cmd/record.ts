import {type Cluster, connect} from '../src/cluster/cluster.ts';
import {systemSurroundings} from '../src/cluster/surroundings.ts';
import {systemTiming} from '../src/cluster/timing.ts';
import type {Problem} from '../src/core/model/clusterSnapshot.ts';
import type {ControlPlane} from '../src/core/model/controlPlane.ts';
import {type Duration, second} from '../src/core/time/instant.ts';
import {systemClock} from '../src/live/clock.ts';
import {newRecordingFile, type TextSink} from '../src/recording/recordingFile.ts';
import {RecordingWriter} from '../src/recording/recordingWriter.ts';
import {shellWord} from '../src/text/shellWord.ts';
import {Interruption} from './interruption.ts';
import type {Options} from './options.ts';
import {positiveDuration} from './positiveDuration.ts';
import {feedOf, readVersion, selectionFor} from './reading.ts';
import {recordedSettings} from './recordedSettings.ts';
import {progressOf, sizeOf} from './recordProgress.ts';
import {RelatedReader} from './relatedReader.ts';
import {settingsOfCluster} from './settings.ts';
import {warnings} from './show.ts';
import type {Terminal} from './terminal.ts';
import {TroubledPods} from './troubledPods.ts';
import {usageError} from './usageError.ts';
import {programVersion} from './version.ts';

/** The command `record`: writes what is seen until it is interrupted, or for as long as asked for. */
export async function record(options: Options, terminal: Terminal): Promise<number> {
	const [name, ...more] = options.names;
	if (name === undefined || more.length > 0) throw usageError('want one file to write: record FILE');
	const length = positiveDuration('for', options.flags.for);
	// Before all that takes time: a server may be slow to answer.
	const interruption = new Interruption();
	// One clock for everything: what arrived cannot lie in the future of a forecast.
	const cluster = await connect(options.flags, systemSurroundings(), {...systemTiming, now: systemClock.now});
	try {
		const asked = Promise.all([readVersion(cluster), cluster.controlPlane()]);
		const known = await interruption.cutShort(asked);
		if (known) {
			const limit = length === undefined ? [] : [AbortSignal.timeout(length)];
			const signal = AbortSignal.any([interruption.signal, ...limit]);
			await recordUntil(signal, cluster, known, name, options, terminal);
			return 0;
		}
		await terminal.printError('Nothing is recorded: the cluster has not answered yet.\n');
	} finally {
		await cluster.close();
	}
	interruption.passOn();
	return 1;
}

async function recordUntil(
	signal: AbortSignal,
	cluster: Cluster,
	[version, controlPlane]: readonly [string | undefined, ControlPlane],
	name: string,
	options: Options,
	terminal: Terminal,
) {
	const settings = await settingsOfCluster(options.controller, version, controlPlane);
	const selection = selectionFor({command: undefined, filter: options.filter}, undefined);
	const sink = name === '-' ? standardOutput(terminal) : await newRecordingFile(name);
	const startedAt = cluster.now();
	const writer = new RecordingWriter(
		sink,
		{now: cluster.now, sleep: systemTiming.sleep},
		{
			program: programVersion,
			title: options.flags.context ?? new URL(cluster.server).host,
			kubernetesVersion: version,
			isPartial: selection.pods.type !== 'all',
			settings: recordedSettings(settings),
		},
	);
	const pods = new TroubledPods();
	const related = new RelatedReader(
		(query) => cluster.related(query),
		cluster.now,
		(read) => writer.reportRelated(read),
	);
	const told = new Set<string>();
	const onProblems = (problems: readonly Problem[]) => {
		writer.reportProblems(problems);
		const fresh = problems.filter(({reason, message}) => !told.has(`${reason} ${message}`));
		for (const {reason, message} of fresh) told.add(`${reason} ${message}`);
		void terminal.printError(warnings(fresh));
	};
	const failed = new AbortController();
	writer.done.catch(() => failed.abort());
	const feed = feedOf(cluster, selection, cluster.namespace, onProblems);
	const progress = progressOf(terminal, process.stderr.isTTY === true, () => ({
		...{name, counts: writer.counts, bytes: sink.bytes(), elapsed: cluster.now() - startedAt},
	}));
	try {
		await feed(
			(observations, at, sight) => {
				writer.reportClock(offsetOf(cluster));
				writer.observe(observations, at, sight);
				pods.observe(observations, at);
				related.refresh(() => pods.wanted(at));
			},
			AbortSignal.any([signal, failed.signal]),
		);
	} finally {
		await writer.close().finally(() => progress.end());
	}
	await terminal.printError(
		`Wrote ${name === '-' ? 'a recording' : name}: ${sizeOf(sink.bytes())}, ${writer.counts.lines} lines.\n` +
			(name === '-' ? '' : `Play it with: kubectl evictwatch replay ${shellWord(name)}\n`),
	);
}

// To the tenth of a second: what two clocks differ by while they are read is nothing to tell.
const offsetOf = (cluster: Cluster): Duration =>
	Math.round((cluster.now() - systemClock.now()) / (second / 10)) * (second / 10);

function standardOutput(terminal: Terminal): TextSink & {readonly bytes: () => number} {
	let bytes = 0;
	return {
		bytes: () => bytes,
		write: (text) => {
			bytes += Buffer.byteLength(text);
			return terminal.print(text);
		},
		close: async () => undefined,
	};
}
