import {unique} from '../../../core/collections/unique.ts';
import {isReadyNode, type Node} from '../../../core/model/node.ts';
import {taintDiskPressure, taintMemoryPressure, taintPidPressure} from '../../../core/model/taint.ts';
import {type PressureCondition, pressureConditionsOf} from '../../../core/nodepressure/thresholds/signal.ts';
import {shutdownCondition} from '../../../core/nodeshutdown/nodeShutdown.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {ClusterStore} from '../../../store/clusterStore.ts';

/** The taint that a node gets for each condition, which keeps new pods away. */
export const pressureTaints: Readonly<Record<PressureCondition, string>> = {
	MemoryPressure: taintMemoryPressure,
	DiskPressure: taintDiskPressure,
	PIDPressure: taintPidPressure,
};
const taints: ReadonlySet<string> = new Set(Object.values(pressureTaints));

/** Twice the usual transition period: what was short then may be short again. */
const recently: Duration = 10 * minute;
/** A node that a user asks for is queried for this long. */
const askedFor: Duration = 2 * minute;

/** Whether a node's status shows that it is under pressure, or was a moment ago. */
export const isUnderPressure = (node: Pick<Node, 'conditions' | 'taints'>): boolean =>
	pressureConditionsOf(node).length > 0 || node.taints.some(({key}) => taints.has(key));

/** Whether its kubelet is queried without a user's request: it is under pressure, or shuts its node down. */
const isAskedFor = (node: Pick<Node, 'conditions' | 'taints'>): boolean =>
	isUnderPressure(node) || shutdownCondition(node) !== undefined;

/** Selects the nodes whose kubelets are queried for statistics: querying all would load a large cluster. */
export class PressuredNodes {
	readonly #store: ClusterStore;
	readonly #asked = new Map<string, Instant>();
	readonly #asksAllKubelets: boolean;

	/** @param asksAllKubelets whether all ready nodes are queried, after those that are selected anyway */
	constructor(store: ClusterStore, asksAllKubelets = false) {
		this.#store = store;
		this.#asksAllKubelets = asksAllKubelets;
	}

	/** Takes in a user's request for a node: it is queried for a while, whatever its state. */
	ask(node: string, now: Instant): void {
		this.#asked.set(node, now);
	}

	/** The names of these nodes; requested ones come first. */
	wanted(now: Instant): readonly string[] {
		const {nodes, kubelets} = this.#store;
		for (const [name, at] of this.#asked)
			if (now - at > askedFor || !nodes.has(name)) this.#asked.delete(name);
		const pressed = [...nodes.values()].filter(isAskedFor).map(({name}) => name);
		const reported = kubelets.reports
			.filter(({node, at}) => now - at <= recently && nodes.has(node))
			.map(({node}) => node);
		const others = this.#asksAllKubelets ? [...nodes.values()].filter(isReadyNode).map(({name}) => name) : [];
		return unique([...this.#asked.keys(), ...pressed, ...reported, ...others]);
	}
}
