import type {ConditionStatus, Node} from '../core/model/node.ts';
import type {Instant} from '../core/time/instant.ts';
import type {TextMap} from '../text/textMap.ts';
import type {Reason} from './podForecast.ts';
import type {Range} from './range.ts';

/**
 * Unsure: Ready, but its lease may not be read. Late: one renewal is overdue. Silent: no heartbeat for two renew intervals, not
 * yet Unknown. NotReady, Unknown: the condition is set, the node is not queued. Queued: waits for its NoExecute taint, or until 1.26 for the deletion of its pods
 * without a taint. Held: would be queued, but evictions are stopped. Recovering: heartbeats are back, the next
 * pass that sees it ready removes its NoExecute taint. Evicted: its pods were deleted without a taint (until 1.26).
 */
export type NodeVerdict =
	| 'Healthy'
	| 'Unsure'
	| 'Late'
	| 'Silent'
	| 'NotReady'
	| 'Unknown'
	| 'Queued'
	| 'Held'
	| 'Tainted'
	| 'Evicted'
	| 'Recovering';

/** Whether nothing that can be seen is wrong with a node. */
export const seemsHealthy = ({verdict}: NodeForecast) => verdict === 'Healthy' || verdict === 'Unsure';

/** Whether it seems healthy, and has no NoExecute taint. */
export const isWithoutTrouble = (node: NodeForecast) => seemsHealthy(node) && node.taints.length === 0;

/** Whether nothing is known to be wrong with a node. An overdue renewal may still come. */
export const isWellNode = (node: NodeForecast) => seemsHealthy(node) || node.verdict === 'Late';

/** What a node is short of. Its kubelet then evicts pods by its own rules, whatever the taints. */
export type NodePressure = {
	/** The pressure conditions that are True in the node's status. */
	readonly conditions: readonly string[];
	/** The pod that its kubelet evicts next, if known. */
	readonly next: Readonly<{
		namespace: string;
		name: string;
		when: Range;
		isCertain: boolean;
	}> | null;
};

/** What deletes or replaces an unhealthy node, and when. */
export type NodeRepair = Readonly<{
	/** As shown: `MachineHealthCheck openshift-machine-api/workers`. */
	by: string;
	/** When it begins; pods are lost from then on. Null if it does not come, or its time is unknown. */
	at: Range | null;
	/** Whether it comes if nothing changes: everything that decides it was seen. */
	isSure: boolean;
	/** Whether the node's pods are lost with it. */
	endsPods: boolean;
	/** Whether it is done because the node is unhealthy. */
	isRepair?: true;
	/** Whether the Node goes first, and its pods after it. */
	endsNode?: true;
	/** One sentence: where this is known from, what may prevent the repair, and what it does. */
	why: string;
}>;

/** What happens to one node if nothing else changes, and why. */
export type NodeForecast = Readonly<{
	name: string;
	uid: string;
	labels: TextMap;
	zone: string;
	/** The Node object; absent in forecasts that were not made from one. */
	node?: Node;
	verdict: NodeVerdict;
	/** Status of the Ready condition; absent if neither kubelet nor controller ever wrote one. */
	ready?: ConditionStatus;
	/** When the kubelet last renewed its lease, of renewals that the controllers count; null if no lease can be seen. */
	lastRenewal: Instant | null;
	/** Whether it gave no sign of life for two renew intervals, whatever its condition. */
	isSilent: boolean;
	/** When Ready turns Unknown; null unless it will. */
	unknown: Range | null;
	/** When the NoExecute taint is added, even briefly: that evicts pods that do not tolerate it, too. Null unless it will be. */
	noExecute: Range | null;
	/** When the controller removes its own NoExecute taint; null unless it will, absent if the node has none. */
	cleared?: Range | null;
	/** When its pods are deleted without a taint (until v1.26); absent where nodes are tainted, null unless they will be. */
	eviction?: Range | null;
	/** The probability that it is tainted with the zone's next token; null unless Queued. */
	nextProbability: number | null;
	/** The keys of its NoExecute taints, from any source. */
	taints: readonly string[];
	because: readonly string[];
	/** The steps of it that programs may tell apart; absent if there are none. */
	reasons?: readonly Reason[] | undefined;
	/** Its repairs, the soonest first; absent if none is known. */
	repairs?: readonly NodeRepair[];
	/** Absent if nothing is short. */
	pressure?: NodePressure;
	/** Whether its release is older than any whose rules are known, so that no times are told. */
	isUntold?: true;
}>;
