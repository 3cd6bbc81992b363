import {kept} from '../core/collections/kept.ts';
import type {PodOwner} from '../core/model/pod.ts';
import type {Problem} from '../core/model/problem.ts';
import {nothingRelated, type Related, type RelatedQuery} from '../core/model/workloads/related.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {finish, mapPausing, type Pausable} from '../forecast/pausable.ts';
import {type After, isLost, type PodForecast} from '../forecast/podForecast.ts';
import {Aftermath} from './after.ts';
import {candidateNodes} from './candidates.ts';

/** Adds to a pod what follows its deletion. */
type AddAfter = (pod: PodForecast, after: After) => PodForecast;

const inCopy: AddAfter = (pod, after) => ({...pod, after});

/** Changes the pod itself: for callers that own the forecast, as copying many pods is most of the cost. */
export const inPlace: AddAfter = (pod, after) => Object.assign(pod, {after});

export function withAfter(
	forecast: Forecast,
	related: Related = nothingRelated,
	add: AddAfter = inCopy,
): Forecast {
	const pods = finish(podsWithAfterInSteps(forecast, related, add));
	return {...forecast, pods, problems: problemsWith(forecast, related)};
}

/** The number of pods between two pauses. */
const podsAStep = 2000;

/** Adds to each pod of a forecast what follows its deletion, with pauses. Equal pods share it. */
export function* podsWithAfterInSteps(
	forecast: Forecast,
	related: Related,
	add: AddAfter = inCopy,
): Pausable<readonly PodForecast[]> {
	const aftermath = new Aftermath(forecast, related);
	yield;
	const known = new Map<string, After | null>();
	const sayOf = (pod: PodForecast) => kept(known, aftermath.kindOf(pod), () => aftermath.of(pod));
	return yield* mapPausing(forecast.pods, podsAStep, (pod) => {
		const after = pod.verdict === 'Safe' && pod.ready === 'True' ? null : sayOf(pod);
		return after === null ? pod : add(pod, after);
	});
}

/** The problems of a forecast, and those of reading workloads. */
export function problemsWith({problems}: Forecast, related: Related): readonly Problem[] {
	const isKnown = ({reason}: Problem) => problems.some((one) => one.reason === reason);
	return [...problems, ...related.problems.filter((problem) => !isKnown(problem))];
}

/** What to read for a forecast: the namespaces of its affected pods, and the kinds of their owners. */
export function relatedWanted({pods, nodes}: Pick<Forecast, 'pods' | 'nodes'>): RelatedQuery {
	const late = new Set(nodes.flatMap(({name, verdict}) => (verdict === 'Late' ? name : [])));
	return relatedWantedBy(
		pods.filter((pod) => isLost(pod) || late.has(pod.node)),
		nodes,
	);
}

/** The same for given pods, affected or not. */
export const relatedWantedBy = (pods: Forecast['pods'], nodes: Forecast['nodes']): RelatedQuery => ({
	...ownersOf(pods, nodes.length),
	nodesOfMany: (controllers) => candidateNodes(pods.filter(isLost), nodes, controllers),
});

/** What to read for some pods: only their owners; in a large cluster no node's pods. */
export const ownersOf = (
	pods: readonly {readonly namespace: string; readonly owner?: PodOwner | undefined}[],
	nodeCount: number,
): RelatedQuery => ({
	namespaces: new Set(pods.map(({namespace}) => namespace)),
	ownerKinds: new Set(pods.flatMap(({owner}) => owner?.kind ?? [])),
	nodeCount,
});
