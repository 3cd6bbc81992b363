import {kept} from '../../core/collections/kept.ts';
import {mostBeforeDeletion} from '../../core/model/clusterEvent.ts';
import type {Node} from '../../core/model/node.ts';
import type {Disrupter, Pod} from '../../core/model/pod.ts';
import type {NodeReadinessRule, RepairObject} from '../../core/model/repairObject.ts';
import {isNodeLifecycleTaint} from '../../core/model/taint.ts';
import {toleratesTaint} from '../../core/model/toleration.ts';
import {cloudController, endMarkOf} from '../../core/noderepair/nodeRepair.ts';
import {readinessRuleOf} from '../../core/noderepair/readinessRule.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {StoreChange} from '../../store/change.ts';

/** Who ended a pod. */
export type Actor = {
	/** What asked for its deletion, or ended it. */
	readonly kind:
		| ('TaintEviction' | 'DeviceTaintEviction' | 'NodeEviction' | 'PodGarbageCollection')
		| ('Scheduler' | 'Kubelet' | 'EvictionAPI' | 'Owner' | 'DeleteRequest');
	/** Who made it do so, as shown: `the cluster autoscaler`, or the owner; absent if nothing shows. */
	readonly by?: string;
};

const disrupting: Readonly<Record<Disrupter, Actor['kind']>> = {
	PreemptionByScheduler: 'Scheduler',
	TerminationByKubelet: 'Kubelet',
	EvictionByEvictionAPI: 'EvictionAPI',
};

const actor = (kind: Actor['kind'], by?: string): Actor => ({kind, ...(by !== undefined && {by})});

/** The owner of a pod, which said that it deleted the pod. */
export const ownerOf = ({owner}: Pod): Actor | undefined =>
	owner && actor('Owner', `${owner.kind} ${owner.name}`);

/** Whose pods are made anew only where somebody else deleted one: the others replace pods themselves. */
const replacing: readonly (string | undefined)[] = ['ReplicaSet', 'ReplicationController', 'Job'];

/**
 * Who deleted a pod that no controller announced: all of Kubernetes' own announce it since the condition exists, but for the pod's
 * owner and the garbage collector, if the owner is deleted. Undefined if it may have been one of these.
 *
 * @param isReplaced whether its owner created another pod since
 */
export const requesterOf = ({owner, isMirror}: Pod, isReplaced: boolean): Actor | undefined =>
	!isMirror && (owner ? isReplaced && replacing.includes(owner.kind) : true)
		? actor('DeleteRequest')
		: undefined;

const drainOf = ({unschedulable}: Node) => (unschedulable ? 'a drain' : undefined);

/** A watch may run for months: so many are kept. */
const mostGone = 1000;

/** Who ended each pod, by what it announces, by the marks of its node, and by the objects that others keep of nodes. */
export class Actors {
	/** The names of NodeClaims that are being deleted, by what finds their Node: its provider ID, or its name. */
	readonly #ending = new Map<string, Set<string>>();
	readonly #rules = new Map<string, NodeReadinessRule>();
	/** By whom the latest Nodes that are gone were deleted; undefined while nothing shows it. */
	readonly #by = new Map<string, string | undefined>();
	/** When a cloud said that it deletes a Node. */
	readonly #said = new Map<string, Instant>();

	/** @param known what is known at the start */
	constructor(known: Iterable<RepairObject>) {
		for (const object of known) this.#keep(object, true);
	}

	/** Who ended a pod; undefined if that tells nothing: whoever deletes it leaves no trace on it. */
	of(pod: Pod, node: Node | undefined): Actor | undefined {
		const {disruptedBy, evictedAt, deviceEvictedAt, isCollected, isShutDown, nodeName} = pod;
		if (isShutDown) return actor('Kubelet', 'the shutdown of its node');
		if (disruptedBy === 'EvictionByEvictionAPI')
			return actor('EvictionAPI', node ? (this.#enderOf(node) ?? drainOf(node)) : this.#deleterOf(nodeName));
		if (disruptedBy) return actor(disrupting[disruptedBy]);
		if (deviceEvictedAt !== undefined) return actor('DeviceTaintEviction');
		if (evictedAt !== undefined) return actor('TaintEviction', node && this.#tainterOf(node, pod));
		return isCollected ? actor('PodGarbageCollection', this.#deleterOf(nodeName)) : undefined;
	}

	/** Takes a change in at an instant. */
	take(change: StoreChange, at: Instant) {
		if (change.type === 'repairApplied' || change.type === 'repairDeleted') {
			if (change.before) this.#keep(change.before, false);
			if (change.type === 'repairApplied') this.#keep(change.object, true);
		}
		if (change.type === 'nodeApplied' && this.#by.has(change.node.name)) this.#forget(change.node.name);
		if (change.type === 'eventApplied' && change.event.reason === 'DeletingNode')
			this.#said.set(change.event.about, change.event.last.at);
		if (change.type !== 'nodeDeleted' || !change.before) return;
		const {name, before} = change;
		// What was said of an older Node of that name, or long before, is not of this deletion.
		if ((this.#said.get(name) ?? at) < Math.max(before.createdAt, at - mostBeforeDeletion))
			this.#said.delete(name);
		this.#by.set(name, this.#enderOf(before));
		const [oldest = name] = this.#by.keys();
		if (this.#by.size > mostGone) this.#forget(oldest);
	}

	/** Adds an object that tells of the ends or taints of nodes, or removes it. */
	#keep(object: RepairObject, isThere: boolean) {
		const {kind, name} = object;
		if (kind === 'NodeReadinessRule') {
			if (isThere) this.#rules.set(name, object);
			else this.#rules.delete(name);
		} else if (kind === 'NodeClaim' && object.deletionTimestamp !== undefined) {
			const machine = object.providerId || object.nodeName;
			// It never had one.
			if (machine === '') return;
			const names = kept(this.#ending, machine, () => new Set());
			if (isThere) names.add(name);
			else names.delete(name);
		}
	}

	/** Who deleted a Node that is gone; undefined if nothing shows. */
	#deleterOf(name: string): string | undefined {
		return this.#said.has(name) ? cloudController : this.#by.get(name);
	}

	/** Who ends a node, by its marks, or by the objects of its machine. */
	#enderOf(node: Node): string | undefined {
		const isClaimEnding = [node.name, node.providerId ?? ''].some((key) => this.#ending.get(key)?.size);
		return endMarkOf(node)?.by ?? (isClaimEnding ? 'Karpenter' : undefined);
	}

	/** Whose rule tainted a node, or who wrote its taints, if a pod goes for others than its controllers' own. */
	#tainterOf(node: Node, {tolerations}: Pod): string | undefined {
		const [writer] = (node.taintWrites ?? []).toSorted((a, b) => b.time - a.time);
		const taints = noExecuteTaints(node);
		// What a pod does not tolerate at all ends it at once, whatever runs for the others.
		const atOnce = taints.filter((taint) => !tolerations.some((one) => toleratesTaint(one, taint, true)));
		const ending = atOnce.length > 0 ? atOnce : taints;
		if (ending.some(isNodeLifecycleTaint)) return undefined;
		const [rule] = ending.flatMap((taint) => readinessRuleOf(taint, node, this.#rules.values()) ?? []);
		return rule ? `NodeReadinessRule ${rule.name}` : writer?.manager;
	}

	#forget(name: string) {
		this.#by.delete(name);
		this.#said.delete(name);
	}
}
