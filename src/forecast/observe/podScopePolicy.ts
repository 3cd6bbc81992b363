import {nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Observation} from '../../core/model/observation.ts';
import {defaultSettings} from '../../core/model/versionProfile.ts';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import {ClusterStore} from '../../store/clusterStore.ts';
import {Evidence} from './evidence.ts';
import {isInTrouble, isLate} from './nodes/nodeLiveness.ts';

/** After so long, whatever was bound to a node that is gone is collected, or known. */
const goneMattersFor: Duration = 10 * minute;

/**
 * Finds the nodes whose pods a forecast needs, from nodes and leases alone, by the forecast's own rules. A node that is
 * only late counts where others are in trouble: those that fall silent together do not show it together.
 */
export class PodScopePolicy {
	readonly #store = new ClusterStore();
	readonly #evidence = new Evidence(defaultSettings, this.#store);
	/** The nodes that were seen to go lately, and when. */
	readonly #gone = new Map<string, Instant>();

	/** Takes in what was seen; the first batch is a first look. Pods are passed over. */
	observe(observations: readonly Observation[], arrivedAt: Instant): void {
		const ofNodes = observations.filter(({type}) => type !== 'podApplied' && type !== 'podDeleted');
		for (const one of ofNodes) {
			if (one.type === 'nodeDeleted') this.#gone.set(one.name, arrivedAt);
			if (one.type === 'nodeApplied') this.#gone.delete(one.node.name);
		}
		this.#evidence.observe(this.#store.apply(ofNodes, arrivedAt).changes, arrivedAt);
	}

	/** The names of these nodes. */
	wanted(now: Instant): readonly string[] {
		for (const [name, at] of this.#gone) if (now - at > goneMattersFor) this.#gone.delete(name);
		const nodes = [...this.#evidence.nodes.values()];
		const inTrouble = nodes.filter((one) => isInTrouble(one, now));
		const late = inTrouble.length > 0 ? nodes.filter((one) => isLate(one, now)) : [];
		const names = [...inTrouble, ...late].map(({node}) => node.name);
		// A lease without a node is of a node that is gone.
		const without = [...this.#store.leases.values()]
			.filter(({namespace, name}) => namespace === nodeLeaseNamespace && !this.#store.nodes.has(name))
			.map(({name}) => name);
		return [...new Set([...names, ...without, ...this.#gone.keys()])];
	}
}
