import {kept} from '../../../core/collections/kept.ts';
import type {Node} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {zoneKey, zoneLabel} from '../../../core/model/zone.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';

/** A node that does not exist though pods are bound to it. */
type MissingNode = Readonly<{
	name: string;
	missing: Interval;
	/** Whether its deletion was seen; otherwise only its absence is known. */
	wasSeen: boolean;
	/** As shown, `eu/b`; empty if the node was never seen. */
	zone: string;
}>;

/** A pod whose node does not exist. */
export type Orphan = {
	readonly node: MissingNode;
	/** The latest instant at which it became an orphan. */
	readonly since: Instant;
};

/** A node's quarantine in the garbage collector may end this long after its return, or after its last pod. */
const longestQuarantine: Duration = 2 * minute;

/** Keeps the nodes that do not exist though pods are bound to them, and since when each of those pods is an orphan. */
export class MissingNodes {
	#nodes = new Map<string, MissingNode>();
	/** By node and uid, the latest instant at which each pod became an orphan. */
	#orphans = new Map<string, Map<string, Instant>>();
	/** By node, in the order in which they were forgotten. */
	#former = new Map<string, {readonly missing: Interval; readonly until: Instant}>();

	/** A pod as an orphan; undefined if its node exists. */
	orphan(pod: Pod): Orphan | undefined {
		const node = this.#nodes.get(pod.nodeName);
		const since = this.#orphans.get(pod.nodeName)?.get(pod.uid);
		return node && since !== undefined ? {node, since} : undefined;
	}

	/** How many nodes are missing, and how many pods are bound to them. */
	get counts(): {readonly nodes: number; readonly pods: number} {
		const pods = [...this.#orphans.values()].reduce((sum, orphans) => sum + orphans.size, 0);
		return {nodes: this.#nodes.size, pods};
	}

	get nodes(): readonly MissingNode[] {
		return [...this.#nodes.values()];
	}

	/** The names of nodes that have certainly been missing since before an instant. */
	missingBefore(at: Instant): readonly string[] {
		return [...this.#nodes].flatMap(([name, {missing}]) => (missing.hi < at ? [name] : []));
	}

	nodeDeleted(node: Node, pods: readonly Pod[], seen: Interval) {
		this.#nodes.set(node.name, {
			name: node.name,
			missing: this.#withFormer(node.name, seen),
			wasSeen: true,
			zone: zoneLabel(zoneKey(node)),
		});
		for (const pod of pods) this.podSeen(pod, seen);
		if (pods.length === 0) this.#forget(node.name, seen.hi);
	}

	/** Takes in a pod whose node does not exist. */
	podSeen({nodeName, uid}: Pod, seen: Interval) {
		if (!this.#nodes.has(nodeName)) {
			const missing = this.#withFormer(nodeName, seen);
			this.#nodes.set(nodeName, {name: nodeName, missing, wasSeen: false, zone: ''});
		}
		kept(
			kept(this.#orphans, nodeName, () => new Map<string, Instant>()),
			uid,
			() => seen.hi,
		);
	}

	/** Takes in that a pod was removed, replaced or bound to another node. */
	podRemoved({nodeName, uid}: Pod, at: Instant) {
		const orphans = this.#orphans.get(nodeName);
		if (orphans?.delete(uid) && orphans.size === 0) this.#forget(nodeName, at);
	}

	nodeApplied(name: string, at: Instant) {
		if (this.#nodes.has(name)) this.#forget(name, at);
	}

	/** Forgets a node, except its quarantine, which continues whatever happens to the node and its pods. */
	#forget(name: string, until: Instant) {
		const missing = this.#nodes.get(name)?.missing;
		this.#nodes.delete(name);
		this.#orphans.delete(name);
		if (!missing) return;
		this.#former.delete(name);
		this.#former.set(name, {missing, until});
	}

	#withFormer(name: string, seen: Interval): Interval {
		for (const [other, {until}] of this.#former) {
			if (until + longestQuarantine >= seen.hi) break;
			this.#former.delete(other);
		}
		const former = this.#former.get(name);
		return former && former.until + longestQuarantine >= seen.lo
			? {lo: former.missing.lo, hi: seen.hi}
			: seen;
	}
}
