import {Readable} from 'node:stream';
import {buffer} from 'node:stream/consumers';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import type {KubeletReport} from '../../src/core/nodepressure/pressureLook.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {formatTimestamp} from '../../src/dates/utc.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import type {Forecaster} from '../../src/forecast/forecaster.ts';
import {finish} from '../../src/forecast/pausable.ts';
import {PressureStore} from '../../src/forecast/pressure/pressureStore.ts';
import type {LearnedSettings} from '../../src/forecast/settings/learned/learnedSetting.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {deliver} from '../../src/live/tape.ts';
import {readDump} from '../../src/recording/dump/dump.ts';
import {openRecording, Recording, UnknownFormatError} from '../../src/recording/format/recording.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import {Session} from '../../src/session/session.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {nothingPressed, type PressureSeen} from './pressureLooks.ts';
import {PressureStage} from './pressureStage.ts';
import {settingsOfRecording} from './recordedSettings.ts';
import {inForce, type SettingsInForce, settingsOfFile} from './settingsInForce.ts';

/** The state in files at one instant, and its forecast. */
type FileScene = {
	readonly snapshot: ClusterSnapshot;
	readonly inForce: SettingsInForce;
	readonly forecast: Forecast;
	/** Whether it is a recording of only the pods of nodes in trouble. */
	readonly isPartial: boolean;
	/** Explains and answers what-ifs. */
	readonly forecaster: Forecaster;
	/** Pressure forecasts from recorded kubelet reports. */
	readonly pressure: PressureSeen;
	readonly kubelets: PressureStore;
	readonly reports: readonly KubeletReport[];
};

/**
 * The scene of `-f`: of dumps their only instant; of a recording what was known at `--at` or at its end.
 *
 * @throws UserError if the files cannot be read, or do not show that instant
 */
export async function sceneOfFiles({
	filenames,
	at,
	controller,
}: Pick<Options, 'filenames' | 'at' | 'controller'>): Promise<FileScene> {
	const {recording, stdin} = await openFiles(filenames);
	if (recording) return sceneOfRecording(recording, at, controller);
	const snapshot = await readDump(filenames, {at, ...(stdin && {stdin})});
	const found = settingsOfFile(controller, snapshot.kubernetesVersion);
	const problems = [...snapshot.problems, ...controller.notes];
	const {forecast, forecaster, resolved} = lookOnce({...snapshot, problems}, found.evidence);
	const inForce = {...found, resolved: {...resolved, problems: [...controller.notes, ...resolved.problems]}};
	return {
		forecast,
		forecaster,
		snapshot,
		inForce,
		isPartial: false,
		pressure: nothingPressed,
		kubelets: new PressureStore(),
		reports: [],
	};
}

/** Opens a recording. @throws UserError if the file is none */
export async function recordingOf(filenames: readonly string[]): Promise<Recording> {
	const {recording, unreadable} = await openFiles(filenames);
	if (recording) return recording;
	if (unreadable) throw unreadable;
	throw new UserError(
		`${filenames.join(', ')} is not a recording`,
		'to record: kubectl evictwatch record FILE; for a dump, which has one moment: kubectl evictwatch pods -f FILE',
	);
}

/** Whether the files are a recording. Standard input can be read again. */
async function openFiles(
	names: readonly string[],
): Promise<{recording?: Recording | undefined; unreadable?: UserError | undefined; stdin?: Readable}> {
	const bytes = names.includes('-') ? await buffer(process.stdin) : undefined;
	const sources = names.map((name) => ({name, bytes: name === '-' ? bytes : undefined}));
	const opened = await Promise.all(sources.map((source) => openRecording(source).catch(unlessUnreadable)));
	const recording = opened.find((one) => one instanceof Recording);
	const unreadable = opened.find((one) => one instanceof UserError);
	if (recording && names.length > 1) {
		throw new UserError(
			`${recording.name} is a recording, which cannot be read together with other files`,
			'leave out the others',
		);
	}
	return {recording, unreadable, ...(bytes && {stdin: Readable.from([bytes])})};
}

// A file that cannot be read, such as a folder, fails when it is read as a dump.
function unlessUnreadable(error: unknown): UserError {
	if (!(error instanceof UserError) || error instanceof UnknownFormatError) throw error;
	return error;
}

async function sceneOfRecording(
	recording: Recording,
	at: Instant | undefined,
	controller: Options['controller'],
): Promise<FileScene> {
	const first = settingsOfRecording(controller, recording.header);
	let learned: LearnedSettings = first.evidence.learned;
	const parts = learning(first.evidence, (all) => {
		learned = all;
	});
	const kubelets = new PressureStage(parts.store);
	const session = new Session({...parts, observers: [kubelets]});
	let last = recording.startedAt;
	let hasSeen = false;
	let related: Related | undefined;
	for await (const entry of recording.entries()) {
		if (at !== undefined && entry.at > at) {
			last = at;
			break;
		}
		last = entry.at;
		hasSeen ||= entry.type === 'batch';
		if (entry.type === 'related') related = entry.related;
		deliver(entry, session);
	}
	const now = instantOf(recording, at, last);
	if (!hasSeen) throw nothingSeen(recording, now);
	const all = [...controller.notes, ...session.problems, ...recording.problems];
	const {kubernetesVersion} = recording.header;
	const version = kubernetesVersion === undefined ? {} : {kubernetesVersion};
	const found = finish(session.forecastInSteps(now));
	const forecast: Forecast = {...found, ...version, source: 'file', problems: [...all, ...found.problems]};
	return {
		snapshot: {
			// Anything the recorder saw too late is forecast as of that time.
			observedAt: found.observedAt,
			source: 'file',
			...version,
			...parts.store.present,
			...(related && {related}),
			problems: all,
		},
		inForce: inForce({...controller, ...flagsOf(first)}, kubernetesVersion, first.controlPlane, learned),
		forecast,
		isPartial: recording.header.isPartial,
		forecaster: parts.forecaster,
		pressure: finish(kubelets.seenIn(found)),
		kubelets: kubelets.book,
		reports: parts.store.kubelets.reports,
	};
}

const nothingSeen = ({name}: Recording, at: Instant): UserError =>
	new UserError(
		`${name} has seen nothing yet at ${formatTimestamp(at)}`,
		'the recorder was stopped, or could not reach the cluster, before it read anything: record again',
	);

const flagsOf = ({evidence}: SettingsInForce) => ({
	settings: evidence.flags,
	kubernetesVersion: evidence.versionFlag,
});

/** The requested instant, or the last. @throws UserError if the recording does not show it */
export function instantOf(
	{name, startedAt}: Pick<Recording, 'name' | 'startedAt'>,
	at: Instant | undefined,
	last: Instant,
): Instant {
	if (at === undefined || (at >= startedAt && at <= last)) return at ?? last;
	const from = `it begins at ${formatTimestamp(startedAt)}`;
	throw new UserError(
		`--at ${formatTimestamp(at)} is ${at < startedAt ? 'before' : 'after'} what ${name} shows`,
		at < startedAt ? from : `${from} and ends at ${formatTimestamp(last)}`,
	);
}
