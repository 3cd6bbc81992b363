import {systemTiming} from '../../src/async/timing.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {AnotherClusterError} from '../../src/cluster/controlplane/clusterIdentity.ts';
import type {ObservationSink} from '../../src/core/model/observation.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {pressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import type {Learning} from '../../src/forecast/settingsLearner.ts';
import {capitalized} from '../../src/forecast/words.ts';
import {ownersOf} from '../../src/impact/withAfter.ts';
import {systemClock} from '../../src/live/clock.ts';
import {Anonymiser} from '../../src/recording/format/anonymiser.ts';
import {newRecordingFile, type TextSink} from '../../src/recording/format/recordingFile.ts';
import {recordingWriter} from '../../src/recording/format/recordingWriter.ts';
import {clusterSource} from '../../src/session/clusterSource.ts';
import {sessionOn} from '../../src/session/session.ts';
import {shellWord} from '../../src/text/pasted.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {programVersion} from '../args/program.ts';
import {positiveDuration} from '../args/quantities.ts';
import {usageError} from '../args/usageError.ts';
import {forbidsPods} from '../lists/follow.ts';
import {unseenWords} from '../lists/show.ts';
import {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {freshWarnings, warnings} from '../output/warnings.ts';
import {watchedSelection, withCluster} from '../sources/reading.ts';
import {recordedSettings} from '../sources/recordedSettings.ts';
import {relatedReader} from '../sources/relatedReader.ts';
import {learningOf} from '../sources/settingsInForce.ts';
import {anotherCluster, startingAnew} from '../sources/startingAnew.ts';
import {printingProgress, sizeOf} from './recordProgress.ts';

/** The command `record`: records until interrupted, or for the given time. Fails if nothing of it may be read. */
export async function record(options: Options, terminal: Terminal) {
	const [file, ...more] = options.names;
	if (file === undefined || more.length > 0) throw usageError('want one file to write: record FILE');
	const length = positiveDuration('for', options.flags.for);
	// Installed first, as a slow API server may delay what follows.
	const interruption = new Interruption();
	const exitCode = await withCluster(options.flags, async (cluster) => {
		const limit = length === undefined ? [] : [AbortSignal.timeout(length)];
		const signal = AbortSignal.any([interruption.signal, ...limit]);
		let files = 0;
		return startingAnew(options, signal, async (own) => {
			const known = await interruption.cutShort(learningOf(cluster, own.controller));
			if (!known) return undefined;
			// If another cluster answers at the address, it gets a file of its own.
			files += 1;
			return recordUntil(signal, cluster, known, numbered(file, files), own, terminal);
		});
	});
	if (exitCode !== undefined) return exitCode;
	await terminal.printError('Nothing was recorded: the cluster has not answered yet.\n');
	interruption.passOn();
	return 1;
}

/** Numbers the files: outage.jsonl.gz, outage-2.jsonl.gz. Standard output takes only one recording. */
const numbered = (name: string, index: number) =>
	index === 1 || name === '-' ? name : name.replace(/(\.jsonl)?(\.gz)?$/i, (ending) => `-${index}${ending}`);

async function recordUntil(
	signal: AbortSignal,
	cluster: Cluster,
	known: Learning,
	name: string,
	options: Options,
	terminal: Terminal,
) {
	// Makes no forecasts; the forecaster only selects the pods that they need.
	const {store, forecaster, learner} = known;
	const selection = watchedSelection({...options, command: undefined}, known);
	const sink = name === '-' ? standardOutput(terminal) : await newRecordingFile(name);
	const startedAt = cluster.now();
	const writer = recordingWriter(
		sink,
		{now: cluster.now, sleep: systemTiming.sleep},
		{
			program: programVersion,
			title: options.flags.context ?? new URL(cluster.server).host,
			kubernetesVersion: learner.evidence.serverVersion,
			isPartial: selection.pods.type !== 'all',
			settings: recordedSettings(learner),
		},
		startedAt,
		options.flags.anonymise ? new Anonymiser().line : undefined,
	);
	const related = relatedReader(cluster, writer);
	let lookedAt = beginningOfTime;
	const session = sessionOn({
		...known,
		taps: [
			{push: ({type}) => void (type === 'batch' && writer.reportClock(offsetOf(cluster)))},
			writer,
			{push: ({type}) => void (type === 'batch' && isBlind() && ended.abort())},
			warning(terminal, cluster, options),
		],
		observers: [
			{
				take: ({arrivedAt: now}) => {
					if (now - lookedAt < lookEvery) return;
					lookedAt = now;
					const pods = podsOfScope(forecaster, now);
					related.refresh(pods, () => ownersOf(pods, store.nodes.size));
				},
			},
		],
	});
	/** Nothing of it may be read: what is forbidden at the start is waited for by no watch. */
	const isBlind = () =>
		writer.counts().nodes + writer.counts().pods === 0 && session.problems.some(forbidsPods);
	const ended = new AbortController();
	writer.done.catch(() => ended.abort());
	const endProgress = printingProgress(terminal, () => ({
		name,
		counts: writer.counts(),
		bytes: sink.bytes(),
		elapsed: cluster.now() - startedAt,
	}));
	try {
		const kubelets = pressuredNodes(store, options.flags.allKubelets);
		const source = clusterSource(cluster, selection, cluster, kubelets);
		await session.run(source, systemClock, AbortSignal.any([signal, ended.signal]));
	} catch (error) {
		if (error instanceof AnotherClusterError) {
			const problems = [anotherCluster(error)];
			writer.push({type: 'problems', at: cluster.now(), problems});
			await terminal.printError(warnings(problems, cluster.now(), options));
			if (name === '-') throw new UserError(error.message, `${error.hint}; start again to record it`);
		}
		throw error;
	} finally {
		await writer.close().finally(endProgress);
	}
	const file = name === '-' ? 'a recording' : name;
	await terminal.printError(`Wrote ${file}: ${sizeOf(sink.bytes())}, ${writer.counts().lines} lines.\n`);
	if (isBlind()) {
		await terminal.printError(`${capitalized(unseenWords({plural: 'nodes and pods'}))}.\n`);
		return 1;
	}
	if (name !== '-') await terminal.printError(`Play it with: kubectl evictwatch replay ${shellWord(name)}\n`);
	return 0;
}

/** Prints problems as they come, those of kubelets too. */
function warning(terminal: Terminal, cluster: Cluster, options: Options): ObservationSink {
	const [ofCluster, ofKubelets] = [freshWarnings(), freshWarnings()];
	const warn = (fresh: readonly Problem[]) =>
		void terminal.printError(warnings(fresh, cluster.now(), options));
	return {
		push: (entry) => {
			if (entry.type === 'problems') warn(ofCluster(entry.problems));
			else if (entry.type === 'pressure' && entry.news.type === 'chosen' && entry.news.nodes.length > 0)
				warn(ofKubelets(entry.news.problems));
		},
	};
}

/** Scanning all pods of a large cluster takes a moment. */
const lookEvery: Duration = 5 * second;

/** The pods whose workloads are read: those on nodes in trouble, and those being deleted. */
function podsOfScope(forecaster: Forecaster, now: Instant): readonly Pod[] {
	const {pods, nodes} = forecaster.store;
	const scope = new Set(forecaster.podScope(now));
	return [...pods.values()].filter(
		({nodeName, deletionTimestamp}) =>
			deletionTimestamp !== undefined || scope.has(nodeName) || (nodeName !== '' && !nodes.has(nodeName)),
	);
}

// Rounded to 0.1 s: a smaller difference is measuring error.
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
