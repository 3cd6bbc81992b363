import {type Duration, type Instant, second} from '../time/instant.ts';

/** How long a node must be missing before the API server is asked for it. */
export const quarantineTime: Duration = 40 * second;

/**
 * Names of missing nodes, each held until its quarantine is over.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/workqueue/delaying_queue.go delayingType
 */
export class NodeQuarantine {
	/** When each name's quarantine is over, in ascending order, because all have the same length. */
	#readyAt = new Map<string, Instant>();
	/** The names whose quarantine is over, in that order. */
	#ready = new Set<string>();

	/**
	 * Puts a name into quarantine; a quarantine already running is not extended.
	 *
	 * @quirk a name whose quarantine is over and that waits to be looked at begins the next one
	 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/workqueue/delaying_queue.go AddAfter
	 */
	add(node: string, now: Instant): void {
		this.#release(now);
		if (!this.#readyAt.has(node)) this.#readyAt.set(node, now + quarantineTime);
	}

	/** Takes the name whose quarantine ended first; undefined if none has ended. */
	take(now: Instant): string | undefined {
		this.#release(now);
		for (const node of this.#ready) {
			this.#ready.delete(node);
			return node;
		}
		return undefined;
	}

	get isEmpty(): boolean {
		return this.#readyAt.size === 0 && this.#ready.size === 0;
	}

	fork(): NodeQuarantine {
		const copy = new NodeQuarantine();
		copy.#readyAt = new Map(this.#readyAt);
		copy.#ready = new Set(this.#ready);
		return copy;
	}

	#release(now: Instant): void {
		for (const [node, readyAt] of this.#readyAt) {
			if (readyAt > now) return;
			this.#readyAt.delete(node);
			this.#ready.add(node);
		}
	}
}
