import {untilFirstEnds} from '../../src/async/taskGroup.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {interrupted} from '../../src/cluster/watch/watchInterruptions.ts';
import {evictionMonitoringPeriod} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {systemClock} from '../../src/live/clock.ts';
import {playThrough} from '../../src/live/tape.ts';
import {Session} from '../../src/session/session.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {warnings} from '../output/warnings.ts';
import {recordingOf, sceneOfFiles} from '../sources/fileScene.ts';
import {PressureLooks} from '../sources/pressureLooks.ts';
import {PressureStage} from '../sources/pressureStage.ts';
import {withCluster} from '../sources/reading.ts';
import {settingsOfRecording} from '../sources/recordedSettings.ts';
import {PressureReport} from './pressureReport.ts';

/**
 * The command `pressure`.
 *
 * @param asksAllKubelets whether the kubelets of all ready nodes are asked where none is named
 */
export async function pressure(
	options: Options,
	terminal: Terminal,
	asksAllKubelets: boolean,
): Promise<number> {
	const report = new PressureReport(options, terminal, asksAllKubelets);
	if (options.filenames.length > 0)
		return options.watch ? followRecorded(report, options, terminal) : printRecorded(report, options);
	// Installed first, as a slow API server may delay what follows.
	const interruption = options.watch ? new Interruption() : undefined;
	const exitCode = await withCluster(options.flags, async (cluster) => {
		const live = new LiveReport(cluster, report);
		if (!interruption) return live.print();
		await follow(live, interruption);
		return 0;
	});
	interruption?.passOn();
	return exitCode;
}

async function follow(report: LiveReport, interruption: Interruption): Promise<void> {
	await untilFirstEnds(
		interruption.signal,
		(signal) => report.listen(signal),
		async (signal) => {
			for (let nextAt = systemClock.now(); !signal.aborted; nextAt += evictionMonitoringPeriod) {
				await interruption.cutShort(report.printAgain());
				await systemClock.sleepUntil(nextAt + evictionMonitoringPeriod, signal);
			}
		},
	);
}

/** Queries nodes repeatedly, remembers the measurements, and prints forecasts. */
export class LiveReport {
	readonly #cluster: Cluster;
	readonly #report: PressureReport;
	readonly #looks: PressureLooks;
	/** When the last successful query began. */
	#seenAt: Instant | undefined;

	constructor(cluster: Cluster, report: PressureReport) {
		this.#cluster = cluster;
		this.#report = report;
		this.#looks = new PressureLooks(cluster);
	}

	/** Queries and prints in a watch. After a first success, a failed query is reported and retried. */
	async printAgain(): Promise<void> {
		const begun = this.#cluster.now();
		try {
			await this.print();
			this.#seenAt = begun;
		} catch (error) {
			if (!(error instanceof UserError) || this.#seenAt === undefined) throw error;
			await this.#report.warn([interrupted(this.#seenAt, error.message)], this.#cluster.now());
		}
	}

	/** Reports a lost API server at once, also between two queries, until the signal. */
	listen(signal: AbortSignal): Promise<void> {
		return this.#cluster.listen((since) => {
			// Before the first query, the message that waits for the server is shown already.
			if (since === undefined || this.#seenAt === undefined) return;
			void this.#report.warn([interrupted(since, 'data is from then')], this.#cluster.now());
		}, signal);
	}

	/** Queries once and prints. Returns the exit code. */
	async print(): Promise<number> {
		const snapshot = await this.#cluster.snapshot({pods: {type: 'nodes', nodes: []}});
		const look: PressureLooks['look'] = (nodes) => this.#looks.look(nodes);
		return this.#report.print({...snapshot, look, now: this.#cluster.now});
	}
}

async function printRecorded(report: PressureReport, options: Options): Promise<number> {
	const {snapshot, pressure: seen, kubelets} = await sceneOfFiles(options);
	const now = snapshot.observedAt;
	return report.print({
		...snapshot,
		look: async (nodes) => ({...seen, forecasts: nodes.map((node) => kubelets.forecast(node, now))}),
		now: () => now,
	});
}

const cadence = {shortest: evictionMonitoringPeriod, longest: evictionMonitoringPeriod};

/** Prints what a watch would have printed during the recording. */
async function followRecorded(report: PressureReport, options: Options, terminal: Terminal): Promise<number> {
	const recording = await recordingOf(options.filenames);
	const known = learning(settingsOfRecording(options.controller, recording.header).evidence);
	const {store} = known;
	const kubelets = new PressureStage(store);
	const session = new Session({...known, observers: [kubelets]});
	const printAt = async (now: Instant) => {
		await report.print({
			nodes: [...store.nodes.values()],
			problems: session.problems,
			look: async (nodes) => ({
				forecasts: nodes.map((node) => kubelets.book.forecast(node, now)),
				problems: store.kubelets.problems,
			}),
			now: () => now,
		});
	};
	await playThrough(recording.entries(), session, printAt, () => cadence);
	await terminal.printError(warnings(recording.problems, recording.startedAt, options));
	return 0;
}
