import {type Cluster, connect} from '../src/cluster/cluster.ts';
import type {RelatedQuery} from '../src/cluster/readRelated.ts';
import {systemSurroundings} from '../src/cluster/surroundings.ts';
import {systemTiming} from '../src/cluster/timing.ts';
import type {ClusterSnapshot, Problem} from '../src/core/model/clusterSnapshot.ts';
import type {Related} from '../src/core/model/related.ts';
import type {Instant} from '../src/core/time/instant.ts';
import type {Forecast} from '../src/forecast/forecast.ts';
import {Forecaster} from '../src/forecast/forecaster.ts';
import {ScoreKeeper} from '../src/forecast/score/score.ts';
import {LearningPredictor} from '../src/forecast/settings/learningPredictor.ts';
import type {ResolvedSettings} from '../src/forecast/settings/resolve.ts';
import {relatedWanted, withAfter} from '../src/impact/withAfter.ts';
import {clockShowing, systemClock} from '../src/live/clock.ts';
import {drive} from '../src/live/drive.ts';
import {witnessed} from '../src/live/witness.ts';
import {formatScore, hasScore} from '../src/print/score.ts';
import {withDebug} from './debug.ts';
import {recordingOf, sceneOfFiles} from './fileScene.ts';
import {Follower} from './follow.ts';
import {followRecording} from './followRecording.ts';
import {Interruption} from './interruption.ts';
import {keeperOf} from './learnedStore.ts';
import {type Listing, nodeListing, podListing, requireNodes, zoneListing} from './listing.ts';
import type {Options} from './options.ts';
import {feedOf, readOnce, readVersion, selectionFor} from './reading.ts';
import {RelatedReader} from './relatedReader.ts';
import {saysAfter} from './saysAfter.ts';
import {settingsOfCluster} from './settings.ts';
import {show} from './show.ts';
import type {Terminal} from './terminal.ts';
import {TerminalLoan} from './terminalLoan.ts';

/** The commands `pods`, `nodes` and `zones`; `pods` where none was given. */
export function list(options: Options, terminal: Terminal): Promise<number> {
	switch (options.command) {
		case 'nodes':
			return listKind(nodeListing, options, terminal);
		case 'zones':
			return listKind(zoneListing, options, terminal);
		default:
			return listKind(podListing, options, terminal);
	}
}

async function listKind<Item>(listing: Listing<Item>, options: Options, terminal: Terminal): Promise<number> {
	if (options.filenames.length > 0) {
		if (options.watch)
			return followRecording(listing, await recordingOf(options.filenames), options, terminal);
		const {forecast: plain, snapshot} = await sceneOfFiles(options);
		const forecast = saysAfter(options) ? withAfter(plain, snapshot.related) : plain;
		// As with kubectl's -f, the namespaces are those in the file, unless one is chosen.
		const namespace = options.filter.allNamespaces ? undefined : options.flags.namespace;
		return show(listing, {forecast, now: forecast.observedAt, namespace}, options, terminal);
	}
	// One clock for everything: what arrived cannot lie in the future of a forecast.
	const timing = {...systemTiming, now: systemClock.now};
	const loan = new TerminalLoan();
	const cluster = await connect(options.flags, loan.around(systemSurroundings()), timing);
	try {
		const own = loan.heldBack(terminal, process);
		const look = () => lookAt(listing, cluster, options, own);
		return await withDebug(look, options.flags, () => cluster.traffic(), own);
	} finally {
		await cluster.close();
	}
}

async function lookAt<Item>(
	listing: Listing<Item>,
	cluster: Cluster,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const namespace = options.filter.allNamespaces ? undefined : cluster.namespace;
	if (options.watch) return follow(listing, cluster, namespace, options, terminal);
	const [snapshot, controlPlane] = await Promise.all([
		readOnce(cluster, selectionFor(options, namespace), namespace),
		cluster.controlPlane(),
	]);
	requireNodes(listing, snapshot.problems);
	const {resolved} = await settingsOfCluster(options.controller, snapshot.kubernetesVersion, controlPlane);
	const readRelated = saysAfter(options) ? (query: RelatedQuery) => cluster.related(query) : undefined;
	const look = {snapshot, resolved, now: cluster.now(), namespace, readRelated};
	return showOnce(listing, look, options, terminal);
}

/** One look at a cluster, and the settings by which it is judged. */
type Look = {
	readonly snapshot: ClusterSnapshot;
	readonly resolved: ResolvedSettings;
	readonly now: Instant;
	readonly namespace: string | undefined;
	/** Reads what belongs to the pods; undefined where it is not asked for. */
	readonly readRelated: ((query: RelatedQuery) => Promise<Related>) | undefined;
};

async function showOnce<Item>(
	listing: Listing<Item>,
	{snapshot, resolved, now, namespace, readRelated}: Look,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const forecaster = new Forecaster(resolved.settings);
	forecaster.observeSnapshot({...snapshot, problems: [...snapshot.problems, ...resolved.problems]});
	// Foretold as of when it was seen: a large cluster takes a while to read.
	const plain = forecaster.forecast(snapshot.observedAt);
	const forecast = readRelated ? withAfter(plain, await readRelated(relatedWanted(plain))) : plain;
	return show(listing, {forecast, now, namespace}, options, terminal);
}

async function follow<Item>(
	listing: Listing<Item>,
	cluster: Cluster,
	namespace: string | undefined,
	options: Options,
	terminal: Terminal,
): Promise<number> {
	const [version, controlPlane] = await Promise.all([readVersion(cluster), cluster.controlPlane()]);
	const {evidence} = await settingsOfCluster(options.controller, version, controlPlane);
	const follower = new Follower(listing, namespace, options, terminal);
	const related = new RelatedReader((query) => cluster.related(query), cluster.now);
	let problems: readonly Problem[] = [];
	let hasShown = false;
	const selection = {...selectionFor(options, namespace), kubernetesVersion: version};
	const feed = feedOf(cluster, selection, namespace, (present) => {
		// Later it may be that the API server has just started, and knows no roles yet.
		if (!hasShown) requireNodes(listing, present);
		problems = present;
	});
	const keeper = new ScoreKeeper();
	const parts = {
		clock: clockShowing(cluster.now),
		predictor: new LearningPredictor(evidence, keeperOf(controlPlane.clusterUid, version, cluster.now)),
		feed,
		publish: (forecast: Forecast, now: Instant) => {
			hasShown = true;
			const all = [...options.controller.notes, ...forecast.problems, ...problems];
			const shown = {...forecast, problems: all};
			const told = saysAfter(options) ? withAfter(shown, related.of(forecast)) : shown;
			return follower.publish(told, now, keeper.score);
		},
	};
	const interruption = new Interruption();
	await drive(witnessed(parts, keeper), interruption.signal);
	if (hasScore(keeper.score)) await terminal.printError(`${formatScore(keeper.score)}\n`);
	interruption.passOn();
	return 0;
}
