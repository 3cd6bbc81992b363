import type {Duration, Instant} from '../time/instant.ts';
import {second} from '../time/instant.ts';

/** How long a node must be missing before the API server is asked whether it is gone. */
export const quarantineTime: Duration = 40 * second;

/**
 * The names of nodes that are missing, each held back until its quarantine is over.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/workqueue/delaying_queue.go delayingType
 */
export class NodeQuarantine {
	/** When each name's quarantine is over. */
	#readyAt = new Map<string, Instant>();

	/**
	 * Puts a name into quarantine; one that is in it already stays no longer for that.
	 *
	 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/workqueue/delaying_queue.go AddAfter
	 */
	add(node: string, now: Instant): void {
		if (!this.#readyAt.has(node)) this.#readyAt.set(node, now + quarantineTime);
	}

	/** Takes the name whose quarantine was over first; undefined where none is over. */
	take(now: Instant): string | undefined {
		let first: readonly [node: string, readyAt: Instant] | undefined;
		for (const entry of this.#readyAt)
			if (entry[1] <= now && entry[1] < (first?.[1] ?? Infinity)) first = entry;
		if (first) this.#readyAt.delete(first[0]);
		return first?.[0];
	}

	/** The names in quarantine, with the instants at which it is over. */
	get readyAt(): ReadonlyMap<string, Instant> {
		return this.#readyAt;
	}

	fork(): NodeQuarantine {
		const copy = new NodeQuarantine();
		copy.#readyAt = new Map(this.#readyAt);
		return copy;
	}
}
