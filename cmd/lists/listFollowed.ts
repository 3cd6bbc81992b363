import type {Cluster} from '../../src/cluster/cluster.ts';
import {PressuredNodes} from '../../src/forecast/pressure/observe/pressuredNodes.ts';
import {clockShowing} from '../../src/live/clock.ts';
import {ClusterSource} from '../../src/session/clusterSource.ts';
import {Session} from '../../src/session/session.ts';
import type {Options} from '../args/options.ts';
import type {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {absenceIn} from '../sources/absent.ts';
import {Deletions} from '../sources/deletions.ts';
import {ImpactDecorator} from '../sources/impactDecorator.ts';
import {learningOf} from '../sources/learningOf.ts';
import {relatedOf} from '../sources/owners.ts';
import {PressureStage} from '../sources/pressureStage.ts';
import {selectionFor} from '../sources/reading.ts';
import {RelatedReader} from '../sources/relatedReader.ts';
import {startingAnew} from '../sources/startingAnew.ts';
import {ListDisplay} from './listDisplay.ts';
import {type Listing, printsOutcomes, withListing} from './listings.ts';

/** Prints a list for `-w`, then its changes until interrupted. The namespace is undefined for all. */
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
	const found = await interruption.cutShort(learningOf(cluster, options.controller));
	if (!found) {
		interruption.passOn();
		return 1;
	}
	const {version, known} = found;
	const {store, forecaster} = known;
	const selection = {...selectionFor(options, forecaster), kubernetesVersion: version};
	const deletions = new Deletions(store, namespace);
	const owners = await relatedOf(options.filter.owners, namespace, (query) => cluster.related(query));
	const display = new ListDisplay({
		...{listing, namespace, options, terminal, deletions, forecaster},
		related: () => owners,
		absence: absenceIn(cluster, namespace, options),
	});
	const related = new RelatedReader(cluster);
	const impact = printsOutcomes(options) ? [new ImpactDecorator(related)] : [];
	const stages = [new PressureStage(store), ...impact];
	const session = new Session({...known, ledger: deletions, stages, display, taps: [display]});
	const source = new ClusterSource(cluster, selection, namespace, new PressuredNodes(store));
	await session.run(source, clockShowing(cluster.now), interruption.signal);
	await display.end();
	interruption.passOn();
	return 0;
}
