import {mapBy} from '../core/collections/mapBy.ts';
import type {Node} from '../core/model/node.ts';
import {nameOf} from '../core/model/objectName.ts';
import type {Pod} from '../core/model/pod.ts';
import {zoneKey} from '../core/model/zone.ts';
import {orphanForecaster} from './conclude/orphanVerdict.ts';
import {isBlind, unseenForecaster} from './conclude/unseenNodes.ts';
import {podForecaster, repairedPods, safePods} from './explain/podsWithReasons.ts';
import type {Situation} from './explain/situation.ts';
import {nodeWithReasons} from './explain/withReasons.ts';
import type {NodeForecast} from './nodeForecast.ts';
import {mapPausing, type Pausable} from './pausable.ts';
import type {PodForecast} from './podForecast.ts';

type OfNode = {
	readonly forecasts: readonly PodForecast[];
	/** What the forecasts of a healthy node were made of. They are reused while it is the same. */
	readonly madeOf?: {readonly pods: readonly Pod[]; readonly zone: string};
};

type ByNode = ReadonlyMap<string, OfNode>;

/** For how many nodes pods are forecast between two pauses. */
const nodesOfPodsAStep = 100;

/** The forecasts of all pods, by node. Those of healthy nodes are reused while their pods do not change. */
export class PodTable {
	readonly #byNode: ByNode;

	constructor(byNode: ByNode) {
		this.#byNode = byNode;
	}

	/**
	 * Forecasts every pod that was seen.
	 *
	 * @param nodes the forecasts of nodes, as far as made
	 * @param last an earlier table, whose forecasts of safe pods are reused
	 * @param isEnough whether no more pods are wanted than those up to this one, and those of its node
	 */
	static *of(
		situation: Situation,
		nodes: readonly NodeForecast[] = [],
		last?: PodTable,
		isEnough: (pod: PodForecast) => boolean = () => false,
	): Pausable<PodTable> {
		const {evidence, affected} = situation;
		const before: ByNode = last ? last.#byNode : new Map();
		const affectedByName = mapBy(affected.nodes, (one) => one.node.name);
		const ofUnseen = unseenForecaster(situation);
		const ofNodeless = isBlind(situation) ? ofUnseen : orphanForecaster(situation);
		const forecastByName = mapBy(nodes, nameOf);
		const entries = yield* mapPausing(
			[...evidence.pods.nodes()],
			nodesOfPodsAStep,
			(name): [string, OfNode] => {
				const pods = evidence.pods.onNode(name);
				const one = affectedByName.get(name);
				if (one) {
					const node = forecastByName.get(name) ?? nodeWithReasons(one, situation);
					return [name, {forecasts: pods.map(podForecaster(one, node, situation))}];
				}
				const well = evidence.nodes.get(name);
				if (well && situation.repairs.of(well).length > 0)
					return [name, {forecasts: pods.map(repairedPods(well, situation))}];
				if (well) return [name, ofWell(well.node, pods, before.get(name))];
				const ofSafe = safePods(undefined);
				const ofNode = evidence.unseenNodes.has(name) ? ofUnseen : ofNodeless;
				return [name, {forecasts: pods.map((pod) => ofNode(pod) ?? ofSafe(pod))}];
			},
			([, {forecasts}]) => forecasts.some(isEnough),
		);
		return new PodTable(new Map(entries));
	}

	all(): readonly PodForecast[] {
		const all: PodForecast[] = [];
		for (const {forecasts} of this.#byNode.values()) for (const one of forecasts) all.push(one);
		return all;
	}
}

function ofWell(node: Node, pods: readonly Pod[], last: OfNode | undefined): OfNode {
	const zone = zoneKey(node);
	const isSame = last?.madeOf?.pods === pods && last.madeOf.zone === zone;
	return isSame ? last : {forecasts: pods.map(safePods(node)), madeOf: {pods, zone}};
}
