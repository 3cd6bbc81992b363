import {mostBeforeDeletion} from '../../core/model/clusterEvent.ts';
import type {Node} from '../../core/model/node.ts';
import type {Disrupter, Pod} from '../../core/model/pod.ts';
import type {RepairObject} from '../../core/model/repairObject.ts';
import {isNodeLifecycleTaint} from '../../core/model/taint.ts';
import {cloudController, endMarkOf} from '../../core/noderepair/nodeRepair.ts';
import {readinessRuleOf} from '../../core/noderepair/readinessRule.ts';
import {claimedNodes} from '../../core/noderepair/repairers.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {StoreChange} from '../../store/change.ts';

/** Who ended a pod. */
export type Actor = {
	/** What asked for its deletion, or ended it. */
	readonly kind:
		| ('TaintEviction' | 'DeviceTaintEviction' | 'NodeEviction' | 'PodGarbageCollection')
		| ('Scheduler' | 'Kubelet' | 'EvictionAPI');
	/** Who made it do so, as shown: `the cluster autoscaler`; absent if nothing shows. */
	readonly by?: string;
};

const disrupting: Readonly<Record<Disrupter, Actor['kind']>> = {
	PreemptionByScheduler: 'Scheduler',
	TerminationByKubelet: 'Kubelet',
	EvictionByEvictionAPI: 'EvictionAPI',
};

const actor = (kind: Actor['kind'], by?: string): Actor => ({kind, ...(by !== undefined && {by})});

/** Who ended a pod, by what it announces; undefined if that tells nothing: whoever deletes it leaves no trace on it. */
export function actorOf(
	pod: Pick<Pod, 'disruptedBy' | 'evictedAt' | 'deviceEvictedAt' | 'isCollected' | 'isShutDown' | 'nodeName'>,
	node: Node | undefined,
	repair: Iterable<RepairObject>,
	gone: GoneNodes,
): Actor | undefined {
	const {disruptedBy, evictedAt, deviceEvictedAt, isCollected, isShutDown, nodeName} = pod;
	if (isShutDown) return actor('Kubelet', 'the shutdown of its node');
	if (disruptedBy === 'EvictionByEvictionAPI')
		return actor('EvictionAPI', node ? (enderOf(node, repair) ?? drainOf(node)) : gone.byOf(nodeName));
	if (disruptedBy) return actor(disrupting[disruptedBy]);
	if (deviceEvictedAt !== undefined) return actor('DeviceTaintEviction');
	if (evictedAt !== undefined) return actor('TaintEviction', node && tainterOf(node, repair));
	return isCollected ? actor('PodGarbageCollection', gone.byOf(nodeName)) : undefined;
}

/** Who ends a node, by its marks, or by the objects of its machine. */
function enderOf(node: Node, repair: Iterable<RepairObject>): string | undefined {
	const by = endMarkOf(node)?.by;
	if (by) return by;
	const ending = [...repair].flatMap((one) =>
		one.kind === 'NodeClaim' && one.deletionTimestamp !== undefined ? one : [],
	);
	return claimedNodes(ending, [node]).size > 0 ? 'Karpenter' : undefined;
}

const drainOf = ({unschedulable}: Node) => (unschedulable ? 'a drain' : undefined);

/** Whose rule tainted a node, or who wrote its taints, if they are others than its controllers' own. */
function tainterOf(node: Node, repair: Iterable<RepairObject>): string | undefined {
	const [writer] = (node.taintWrites ?? []).toSorted((a, b) => b.time - a.time);
	const taints = noExecuteTaints(node);
	if (taints.some(isNodeLifecycleTaint)) return undefined;
	const rules = [...repair].filter(({kind}) => kind === 'NodeReadinessRule');
	const [rule] = taints.flatMap((taint) => readinessRuleOf(taint, node, rules) ?? []);
	return rule ? `NodeReadinessRule ${rule.name}` : writer?.manager;
}

/** A watch may run for months: so many are kept. */
const mostGone = 1000;

/** By whom the latest Nodes that are gone were deleted, as far as that was announced. */
export class GoneNodes {
	/** Undefined while nothing shows it. */
	readonly #by = new Map<string, string | undefined>();
	/** When a cloud said that it deletes a Node. */
	readonly #said = new Map<string, Instant>();

	/** Who deleted a Node that is gone; undefined if nothing shows. */
	byOf(name: string): string | undefined {
		return this.#said.has(name) ? cloudController : this.#by.get(name);
	}

	/** Takes a change in at an instant. */
	take(change: StoreChange, at: Instant, repair: Iterable<RepairObject>): void {
		if (change.type === 'nodeApplied' && this.#by.has(change.node.name)) this.#forget(change.node.name);
		if (change.type === 'eventApplied' && change.event.reason === 'DeletingNode')
			this.#said.set(change.event.about, change.event.last.at);
		if (change.type !== 'nodeDeleted' || !change.before) return;
		const {name, before} = change;
		// What was said of an older Node of that name, or long before, is not of this deletion.
		if ((this.#said.get(name) ?? at) < Math.max(before.createdAt, at - mostBeforeDeletion))
			this.#said.delete(name);
		this.#by.set(name, enderOf(before, repair));
		const [oldest = name] = this.#by.keys();
		if (this.#by.size > mostGone) this.#forget(oldest);
	}

	#forget(name: string): void {
		this.#by.delete(name);
		this.#said.delete(name);
	}
}
