import type {NodeCondition} from '../model/node.ts';
import type {MachineFailure, UnhealthyCondition} from '../model/repairObject.ts';
import type {Instant} from '../time/instant.ts';

/** When a node becomes due for repair, and why. */
export type RepairDue = {
	readonly at: Instant;
	readonly reason: UnhealthyCondition | MachineFailure | 'unneeded';
};

/**
 * The earliest end of the conditions' timeouts, of a node or a Machine; undefined if none of them is unhealthy.
 *
 * @upstream sigs.k8s.io/karpenter v1.14.1 pkg/controllers/node/health/controller.go findUnhealthyConditions
 */
export function conditionsDue(
	present: readonly Pick<NodeCondition, 'type' | 'status' | 'lastTransitionTime'>[],
	unhealthy: readonly UnhealthyCondition[],
): RepairDue | undefined {
	return firstDue(
		unhealthy.map((reason) => {
			const found = present.find(({type}) => type === reason.type);
			return found?.status === reason.status
				? {at: found.lastTransitionTime + reason.timeout, reason}
				: undefined;
		}),
	);
}

/** The earliest one. */
export const firstDue = (all: readonly (RepairDue | undefined)[]): RepairDue | undefined =>
	all.reduce((first, one) => (one && (!first || one.at < first.at) ? one : first), undefined);
