import {isReadyNode, type Node} from '../../../core/model/node.ts';
import {taintDiskPressure, taintMemoryPressure, taintPidPressure} from '../../../core/model/taint.ts';
import {type PressureCondition, pressureConditions} from '../../../core/nodepressure/thresholds/signal.ts';
import {shutdownCondition} from '../../../core/nodeshutdown/nodeShutdown.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {ClusterStore} from '../../../store/clusterStore.ts';

const conditions: ReadonlySet<string> = new Set(pressureConditions);
/** The taint that a node gets for each condition, which keeps new pods away. */
export const pressureTaints: Readonly<Record<PressureCondition, string>> = {
	MemoryPressure: taintMemoryPressure,
	DiskPressure: taintDiskPressure,
	PIDPressure: taintPidPressure,
};
const taints: ReadonlySet<string> = new Set(Object.values(pressureTaints));

/** Twice as long as a condition is held: what was short then may be short again. */
const recently: Duration = 10 * minute;
/** For so long a node is looked at that somebody asked for. */
const askedFor: Duration = 2 * minute;

/** Whether a condition, by its type, is one that a kubelet sets where it runs short. */
export const isPressureCondition = (type: string): boolean => conditions.has(type);

/** Whether a node says itself that it is under pressure, or was a moment ago. */
export const isUnderPressure = (node: Pick<Node, 'conditions' | 'taints'>): boolean =>
	node.conditions.some(({type, status}) => status === 'True' && isPressureCondition(type)) ||
	node.taints.some(({key}) => taints.has(key));

/** Whether its kubelet is asked without anybody's wish: it is under pressure, or shuts its node down. */
const isAskedFor = (node: Pick<Node, 'conditions' | 'taints'>): boolean =>
	isUnderPressure(node) || shutdownCondition(node) !== undefined;

/** Selects the nodes whose kubelets are asked for statistics: asking all would be a load on a large cluster, so somebody has to want it. */
export class PressuredNodes {
	readonly #store: ClusterStore;
	readonly #asked = new Map<string, Instant>();
	readonly #areAllMeant: boolean;

	/** @param areAllMeant whether all ready nodes are meant, the others after those that are anyway */
	constructor(store: ClusterStore, areAllMeant = false) {
		this.#store = store;
		this.#areAllMeant = areAllMeant;
	}

	/** Somebody wants to see a node: it is looked at for a while, whatever it shows. */
	ask(node: string, now: Instant): void {
		this.#asked.set(node, now);
	}

	/** The names of these nodes; those that were asked for come first. */
	wanted(now: Instant): readonly string[] {
		const {nodes, kubelets} = this.#store;
		for (const [name, at] of this.#asked)
			if (now - at > askedFor || !nodes.has(name)) this.#asked.delete(name);
		const pressed = [...nodes.values()].filter(isAskedFor).map(({name}) => name);
		const reported = kubelets.reports
			.filter(({node, at}) => now - at <= recently && nodes.has(node))
			.map(({node}) => node);
		const others = this.#areAllMeant ? [...nodes.values()].filter(isReadyNode).map(({name}) => name) : [];
		return [...new Set([...this.#asked.keys(), ...pressed, ...reported, ...others])];
	}
}
