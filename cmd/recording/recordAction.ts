import {systemTiming} from '../../src/async/timing.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {AnotherClusterError} from '../../src/cluster/controlplane/clusterIdentity.ts';
import type {ControlPlane} from '../../src/core/model/controlPlane.ts';
import type {ObservationSink, SinkEntry} from '../../src/core/model/observation.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {Forecaster} from '../../src/forecast/forecaster.ts';
import {PressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {ownersOf} from '../../src/impact/withAfter.ts';
import {systemClock} from '../../src/live/clock.ts';
import {newRecordingFile, type TextSink} from '../../src/recording/format/recordingFile.ts';
import {RecordingWriter} from '../../src/recording/format/recordingWriter.ts';
import {ClusterSource} from '../../src/session/clusterSource.ts';
import {Session} from '../../src/session/session.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {shellWord} from '../../src/text/pasted.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {programVersion} from '../args/program.ts';
import {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {FreshWarnings, warnings} from '../output/warnings.ts';
import {readVersion, selectionFor, withCluster} from '../sources/reading.ts';
import {recordedSettings} from '../sources/recordedSettings.ts';
import {RelatedReader} from '../sources/relatedReader.ts';
import {settingsOfCluster} from '../sources/settingsInForce.ts';
import {anotherCluster, startingAnew} from '../sources/startingAnew.ts';
import {progressOf, sizeOf} from './recordProgress.ts';

/** What to record and for how long; undefined records until interrupted. */
type RecordPlan = {
	readonly file: string;
	readonly length: Duration | undefined;
	/** Whether to query the kubelets of all ready nodes, not only of those under pressure. */
	readonly hasAllKubelets: boolean;
};

/** The command `record`: records until interrupted, or for the given time. */
export async function record(plan: RecordPlan, options: Options, terminal: Terminal): Promise<number> {
	const {file, length} = plan;
	// Installed first, as a slow API server may delay what follows.
	const interruption = new Interruption();
	const hasBegun = await withCluster(options.flags, async (cluster) => {
		const limit = length === undefined ? [] : [AbortSignal.timeout(length)];
		const signal = AbortSignal.any([interruption.signal, ...limit]);
		let files = 0;
		return startingAnew(options, signal, async (own) => {
			const asked = Promise.all([readVersion(cluster), cluster.controlPlane()]);
			const known = await interruption.cutShort(asked);
			if (!known) return false;
			// If another cluster answers at the address, it gets a file of its own.
			files += 1;
			await recordUntil(signal, cluster, known, {...plan, file: numbered(file, files)}, own, terminal);
			return true;
		});
	});
	if (hasBegun) return 0;
	await terminal.printError('Nothing was recorded: the cluster has not answered yet.\n');
	interruption.passOn();
	return 1;
}

/** Numbers the files: outage.jsonl.gz, outage-2.jsonl.gz. Standard output takes only one recording. */
const numbered = (name: string, index: number): string =>
	index === 1 || name === '-' ? name : name.replace(/(\.jsonl)?(\.gz)?$/i, (ending) => `-${index}${ending}`);

async function recordUntil(
	signal: AbortSignal,
	cluster: Cluster,
	[version, controlPlane]: readonly [string | undefined, ControlPlane],
	{file: name, hasAllKubelets}: RecordPlan,
	options: Options,
	terminal: Terminal,
) {
	const settings = await settingsOfCluster(options.controller, version, controlPlane);
	const store = new ClusterStore();
	// Makes no forecasts; it only selects the pods that forecasts need.
	const forecaster = new Forecaster(settings.resolved.settings, {}, store);
	const selection = selectionFor({command: undefined, filter: options.filter}, forecaster);
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
	const related = new RelatedReader(cluster, writer);
	let lookedAt = beginningOfTime;
	const session = new Session({
		...{store, forecaster},
		taps: [
			{push: ({type}) => void (type === 'batch' && writer.reportClock(offsetOf(cluster)))},
			writer,
			new Warnings(terminal, cluster, options),
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
	const failed = new AbortController();
	writer.done.catch(() => failed.abort());
	const progress = progressOf(terminal, process.stderr.isTTY === true, () => ({
		...{name, counts: writer.counts, bytes: sink.bytes(), elapsed: cluster.now() - startedAt},
	}));
	try {
		const kubelets = new PressuredNodes(store, hasAllKubelets);
		const source = new ClusterSource(cluster, selection, cluster.namespace, kubelets);
		await session.run(source, systemClock, AbortSignal.any([signal, failed.signal]));
	} catch (error) {
		if (error instanceof AnotherClusterError) {
			const problems = [anotherCluster(error)];
			writer.push({type: 'problems', at: cluster.now(), problems});
			await terminal.printError(warnings(problems, cluster.now(), options));
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

class Warnings implements ObservationSink {
	readonly #terminal: Terminal;
	readonly #cluster: Pick<Cluster, 'now'>;
	readonly #options: Options;
	readonly #ofCluster = new FreshWarnings();
	readonly #ofKubelets = new FreshWarnings();

	constructor(terminal: Terminal, cluster: Pick<Cluster, 'now'>, options: Options) {
		this.#terminal = terminal;
		this.#cluster = cluster;
		this.#options = options;
	}

	push(entry: SinkEntry): void {
		if (entry.type === 'problems') this.#warn(this.#ofCluster.among(entry.problems));
		else if (entry.type === 'pressure' && entry.news.type === 'chosen' && entry.news.nodes.length > 0)
			this.#warn(this.#ofKubelets.among(entry.news.problems));
	}

	#warn(fresh: readonly Problem[]): void {
		void this.#terminal.printError(warnings(fresh, this.#cluster.now(), this.#options));
	}
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
