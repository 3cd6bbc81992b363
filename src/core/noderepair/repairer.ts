import type {UnhealthyCondition} from '../model/repairObject.ts';
import type {Duration} from '../time/instant.ts';
import type {RepairDue} from './repairDue.ts';
import type {RepairLimit} from './repairLimit.ts';

/** A controller that deletes or replaces nodes that stay unhealthy, with the nodes it manages. */
export type Repairer = {
	/** For display: `MachineHealthCheck openshift-machine-api/workers`. */
	readonly name: string;
	/** Names of the nodes that it may repair. */
	readonly nodes: ReadonlySet<string>;
	/** Names of the nodes that its limit counts. */
	readonly counted: ReadonlySet<string>;
	/** How many more its limit counts as unhealthy: machines that have no node or are being deleted. */
	readonly unhealthyAnyway: number;
	readonly conditions: readonly UnhealthyCondition[];
	/** By node name: why and when its Machine is repaired, regardless of the node. */
	readonly machineDue?: ReadonlyMap<string, RepairDue>;
	/** By node name: when a node is deleted because it is unneeded, which does not make it unhealthy. */
	readonly unneeded?: ReadonlyMap<string, RepairDue>;
	readonly allows: RepairLimit;
	readonly limit: string;
	/** The longest wait until it checks again after its limit prevented a repair. */
	readonly looksAgainAfter: Duration;
	/** From the end of a timeout to the next check. */
	readonly slack: Duration;
	/** What may delay it without bound; undefined if nothing does. */
	readonly delays?: string;
	/** What cannot be observed and may mean that it does not repair at all; undefined if everything is observed. */
	readonly doubt?: string;
	/** Whether its timeouts are not known. */
	readonly isTimeUnknown: boolean;
	/** Whether a repair also ends the node's pods. */
	readonly endsPods: boolean;
	/** Why it repairs nothing now; undefined if it does. */
	readonly stopped?: string;
	/** What it does to a node, for display. */
	readonly action: string;
};
