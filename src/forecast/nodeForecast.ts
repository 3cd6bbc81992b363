import type {ConditionStatus, Node} from '../core/model/node.ts';
import type {Instant} from '../core/time/instant.ts';
import type {TextMap} from '../text/textMap.ts';
import type {Reason} from './podForecast.ts';
import {Range} from './range.ts';

/**
 * Late: one renewal is overdue. Silent: no heartbeat for two renew intervals, not yet Unknown. NotReady, Unknown: the
 * condition is set, the node is not queued. Queued: waits for its NoExecute taint, or until 1.26 for the deletion of its pods
 * without a taint. Held: would be queued, but evictions are stopped. Recovering: heartbeats are back, the next
 * pass that sees it ready removes its NoExecute taint. Evicted: its pods were deleted without a taint (until 1.26).
 */
export type NodeVerdict =
	| 'Healthy'
	| 'Late'
	| 'Silent'
	| 'NotReady'
	| 'Unknown'
	| 'Queued'
	| 'Held'
	| 'Tainted'
	| 'Evicted'
	| 'Recovering';

/** Whether nothing is known to be wrong with a node. An overdue renewal may still come. */
export const isWellNode = ({verdict}: NodeForecast) => verdict === 'Healthy' || verdict === 'Late';

/** What a node is short of. Its kubelet then evicts pods by its own rules, whatever the taints. */
export type NodePressure = {
	/** The pressure conditions that are True in the node's status. */
	readonly conditions: readonly string[];
	/** The pod that its kubelet evicts next, if known. */
	readonly next: {
		readonly namespace: string;
		readonly name: string;
		readonly when: Range;
		readonly isCertain: boolean;
	} | null;
};

/** What deletes or replaces an unhealthy node, and when. */
export type NodeRepair = {
	/** As shown: `MachineHealthCheck openshift-machine-api/workers`. */
	readonly by: string;
	/** When it begins; pods are lost from then on. Null if it does not come, or its time is unknown. */
	readonly at: Range | null;
	/** Whether it comes if nothing changes: everything that decides it was seen. */
	readonly isSure: boolean;
	/** Whether the node's pods are lost with it. */
	readonly endsPods: boolean;
	/** Whether it is done because the node is unhealthy. */
	readonly isRepair?: true;
	/** Whether the Node goes first, and its pods after it. */
	readonly endsNode?: true;
	/** One sentence: where this is known from, what may prevent the repair, and what it does. */
	readonly why: string;
};

/** What happens to one node if nothing else changes, and why. */
export type NodeForecast = {
	readonly name: string;
	readonly uid: string;
	readonly labels: TextMap;
	readonly zone: string;
	/** The Node object; absent in forecasts that were not made from one. */
	readonly node?: Node;
	readonly verdict: NodeVerdict;
	/** Status of the Ready condition; absent if neither kubelet nor controller ever wrote one. */
	readonly ready?: ConditionStatus;
	/** When the kubelet last renewed its lease, of renewals that the controllers count; null if no lease can be seen. */
	readonly lastRenewal: Instant | null;
	/** Whether it gave no sign of life for two renew intervals, whatever its condition. */
	readonly isSilent: boolean;
	/** When Ready turns Unknown; null unless it will. */
	readonly unknown: Range | null;
	/** When the NoExecute taint is added; null unless it will be. */
	readonly noExecute: Range | null;
	/** From when on the node may have that taint briefly, before it gets it to stay; absent if it cannot. */
	readonly briefTaintFrom?: Instant;
	/** When the controller removes its own NoExecute taint; null unless it will, absent if the node has none. */
	readonly cleared?: Range | null;
	/** When its pods are deleted without a taint (until v1.26); absent where nodes are tainted, null unless they will be. */
	readonly eviction?: Range | null;
	/** The probability that it is tainted with the zone's next token; null unless Queued. */
	readonly nextProbability: number | null;
	/** The keys of its NoExecute taints, from any source. */
	readonly taints: readonly string[];
	readonly because: readonly string[];
	/** The steps of it that programs may tell apart; absent if there are none. */
	readonly reasons?: readonly Reason[] | undefined;
	/** Its repairs, the soonest first; absent if none is known. */
	readonly repairs?: readonly NodeRepair[];
	/** Absent if nothing is short. */
	readonly pressure?: NodePressure;
	/** Whether its release is older than any whose rules are known, so that no times are told. */
	readonly isUntold?: true;
};

/** When a node first gets its NoExecute taint, even briefly: that evicts pods that do not tolerate it, too. */
export function firstTaintOf({noExecute, briefTaintFrom}: NodeForecast): Range | null {
	if (!noExecute || briefTaintFrom === undefined) return noExecute;
	const {earliest, expected, latest} = noExecute;
	return new Range(Math.min(earliest, briefTaintFrom), expected, latest);
}
