import {untilFirstEnds} from '../../src/async/taskGroup.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {interrupted} from '../../src/cluster/watch/watchInterruptions.ts';
import type {Node} from '../../src/core/model/node.ts';
import {evictionMonitoringPeriod} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {systemClock} from '../../src/live/clock.ts';
import {playThrough} from '../../src/live/tape.ts';
import {pressureStage} from '../../src/session/pressureStage.ts';
import {sessionOn} from '../../src/session/session.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {warnings} from '../output/warnings.ts';
import {recordingOf, sceneOfFiles} from '../sources/fileScene.ts';
import {pressureLooks} from '../sources/pressureLooks.ts';
import {withCluster} from '../sources/reading.ts';
import {evidenceOfRecording} from '../sources/recordedSettings.ts';
import {type PressureReport, pressureReport} from './pressureReport.ts';

/** The command `pressure`. */
export async function pressure(options: Options, terminal: Terminal) {
	const report = pressureReport(options, terminal);
	if (options.filenames.length > 0)
		return options.watch ? followRecorded(report, options, terminal) : printRecorded(report, options);
	// Installed first, as a slow API server may delay what follows.
	const interruption = options.watch ? new Interruption() : undefined;
	const exitCode = await withCluster(options.flags, async (cluster) => {
		const live = liveReport(cluster, report);
		if (!interruption) return live.print();
		await untilFirstEnds(interruption.signal, live.listen, async (signal) => {
			for (let nextAt = systemClock.now(); !signal.aborted; nextAt += evictionMonitoringPeriod) {
				await interruption.cutShort(live.printAgain());
				await systemClock.sleepUntil(nextAt + evictionMonitoringPeriod, signal);
			}
		});
		return 0;
	});
	interruption?.passOn();
	return exitCode;
}

/** Queries nodes repeatedly, remembers the measurements, and prints forecasts. */
export function liveReport(cluster: Cluster, report: PressureReport) {
	const look = pressureLooks(cluster);
	/** When the last successful query began. */
	let seenAt: Instant | undefined;
	const warn = (since: Instant, why: string) => report.warn([interrupted(since, why)], cluster.now());
	/** Queries once and prints. Returns the exit code. */
	const print = async () => {
		const snapshot = await cluster.snapshot({pods: {type: 'nodes', nodes: []}});
		return report.print({...snapshot, look, now: cluster.now});
	};
	return {
		print,
		/** Queries and prints in a watch. After a first success, a failed query is reported and retried. */
		printAgain: async () => {
			const begun = cluster.now();
			try {
				await print();
				seenAt = begun;
			} catch (error) {
				if (!(error instanceof UserError) || seenAt === undefined) throw error;
				await warn(seenAt, error.message);
			}
		},
		/** Reports a lost API server at once, also between two queries, until the signal. */
		listen: (signal: AbortSignal) =>
			cluster.listen((since) => {
				// Before the first query, the message that waits for the server is shown already.
				if (since !== undefined && seenAt !== undefined) void warn(since, 'data is from then');
			}, signal),
	};
}

async function printRecorded(report: PressureReport, options: Options) {
	const {snapshot, pressure: seen, kubelets, now} = await sceneOfFiles(options);
	const {problems} = await seen();
	const look = async (nodes: readonly Node[]) => ({
		forecasts: nodes.map((node) => kubelets.forecast(node, now())),
		problems,
	});
	return report.print({...snapshot, look, now});
}

const cadence = {shortest: evictionMonitoringPeriod, longest: evictionMonitoringPeriod};

/** Prints what a watch would have printed during the recording. */
async function followRecorded(report: PressureReport, options: Options, terminal: Terminal) {
	const recording = await recordingOf(options.filenames);
	const known = learning(evidenceOfRecording(options.controller, recording.header));
	const {store} = known;
	const kubelets = pressureStage(store);
	const session = sessionOn({...known, stages: [kubelets]});
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
