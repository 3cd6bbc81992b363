import {ownerKinds} from '../../src/cluster/workloads/readRelated.ts';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {nothingRelated, type Related} from '../../src/core/model/workloads/related.ts';
import {type Instant, second} from '../../src/core/time/instant.ts';
import {clockTime, formatTimestamp} from '../../src/dates/utc.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {finish} from '../../src/forecast/pausable.ts';
import type {PressureStore} from '../../src/forecast/pressure/pressureStore.ts';
import {learning} from '../../src/forecast/settingsLearner.ts';
import {deliver} from '../../src/live/tape.ts';
import {readDump} from '../../src/recording/dump/dump.ts';
import {isStream, ownersCommand, readBytes} from '../../src/recording/format/dumpBytes.ts';
import {openRecording, Recording, UnknownFormatError} from '../../src/recording/format/recording.ts';
import {lookOnce} from '../../src/session/lookOnce.ts';
import {pressureStage} from '../../src/session/pressureStage.ts';
import {sessionOn} from '../../src/session/session.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {absenceInFiles} from './absent.ts';
import {deletionLedger} from './deletions.ts';
import {type Look, scopeOf} from './look.ts';
import {selectionFor} from './reading.ts';
import {evidenceOfRecording} from './recordedSettings.ts';

/** The state in files at one instant. */
type FileScene = Look & {readonly kubelets: PressureStore};

/**
 * The scene of `-f`: of dumps their only instant; of a recording what was known at `--at` or at its end.
 *
 * @throws UserError if the files cannot be read, or do not show that instant
 */
export async function sceneOfFiles(options: Options): Promise<FileScene> {
	const {recording, streams} = await openFiles(options.filenames);
	const found = await (recording ? ofRecording(recording, options) : ofDump(options, streams));
	const {snapshot, inForce, forecast, forecaster, kubelets, isPartial} = found;
	const pressure = finish(kubelets.seenIn(forecast));
	const {related = nothingRelated, observedAt} = snapshot;
	const problems = [...snapshot.problems, ...inForce.resolved.problems];
	return {
		...found,
		snapshot: {...snapshot, problems},
		// As for kubectl's -f, all namespaces in the file are shown, unless one is chosen.
		namespace: scopeOf(options, options.flags.namespace),
		now: () => observedAt,
		related: async () => related,
		pressure: async () => pressure,
		reports: async () => ({reports: forecaster.store.kubelets.reports, problems: []}),
		kubelets: kubelets.book,
		kubelet: async () => undefined,
		// A recording may lack the pods of healthy nodes.
		absence: async (where) => (isPartial ? '' : absenceInFiles(where, options)),
	};
}

async function ofDump(options: Options, streams: ReadonlyMap<string, Buffer>) {
	const {filenames, at, controller} = options;
	const snapshot = await readDump(filenames, {at, streams});
	const {kubernetesVersion: serverVersion, isLeastVersion, controlPlane = notInFile, observedAt} = snapshot;
	const evidence = {...controller.asked, serverVersion, isLeastVersion, controlPlane};
	const problems = [...snapshot.problems, ...controller.notes];
	const {forecast, forecaster, inForce} = lookOnce({...snapshot, problems}, evidence);
	const {resolved} = inForce;
	const {store} = forecaster;
	const kubelets = pressureStage(store);
	store.subscribe(kubelets);
	for (const news of snapshot.pressure ?? []) store.applyPressure(news, observedAt);
	const isUnseen = needsAllPods(options) && lacksOwners(forecast, snapshot.related ?? nothingRelated);
	const unseen = isUnseen ? [ownersMissing(`add a file of: ${ownersCommand}`)] : [];
	// A cluster can be asked for more; what a file does not show is assumed in every answer.
	const assumed = {...resolved, problems: [...resolved.problems, ...resolved.notes], notes: []};
	return {
		snapshot: {...snapshot, problems: [...problems, ...unseen]},
		inForce: {...inForce, resolved: assumed},
		forecast: {...forecast, problems: [...forecast.problems, ...resolved.notes, ...unseen]},
		forecaster,
		isPartial: false,
		kubelets,
	};
}

const notInFile = unseenControlPlane('the file does not show it');

const podsPartial: Problem = {
	reason: 'PodsPartial',
	message: 'the recording has only the pods of nodes in trouble; record --all keeps every pod',
};

/** The owners of pods say how many are ready: whether those of pods in trouble are missing. */
export const lacksOwners = ({pods}: Forecast, {controllers}: Related) =>
	pods.some(
		({verdict, owner}) =>
			verdict !== 'Safe' && owner && ownerKinds.has(owner.kind) && !controllers.has(owner.uid),
	);

/** Without them a workload may be well, or down. */
export const ownersMissing = (advice: string): Problem => ({
	reason: 'OwnersMissing',
	message: `owners and budgets of pods are missing, so ready pods are unknown (?); ${advice}`,
});

/** What is told is as of another instant than the one asked for, if the recorder had seen less by then. */
const unseenYet = (at: Instant, observedAt: Instant): readonly Problem[] =>
	at - observedAt < second
		? []
		: [
				{
					reason: 'InstantUnseen',
					message: `the recorder had seen the cluster up to ${clockTime(observedAt)} only: all is told as of then`,
				},
			];

/** Whether pods of healthy nodes are listed or counted too. */
const needsAllPods = (options: Options) =>
	['status', 'workloads', 'what-if'].includes(options.command ?? '') ||
	selectionFor(options).pods.type === 'all';

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

/** The recording that the files are, if any; and what cannot be read again, by its name. */
async function openFiles(names: readonly string[]) {
	const streams = new Map<string, Buffer>();
	for (const name of new Set(names))
		if (await isStream(name)) streams.set(name, await readBytes(name, process.stdin));
	const sources = names.map((name) => ({name, bytes: streams.get(name)}));
	const opened = await Promise.all(sources.map((source) => openRecording(source).catch(unlessUnreadable)));
	const recording = opened.find((one) => one instanceof Recording);
	const unreadable = opened.find((one) => one instanceof UserError);
	if (recording && names.length > 1) {
		throw new UserError(
			`${recording.name} is a recording, which cannot be read together with other files`,
			'leave out the others',
		);
	}
	return {recording, unreadable, streams};
}

// A file that cannot be read, such as a folder, fails when it is read as a dump.
function unlessUnreadable(error: unknown): UserError {
	if (!(error instanceof UserError) || error instanceof UnknownFormatError) throw error;
	return error;
}

async function ofRecording(recording: Recording, options: Options) {
	const {at, controller} = options;
	const {header, startedAt} = recording;
	const parts = learning(evidenceOfRecording(controller, header));
	const kubelets = pressureStage(parts.store);
	const deletions = options.command === 'events' ? deletionLedger(parts.store) : undefined;
	const session = sessionOn({
		...parts,
		...(deletions ? {ledger: deletions, stages: [kubelets]} : {observers: [kubelets]}),
	});
	let last = startedAt;
	async function* entries() {
		for await (const entry of recording.entries()) {
			last = at !== undefined && entry.at > at ? at : entry.at;
			if (last !== entry.at) return;
			yield entry;
		}
	}
	// Only deletions need the forecasts on the way, which predicted them.
	if (deletions) await session.play(entries(), session.cadenceOfChanges);
	else for await (const entry of entries()) deliver(entry, session);
	const now = instantOf(recording, at, last);
	if (!session.isAnyKnown) throw recording.nothingSeen(now);
	const {isPartial} = header;
	const found = finish(session.forecastInSteps(now));
	// Anything the recorder saw too late is forecast as of that time.
	const {observedAt} = found;
	const problems = [
		...(at === undefined ? [] : unseenYet(at, observedAt)),
		...(isPartial && needsAllPods(options) ? [podsPartial] : []),
		...(needsAllPods(options) && lacksOwners(found, session.related)
			? [ownersMissing('choose a later --at: they are read soon after the start')]
			: []),
		...controller.notes,
		...session.problems,
		...recording.problems,
	];
	const {kubernetesVersion} = header;
	const shown = {source: 'file' as const, ...(kubernetesVersion !== undefined && {kubernetesVersion})};
	return {
		snapshot: {...shown, observedAt, ...parts.store.present, related: session.related, problems},
		inForce: parts.learner,
		forecast: {...found, ...shown, problems: [...problems, ...found.problems]},
		forecaster: parts.forecaster,
		isPartial,
		kubelets,
		deletions,
	};
}

/** The requested instant, or the last. @throws UserError if the recording does not show it */
export function instantOf({name, startedAt}: Recording, at: Instant | undefined, last: Instant): Instant {
	if (at === undefined || (at >= startedAt && at <= last)) return at ?? last;
	const from = `it begins at ${formatTimestamp(startedAt)}`;
	throw new UserError(
		`--at ${formatTimestamp(at)} is ${at < startedAt ? 'before' : 'after'} what ${name} shows`,
		at < startedAt ? from : `${from} and ends at ${formatTimestamp(last)}`,
	);
}
