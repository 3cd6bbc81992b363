import {grouped} from '../../src/core/collections/grouped.ts';
import type {Change} from '../../src/forecast/simulate/change.ts';
import {nodeLosses, nodesToLose} from '../../src/forecast/whatif/nodeLosses.ts';
import type {WhatIf} from '../../src/forecast/whatif/whatIf.ts';
import {codeOfLosses, type SupposedLoss, supposedLoss} from '../../src/impact/supposedLoss.ts';
import {whatIfImpacts} from '../../src/impact/whatIfImpact.ts';
import {relatedWantedBy} from '../../src/impact/withAfter.ts';
import type {Seen} from '../../src/print/json/json.ts';
import {losses} from '../../src/print/tables/lossKind.ts';
import {usageError} from '../args/usageError.ts';
import {assertNodesReadable, type Listing} from '../lists/listings.ts';
import {show} from '../lists/show.ts';
import {askedNamespace, assertPodsRecorded, chosenPods, type Question, saidBlindness} from './names.ts';
import {impactOn} from './suppose.ts';

type Place = 'node' | 'zone';

/** `what-if --each-node`, `what-if --each-zone`: what the loss of each would do now, the worst first. */
export async function rehearse(place: Place, scene: Question) {
	const {snapshot, forecast, options, terminal} = scene;
	if (options.names.length > 0)
		throw usageError(
			`--each-${place} takes no names: choose pods with -n and -l, or ask --${place}-down NAME`,
		);
	assertNodesReadable(forecast.problems);
	assertPodsRecorded(scene);
	const now = snapshot.observedAt;
	const {found, related} = await lossesOf(place, scene);
	const problems = [...forecast.problems, ...related.problems];
	if (await saidBlindness(problems, scene)) return 1;
	const listing: Listing<SupposedLoss, Seen> = {
		kind: losses(place),
		plural: `losses of ${place}s`,
		itemsOf: () => found,
		isHiddenBy: () => false,
		exitCodeOf: (items) => codeOfLosses(items, problems),
	};
	const filter = {
		...options.filter,
		names: [],
		owners: [],
		labels: () => true,
		fields: () => true,
	};
	return show(listing, {
		forecast: {...forecast, problems},
		now,
		namespace: undefined,
		terminal,
		options: {...options, filter},
	});
}

/** What each loss does to the chosen pods and their workloads. */
async function lossesOf(place: Place, scene: Question) {
	const {snapshot, forecast, forecaster} = scene;
	const {pods, nodes} = forecast;
	const now = snapshot.observedAt;
	const related = await scene.related(relatedWantedBy(pods, nodes));
	const impactOf = whatIfImpacts(forecast, related);
	const chosen = await chosenPods([], {...scene, namespace: askedNamespace(scene)});
	const ofChosen = impactOn(chosen, related);
	const ask = (changes: readonly Change[]) => forecaster.whatIf(changes, now);
	const lossOf = (of: Pick<SupposedLoss, 'name' | 'zone' | 'nodes'>, whatIf: WhatIf) =>
		supposedLoss(of, ofChosen(impactOf(whatIf)), whatIf);
	const heard = nodesToLose(nodes);
	const found =
		place === 'node'
			? Array.from(nodeLosses(heard, pods, now, ask), ({node: {name, zone}, found}) =>
					lossOf({name, zone, nodes: 1}, found),
				)
			: grouped(heard, ({zone}) => zone).map(([zone, ofZone]) => {
					const changes = ofZone.map(({name}): Change => ({type: 'nodeDown', node: name, at: now}));
					return lossOf({name: zone, zone, nodes: ofZone.length}, ask(changes));
				});
	return {found, related};
}
