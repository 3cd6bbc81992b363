import {nodeLeaseNamespace} from '../core/model/lease.ts';
import {nameOf} from '../core/model/objectName.ts';
import {looksUnhealthy} from '../core/noderepair/nodeRepair.ts';
import {type Duration, type Instant, minute} from '../core/time/instant.ts';
import type {ClusterStore} from '../store/clusterStore.ts';
import {nodesOfEvictingDevices} from './conclude/deviceEvictions.ts';
import type {Evidence} from './observe/evidence.ts';
import {isInTrouble, isLate} from './observe/nodes/nodeLiveness.ts';
import {isUnderPressure} from './pressure/observe/pressuredNodes.ts';

/** After this time, pods of a deleted node are collected, or known. */
const goneMattersFor: Duration = 10 * minute;

/** With more late nodes than this, while none is in trouble, the API server is slow rather than its nodes silent. */
const mostLate = 50;

/**
 * The nodes whose pods a forecast needs: nodes whose pods may be lost, nodes under pressure, and Ready nodes that may be
 * replaced. Late nodes may fall silent; nodes that fail together do not show it at the same time.
 *
 * @param asked if later than the evidence, the time of the evidence counts: missing observations prove no silence
 */
export function podScope(evidence: Evidence, store: ClusterStore, asked: Instant): readonly string[] {
	const {nodes, leases} = store;
	const now = Math.min(asked, evidence.now);
	const all = [...evidence.nodes.values()];
	const inTrouble = all.filter((one) => isInTrouble(one, now));
	const allLate = all.filter((one) => isLate(one, now));
	const late = inTrouble.length > 0 || allLate.length <= mostLate ? allLate : [];
	// A lease without a node belongs to a deleted node.
	const leftLeases = [...leases.values()].filter(({namespace}) => namespace === nodeLeaseNamespace);
	const deleted = evidence.deletedNodes.byZone.filter(({at}) => now - at.hi <= goneMattersFor);
	return [
		...new Set([
			...[...inTrouble, ...late].map(({node}) => node.name),
			...[...leftLeases, ...deleted].map(nameOf).filter((name) => !nodes.has(name)),
			...nodesOfEvictingDevices(store),
			...[...nodes.values()].filter((node) => isUnderPressure(node) || looksUnhealthy(node)).map(nameOf),
		]),
	];
}
