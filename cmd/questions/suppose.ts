import {isControlPlaneNode} from '../../src/core/model/node.ts';
import {hidesPods} from '../../src/core/model/problem.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import {isWellNode} from '../../src/forecast/nodeForecast.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import type {Change} from '../../src/forecast/simulate/change.ts';
import type {WhatIf} from '../../src/forecast/whatif/whatIf.ts';
import type {ReadPods} from '../../src/impact/nextLoss.ts';
import {type WhatIfImpact, whatIfImpact} from '../../src/impact/whatIfImpact.ts';
import {areAllWorkersRead} from '../../src/session/podChooser.ts';
import {readTargets} from '../args/targets.ts';
import type {AskedScene} from '../sources/look.ts';
import {areOwnersOf, askedNamespace, chosenPods, type Question} from './names.ts';

/** The pods that were read, to choose the node whose loss is supposed. A partial recording may hold only some of a node. */
export function readPods({
	snapshot,
	forecast,
	isPartial = false,
}: Pick<AskedScene, 'forecast' | 'isPartial'> & {
	readonly snapshot: Pick<AskedScene['snapshot'], 'source' | 'pods'>;
}): ReadPods {
	// The pods of nodes in trouble are read in any case.
	const outside = forecast.nodes.filter((node) => isWellNode(node) && !isControlPlaneNode(node));
	const isWhole = snapshot.source === 'file' || areAllWorkersRead(outside);
	return isPartial
		? {pods: [], areAll: false}
		: {pods: snapshot.pods, areAll: isWhole && !forecast.problems.some(hidesPods)};
}

/** The effect of changes on evictions by taints, and the pods whose workloads must be read to tell it. */
export function suppose(changes: readonly Change[], {snapshot, forecaster}: AskedScene) {
	const found = forecaster.whatIf(changes, snapshot.observedAt);
	const touched = found.pods.map(({before, after}) => (after.verdict === 'Safe' ? before : after));
	return {found, touched};
}

/** The impact on chosen pods and their workloads. */
export async function impactOf(found: WhatIf, related: Related, scene: Question): Promise<WhatIfImpact> {
	const impact = whatIfImpact(scene.forecast, found, related);
	const chosen = await chosenPods(readTargets(scene.options.names), {
		...scene,
		namespace: askedNamespace(scene),
		forecast: {...scene.forecast, pods: impact.pods.map(({after}) => after)},
	});
	return chosen.length === impact.pods.length ? impact : impactOn(chosen, related)(impact);
}

/** The part of an impact that chosen pods and their workloads have. */
export function impactOn(chosen: readonly PodForecast[], related: Related) {
	const uids = new Set(chosen.map(({uid}) => uid));
	const isOwner = areOwnersOf(chosen, related);
	return (impact: WhatIfImpact): WhatIfImpact => ({
		...impact,
		pods: impact.pods.filter(({after}) => uids.has(after.uid)),
		workloads: impact.workloads.filter(({before, after}) =>
			[before, after].some((one) => one !== undefined && isOwner(one)),
		),
	});
}
