import {quarantineTime} from '../../../src/core/podgc/garbage.ts';
import type {Instant} from '../../../src/core/time/instant.ts';

/**
 * Names of missing nodes, each held until its quarantine is over.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/workqueue/delaying_queue.go delayingType
 */
export class NodeQuarantine {
	/** When each name's quarantine is over, in ascending order, because all have the same length. */
	readonly #readyAt = new Map<string, Instant>();
	/** The names whose quarantine is over, in that order. */
	readonly #ready = new Set<string>();

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

	#release(now: Instant): void {
		for (const [node, readyAt] of this.#readyAt) {
			if (readyAt > now) return;
			this.#readyAt.delete(node);
			this.#ready.add(node);
		}
	}
}
