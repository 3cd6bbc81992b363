import type {Node} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {zoneKey, zoneLabel} from '../../../core/model/zone.ts';
import {type Duration, type Instant, minute} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';

/** A node that is not there though pods are bound to it. */
export type MissingNode = {
	/** Since when it is missing, as far as that can be known. */
	readonly missing: Interval;
	/** Whether it was there and its deletion was seen; else nothing is known but its absence. */
	readonly wasSeen: boolean;
	/** As people read it; empty where the node was never seen. */
	readonly zone: string;
};

/** A pod whose node is gone. */
export type Orphan = {
	readonly node: MissingNode;
	/** The latest instant at which it became one. */
	readonly since: Instant;
};

/** How long a quarantine may outlast the return of its node, or the last of its pods. */
const memory: Duration = 2 * minute;

/** A node that was gone, and is so no more or has no pods any more. */
type FormerlyMissing = {readonly missing: Interval; readonly until: Instant};

/** The nodes that pods are bound to and that are not there, followed by what is seen of them. */
export class MissingNodes {
	#nodes = new Map<string, MissingNode>();
	/** Since when at the latest each pod is an orphan, by its node and uid. */
	#orphans = new Map<string, Map<string, Instant>>();
	/** By node, the one that was forgotten first at the beginning. */
	#former = new Map<string, FormerlyMissing>();

	/** A pod's node, if that is gone. */
	orphan(pod: Pod): Orphan | undefined {
		const node = this.#nodes.get(pod.nodeName);
		const since = this.#orphans.get(pod.nodeName)?.get(pod.uid);
		return node && since !== undefined ? {node, since} : undefined;
	}

	/** How many nodes are gone, and how many pods are bound to them. */
	get counts(): {readonly nodes: number; readonly pods: number} {
		const pods = [...this.#orphans.values()].reduce((sum, orphans) => sum + orphans.size, 0);
		return {nodes: this.#nodes.size, pods};
	}

	/** The nodes that are gone. */
	get nodes(): readonly MissingNode[] {
		return [...this.#nodes.values()];
	}

	/** A node that was there was deleted. */
	nodeDeleted(node: Node, pods: readonly Pod[], seen: Interval): void {
		this.#nodes.set(node.name, {
			missing: this.#withFormer(node.name, seen),
			wasSeen: true,
			zone: zoneLabel(zoneKey(node)),
		});
		for (const pod of pods) this.podSeen(pod, seen);
		if (pods.length === 0) this.#forget(node.name, seen.hi);
	}

	/** A pod is bound to a node that is not there. */
	podSeen({nodeName, uid}: Pod, seen: Interval): void {
		if (!this.#nodes.has(nodeName)) {
			const missing = this.#withFormer(nodeName, seen);
			this.#nodes.set(nodeName, {missing, wasSeen: false, zone: ''});
		}
		const orphans = this.#orphans.get(nodeName) ?? new Map<string, Instant>();
		if (!orphans.has(uid)) orphans.set(uid, seen.hi);
		this.#orphans.set(nodeName, orphans);
	}

	/** A pod was removed, replaced or bound to another node. */
	podRemoved({nodeName, uid}: Pod, at: Instant): void {
		const orphans = this.#orphans.get(nodeName);
		if (orphans?.delete(uid) && orphans.size === 0) this.#forget(nodeName, at);
	}

	nodeApplied(name: string, at: Instant): void {
		if (this.#nodes.has(name)) this.#forget(name, at);
	}

	/** A quarantine that was begun once runs on, whatever becomes of its node and pods. */
	#forget(name: string, until: Instant): void {
		const missing = this.#nodes.get(name)?.missing;
		this.#nodes.delete(name);
		this.#orphans.delete(name);
		if (!missing) return;
		this.#former.delete(name);
		this.#former.set(name, {missing, until});
	}

	#withFormer(name: string, seen: Interval): Interval {
		for (const [other, {until}] of this.#former) {
			if (until + memory >= seen.hi) break;
			this.#former.delete(other);
		}
		const former = this.#former.get(name);
		return former && former.until + memory >= seen.lo ? {lo: former.missing.lo, hi: seen.hi} : seen;
	}
}
