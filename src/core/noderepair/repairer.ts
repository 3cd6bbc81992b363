import type {UnhealthyCondition} from '../model/repairObject.ts';
import type {Duration} from '../time/instant.ts';
import type {RepairDue} from './repairDue.ts';
import type {RepairLimit} from './repairLimit.ts';

/** A controller that deletes or replaces nodes that stay unhealthy, with the nodes it manages. */
export type Repairer = Readonly<{
	/** For display: `MachineHealthCheck openshift-machine-api/workers`. */
	name: string;
	/** Names of the nodes that it may repair. */
	nodes: ReadonlySet<string>;
	/** Names of the nodes that its limit counts. */
	counted: ReadonlySet<string>;
	/** How many more its limit counts as unhealthy: machines that have no node or are being deleted. */
	unhealthyAnyway: number;
	conditions: readonly UnhealthyCondition[];
	/** By node name: why and when its Machine is repaired, regardless of the node. */
	machineDue?: ReadonlyMap<string, RepairDue>;
	/** By node name: when a node is deleted because it is unneeded, which does not make it unhealthy. */
	unneeded?: ReadonlyMap<string, RepairDue>;
	allows: RepairLimit;
	limit: string;
	/** The longest wait until it checks again after its limit prevented a repair. */
	looksAgainAfter: Duration;
	/** From the end of a timeout to the next check. */
	slack: Duration;
	/** What may delay it without bound; undefined if nothing does. */
	delays?: string;
	/** What cannot be observed and may mean that it does not repair at all; undefined if everything is observed. */
	doubt?: string;
	/** Whether its timeouts are not known. */
	isTimeUnknown: boolean;
	/** Whether a repair also ends the node's pods. */
	endsPods: boolean;
	/** Why it repairs nothing now; undefined if it does. */
	stopped?: string;
	/** What it does to a node, for display. */
	action: string;
}>;
