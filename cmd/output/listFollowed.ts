import type {Cluster} from '../../src/cluster/cluster.ts';
import type {Problem} from '../../src/core/model/clusterSnapshot.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {LearningPredictor} from '../../src/forecast/learningPredictor.ts';
import {ScoreKeeper} from '../../src/forecast/ledger/score.ts';
import {finish} from '../../src/forecast/pausable.ts';
import {withAfter} from '../../src/impact/withAfter.ts';
import {clockShowing} from '../../src/live/clock.ts';
import {formatScore, hasScore} from '../../src/print/score.ts';
import {Session} from '../../src/session/session.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import type {Options} from '../args/options.ts';
import {LivePressure, withLooks} from '../pressure/livePressure.ts';
import {keeperOf} from '../sources/learnedStore.ts';
import {feedOf, readVersion, selectionFor} from '../sources/reading.ts';
import {RelatedReader} from '../sources/relatedReader.ts';
import {settingsOfCluster} from '../sources/settingsInForce.ts';
import {startingAnew} from '../sources/startingAnew.ts';
import {Follower} from './follow.ts';
import type {Interruption} from './interruption.ts';
import {type Listing, requireNodes, withListing} from './listing.ts';
import {saysAfter} from './saysAfter.ts';
import type {Terminal} from './terminal.ts';

/** Lists what `-w` asks for, and then what changes, until interrupted. Undefined stands for all namespaces. */
export const listFollowed = (
	cluster: Cluster,
	namespace: string | undefined,
	options: Options,
	terminal: Terminal,
	interruption: Interruption,
): Promise<number> =>
	withListing(options.command, (listing) =>
		startingAnew(options, interruption.signal, (own) =>
			follow(listing, cluster, namespace, own, terminal, interruption),
		),
	);

async function follow<Item>(
	listing: Listing<Item>,
	cluster: Cluster,
	namespace: string | undefined,
	options: Options,
	terminal: Terminal,
	interruption: Interruption,
): Promise<number> {
	const asked = Promise.all([readVersion(cluster), cluster.controlPlane()]);
	const known = await interruption.cutShort(asked);
	if (!known) {
		interruption.passOn();
		return 1;
	}
	const [version, controlPlane] = known;
	const {evidence} = await settingsOfCluster(options.controller, version, controlPlane);
	const follower = new Follower(listing, namespace, options, terminal);
	const related = new RelatedReader((query) => cluster.related(query), cluster.now);
	let problems: readonly Problem[] = [];
	let hasShown = false;
	const selection = {...selectionFor(options, namespace), kubernetesVersion: version};
	const store = new ClusterStore();
	const pressure = new LivePressure(cluster.now, store);
	const feed = feedOf(cluster, selection, namespace, (present) => {
		// Later it may be that the API server has just started, and knows no roles yet.
		if (!hasShown) requireNodes(listing, present);
		problems = present;
	});
	const keeper = new ScoreKeeper(store);
	const keepLearned = keeperOf(controlPlane.clusterUid, version, cluster.now);
	const session = new Session({
		...{clock: clockShowing(cluster.now), feed, store},
		forecaster: new LearningPredictor(evidence, keepLearned, store),
		ledger: keeper,
		observers: [pressure],
		publish: (forecast: Forecast, now: Instant) => {
			hasShown = true;
			const plain = finish(pressure.tell(forecast));
			const all = [...options.controller.notes, ...plain.problems, ...problems];
			const shown = {...plain, problems: all};
			const told = saysAfter(options) ? withAfter(shown, related.of(plain)) : shown;
			return follower.publish(told, now, keeper.score);
		},
	});
	await withLooks(cluster, pressure, interruption.signal, (signal) => session.run(signal));
	if (hasScore(keeper.score)) await terminal.printError(`${formatScore(keeper.score)}\n`);
	interruption.passOn();
	return 0;
}
