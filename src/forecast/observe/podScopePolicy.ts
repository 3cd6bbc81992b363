import {defaultSettings} from '../../core/model/controllerSettings.ts';
import {nodeLeaseNamespace} from '../../core/model/lease.ts';
import type {Observation} from '../../core/model/observation.ts';
import {type Duration, type Instant, minute} from '../../core/time/instant.ts';
import {Evidence} from './evidence.ts';
import {isInTrouble, isLate} from './nodeLiveness.ts';

/** After so long, whatever was bound to a node that is gone is collected, or known. */
const goneMattersFor: Duration = 10 * minute;

/**
 * Finds the nodes whose pods a forecast needs, from nodes and leases alone, by the forecast's own rules. A node that is
 * only late counts where others are in trouble: those that fall silent together do not show it together.
 */
export class PodScopePolicy {
	readonly #evidence = new Evidence(defaultSettings);
	/** Whose leases are there: one without a node is of a node that is gone. */
	readonly #leases = new Set<string>();
	/** The nodes that were seen to go lately, and when. */
	readonly #gone = new Map<string, Instant>();

	/** Takes in what was seen; the first batch is a first look. Pods are passed over. */
	observe(observations: readonly Observation[], arrivedAt: Instant): void {
		const ofNodes = observations.filter(({type}) => type !== 'podApplied' && type !== 'podDeleted');
		for (const one of ofNodes) {
			if (one.type === 'leaseApplied' && one.lease.namespace === nodeLeaseNamespace)
				this.#leases.add(one.lease.name);
			if (one.type === 'leaseDeleted') this.#leases.delete(one.name);
			if (one.type === 'nodeDeleted') this.#gone.set(one.name, arrivedAt);
			if (one.type === 'nodeApplied') this.#gone.delete(one.node.name);
		}
		this.#evidence.observe(ofNodes, arrivedAt);
	}

	/** The names of these nodes. */
	wanted(now: Instant): readonly string[] {
		for (const [name, at] of this.#gone) if (now - at > goneMattersFor) this.#gone.delete(name);
		const nodes = [...this.#evidence.nodes.values()];
		const inTrouble = nodes.filter((one) => isInTrouble(one, now));
		const late = inTrouble.length > 0 ? nodes.filter((one) => isLate(one, now)) : [];
		const names = [...inTrouble, ...late].map(({node}) => node.name);
		const without = [...this.#leases].filter((name) => !this.#evidence.nodes.has(name));
		return [...new Set([...names, ...without, ...this.#gone.keys()])];
	}
}
