import type {Node} from '../core/model/node.ts';
import type {PodTemplate, Related} from '../core/model/related.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import type {PodForecast} from '../forecast/podForecast.ts';
import {isReplaced} from './newPods.ts';
import {obstacleOn} from './obstacles.ts';

/** Of many nodes, those to look at: where new pods may run, and where those run that will be made anew. */
export type CandidateNodes = {readonly candidates: readonly string[]; readonly troubled: readonly string[]};

/** For each kind of template so many; one that has room is enough where few pods compete for it. */
const perTemplate = 20;
const mostTemplates = 20;

/**
 * Chooses a few nodes that are fit for the pods that will be made anew, apart from room: the first that are found, those
 * of all templates in turns.
 */
export function candidateNodes(
	inTrouble: readonly PodForecast[],
	nodes: readonly NodeForecast[],
	controllers: Related['controllers'],
): CandidateNodes {
	const replaced = inTrouble.filter(isReplaced);
	const owners = new Set(replaced.flatMap(({owner}) => owner?.uid ?? []));
	const templates = new Map(
		[...owners].flatMap((uid) => {
			const template = controllers.get(uid)?.template;
			return template ? [[wishesOf(template), template] as const] : [];
		}),
	);
	const well = scattered(nodes.flatMap(({node, verdict}) => (node && verdict === 'Healthy' ? [node] : [])));
	const fit = [...templates.values()].slice(0, mostTemplates).map((template) => fitFor(template, well));
	// In turns: who reads only some of them, reads some of every template.
	const chosen = Array.from({length: perTemplate}, (_, turn) => fit.flatMap((nodes) => nodes[turn] ?? []));
	return {candidates: [...new Set(chosen.flat())], troubled: [...new Set(replaced.map(({node}) => node))]};
}

/** The names of the first nodes that are fit for pods of a template. */
function fitFor(template: PodTemplate, nodes: readonly Node[]): readonly string[] {
	const fit: string[] = [];
	for (const node of nodes) {
		if (fit.length === perTemplate) break;
		if (obstacleOn(node, template) === undefined) fit.push(node.name);
	}
	return fit;
}

const wishesOf = ({tolerations, nodeSelector, nodeTerms}: PodTemplate): string =>
	JSON.stringify([tolerations, nodeSelector, nodeTerms]);

/** In an order that does not follow names: nodes of one kind stand together by name, and may all be full. */
function scattered(nodes: readonly Node[]): readonly Node[] {
	const step = stepFor(nodes.length);
	return nodes.map((_, index) => nodes[(index * step) % nodes.length]).flatMap((node) => node ?? []);
}

/** About the golden section of a length, and without a divisor in common with it, so that each is met once. */
function stepFor(length: number): number {
	let step = Math.max(1, Math.round(length * 0.618));
	while (commonDivisor(step, length) > 1) step += 1;
	return step;
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
