import {systemTiming} from '../../src/async/timing.ts';
import {systemEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import {AnotherClusterError} from '../../src/cluster/controlplane/clusterIdentity.ts';
import type {Problem} from '../../src/core/model/clusterSnapshot.ts';
import type {ControlPlane} from '../../src/core/model/controlPlane.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import {systemClock} from '../../src/live/clock.ts';
import {newRecordingFile, type TextSink} from '../../src/recording/format/recordingFile.ts';
import {RecordingWriter} from '../../src/recording/format/recordingWriter.ts';
import {shellWord} from '../../src/text/shellWord.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {programVersion} from '../args/program.ts';
import {Interruption} from '../output/interruption.ts';
import {warnings} from '../output/show.ts';
import type {Terminal} from '../output/terminal.ts';
import {feedOf, readVersion, selectionFor} from '../sources/reading.ts';
import {recordedSettings} from '../sources/recordedSettings.ts';
import {RelatedReader} from '../sources/relatedReader.ts';
import {settingsOfCluster} from '../sources/settingsInForce.ts';
import {anotherCluster, startingAnew} from '../sources/startingAnew.ts';
import {TroubledPods} from '../sources/troubledPods.ts';
import {progressOf, sizeOf} from './recordProgress.ts';

/** What is to be recorded, and how long; until it is interrupted where that is undefined. */
type RecordPlan = {readonly file: string; readonly length: Duration | undefined};

/** The command `record`: writes what is seen until it is interrupted, or for as long as asked for. */
export async function record(
	{file, length}: RecordPlan,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	// Before all that takes time: a server may be slow to answer.
	const interruption = new Interruption();
	// One clock for everything: what arrived cannot lie in the future of a forecast.
	const cluster = await connect(options.flags, systemEnvironment(), {...systemTiming, now: systemClock.now});
	try {
		const limit = length === undefined ? [] : [AbortSignal.timeout(length)];
		const signal = AbortSignal.any([interruption.signal, ...limit]);
		let files = 0;
		const hasBegun = await startingAnew(options, signal, async (own) => {
			const asked = Promise.all([readVersion(cluster), cluster.controlPlane()]);
			const known = await interruption.cutShort(asked);
			if (!known) return false;
			// A recording is of one cluster: another one that answers has a file of its own.
			files += 1;
			await recordUntil(signal, cluster, known, numbered(file, files), own, terminal);
			return true;
		});
		if (hasBegun) return 0;
		await terminal.printError('Nothing is recorded: the cluster has not answered yet.\n');
	} finally {
		await cluster.close();
	}
	interruption.passOn();
	return 1;
}

/** The name of one of several recordings: outage.jsonl.gz, outage-2.jsonl.gz. On standard output there can be only one. */
const numbered = (name: string, index: number): string =>
	index === 1 || name === '-' ? name : name.replace(/(\.jsonl)?(\.gz)?$/i, (ending) => `-${index}${ending}`);

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
			{
				observe: (observations, at, sight) => {
					writer.reportClock(offsetOf(cluster));
					writer.observe(observations, at, sight);
					pods.observe(observations, at);
					related.refresh(() => pods.wanted(at));
				},
			},
			AbortSignal.any([signal, failed.signal]),
		);
	} catch (error) {
		if (error instanceof AnotherClusterError) {
			const problems = [anotherCluster(error)];
			writer.reportProblems(problems);
			await terminal.printError(warnings(problems));
			if (name === '-') throw new UserError(error.message, `${error.hint}; start again to record it`);
		}
		throw error;
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
