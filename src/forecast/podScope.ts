import {nodeLeaseNamespace} from '../core/model/lease.ts';
import {looksUnhealthy} from '../core/noderepair/nodeRepair.ts';
import {type Duration, type Instant, minute} from '../core/time/instant.ts';
import type {ClusterStore} from '../store/clusterStore.ts';
import {nodesOfEvictingDevices} from './conclude/deviceEvictions.ts';
import type {Evidence} from './observe/evidence.ts';
import {isInTrouble, isLate, isOnlyLate} from './observe/nodes/nodeLiveness.ts';
import {isUnderPressure} from './pressure/observe/pressuredNodes.ts';

/** After so long, whatever was bound to a node that is gone is collected, or known. */
const goneMattersFor: Duration = 10 * minute;

/** The nodes that are only late. */
export const lateNodes = (evidence: Evidence, now: Instant): readonly string[] =>
	[...evidence.nodes.values()].filter((one) => isOnlyLate(one, now)).map(({node}) => node.name);

/**
 * The nodes whose pods a forecast needs: those whose pods may be lost, by its own rules, those that run short, and those
 * that may be replaced though they are Ready. A node
 * that is only late counts where others are in trouble: those that fall silent together do not show it together.
 *
 * @param asked later than what the evidence tells, it is as of then: what it has not heard yet proves no silence
 */
export function podScope(evidence: Evidence, store: ClusterStore, asked: Instant): readonly string[] {
	const {nodes, leases} = store;
	const now = Math.min(asked, evidence.now);
	const all = [...evidence.nodes.values()];
	const inTrouble = all.filter((one) => isInTrouble(one, now));
	const late = inTrouble.length > 0 ? all.filter((one) => isLate(one, now)) : [];
	// A lease without a node is of a node that is gone.
	const leftLeases = [...leases.values()].filter(({namespace}) => namespace === nodeLeaseNamespace);
	const deleted = evidence.deletedNodes.byZone.filter(({at}) => now - at.hi <= goneMattersFor);
	return [
		...new Set([
			...[...inTrouble, ...late].map(({node}) => node.name),
			...[...leftLeases, ...deleted].map(({name}) => name).filter((name) => !nodes.has(name)),
			...nodesOfEvictingDevices(store),
			...[...nodes.values()]
				.filter((node) => isUnderPressure(node) || looksUnhealthy(node))
				.map(({name}) => name),
		]),
	];
}
