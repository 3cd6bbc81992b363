import type {Problem} from '../core/model/clusterSnapshot.ts';
import {nothingRelated, type Related} from '../core/model/related.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {finish, mapPausing, type Pausable} from '../forecast/pausable.ts';
import type {After, PodForecast} from '../forecast/podForecast.ts';
import {afterContext, afterOf, groundOf} from './after.ts';
import {type CandidateNodes, candidateNodes} from './candidates.ts';

/** Makes the pod that says what becomes of it. */
type Tell = (pod: PodForecast, after: After) => PodForecast;

const inCopy: Tell = (pod, after) => ({...pod, after});

/**
 * Says it in the pod itself: for whoever has a forecast for itself, and many pods, whose copies would be most of what it
 * takes to say it.
 */
export const inPlace: Tell = (pod, after) => Object.assign(pod, {after});

/** A forecast whose pods say what becomes of them. */
export function withAfter(
	forecast: Forecast,
	related: Related = nothingRelated,
	tell: Tell = inCopy,
): Forecast {
	const pods = finish(podsWithAfterInSteps(forecast, related, tell));
	return {...forecast, pods, problems: problemsWith(forecast, related)};
}

/** The pods of a forecast, which say what becomes of them. Those that are alike share what is said. */
export const podsWithAfter = (forecast: Forecast, related: Related): readonly PodForecast[] =>
	finish(podsWithAfterInSteps(forecast, related));

/** So many pods are told of between two pauses. */
const podsAStep = 2000;

/** The same with pauses. */
export function* podsWithAfterInSteps(
	forecast: Pick<Forecast, 'pods' | 'nodes'>,
	related: Related,
	tell: Tell = inCopy,
): Pausable<readonly PodForecast[]> {
	const context = afterContext(forecast, related);
	yield;
	const known = new Map<string, After | null>();
	const sayOf = (pod: PodForecast): After | null => {
		const ground = groundOf(pod, context);
		const volumes = context.hasOwnVolumes(pod) || context.volumesOf(pod).length > 0 ? pod.uid : '';
		const kind = `${pod.owner?.uid ?? ''} ${pod.owner?.kind} ${ground} ${pod.verdict} ${pod.phase} ${pod.cause?.kind} ${volumes}`;
		const before = known.get(kind);
		if (before !== undefined) return before;
		const after = afterOf(pod, context, ground);
		known.set(kind, after);
		return after;
	};
	return yield* mapPausing(forecast.pods, podsAStep, (pod) => {
		const after = pod.verdict === 'Safe' ? null : sayOf(pod);
		return after === null ? pod : tell(pod, after);
	});
}

/** What is wrong, with what could not be read of what belongs to the pods. */
export function problemsWith({problems}: Forecast, related: Related): readonly Problem[] {
	const isKnown = ({reason}: Problem) => problems.some((one) => one.reason === reason);
	return [...problems, ...related.problems.filter((problem) => !isKnown(problem))];
}

/** What to read for a forecast: the namespaces of its pods in trouble, and the kinds of what owns them. */
export function relatedWanted({pods, nodes}: Pick<Forecast, 'pods' | 'nodes'>): {
	readonly namespaces: ReadonlySet<string>;
	readonly ownerKinds: ReadonlySet<string>;
	readonly nodeCount: number;
	readonly nodesOfMany: (controllers: Related['controllers']) => CandidateNodes;
} {
	const inTrouble = pods.filter(({verdict}) => verdict !== 'Safe');
	return {
		namespaces: new Set(inTrouble.map(({namespace}) => namespace)),
		ownerKinds: new Set(inTrouble.flatMap(({owner}) => owner?.kind ?? [])),
		nodeCount: nodes.length,
		nodesOfMany: (controllers) => candidateNodes(inTrouble, nodes, controllers),
	};
}
