import {orphanForecaster} from './orphanVerdict.ts';
import type {PodForecast} from './podForecast.ts';
import {podForecaster, safePods} from './podVerdict.ts';
import type {Situation} from './situation.ts';
import {finish, mapInSteps, type Steps} from './steps.ts';
import {isBlind, unseenForecaster} from './unseenNodes.ts';

/** The forecasts of all pods, kept by node: after a change of one node only its own are made again. */
export class PodTable {
	readonly #byNode: ReadonlyMap<string, readonly PodForecast[]>;

	constructor(byNode: ReadonlyMap<string, readonly PodForecast[]>) {
		this.#byNode = byNode;
	}

	/** Forecasts every pod that was seen. */
	static *of(situation: Situation): Steps<PodTable> {
		return new PodTable(yield* forecastsOf([...situation.evidence.pods.nodes()], situation));
	}

	/** The same table with the pods of some nodes forecast again. */
	with(nodes: ReadonlySet<string>, situation: Situation): PodTable {
		return new PodTable(new Map([...this.#byNode, ...finish(forecastsOf([...nodes], situation))]));
	}

	all(): readonly PodForecast[] {
		const all: PodForecast[] = [];
		for (const forecasts of this.#byNode.values()) for (const one of forecasts) all.push(one);
		return all;
	}
}

/** So many nodes' pods are forecast between two pauses. */
const nodesAStep = 100;

function* forecastsOf(
	names: readonly string[],
	situation: Situation,
): Steps<ReadonlyMap<string, readonly PodForecast[]>> {
	const {evidence, suspects} = situation;
	const inTrouble = new Map(suspects.nodes.map((one) => [one.node.name, one]));
	const ofNodeless = isBlind(situation) ? unseenForecaster(situation) : orphanForecaster(situation);
	const entries = yield* mapInSteps(names, nodesAStep, (name): [string, readonly PodForecast[]] => {
		const pods = evidence.pods.onNode(name);
		const suspect = inTrouble.get(name);
		if (suspect) return [name, pods.map(podForecaster(suspect, situation))];
		const node = evidence.nodes.get(name)?.node;
		const ofSafe = safePods(node);
		return [name, pods.map((pod) => (node ? undefined : ofNodeless(pod)) ?? ofSafe(pod))];
	});
	return new Map(entries);
}
