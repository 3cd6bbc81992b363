import type {RecordedEvent} from '../../src/core/client/clusterApi.ts';
import type {ClusterEvent} from '../../src/core/model/clusterEvent.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';

/**
 * What a client sees of the events that simulated controllers post: one that comes again raises the count of the one
 * that is there, and some get lost.
 */
export class EventFeed {
	readonly #random: Random;
	readonly #lost: number;
	readonly #events = new Map<string, ClusterEvent>();
	#fresh: ClusterEvent[] = [];
	#process = 0;

	/** @param lost how many of the events get lost: none for 0, all for 1 */
	constructor(lost: number, seed: number) {
		this.#lost = lost;
		this.#random = new Random(seed);
	}

	/** All that there are. */
	get all(): readonly ClusterEvent[] {
		return [...this.#events.values()];
	}

	/** Those that are new or came again since the last call. */
	takeFresh(): readonly ClusterEvent[] {
		const fresh = this.#fresh;
		this.#fresh = [];
		return fresh;
	}

	/** A new process makes events of its own. */
	startAnew(): void {
		this.#process += 1;
	}

	readonly post = ({reason, about, recordedAt}: RecordedEvent, heartbeatAt: Instant): void => {
		const isOfItsPod = reason === 'NodeNotReady' && about.includes('/');
		if (reason === 'RemovingNode' || isOfItsPod || this.#random.next() < this.#lost) return;
		const name = `${about.replace('/', '.')}.${reason}.${this.#process}`;
		const time = {at: recordedAt, precision: 0};
		const before = this.#events.get(name);
		const event: ClusterEvent = before
			? {...before, last: {at: Math.floor(recordedAt / 1000) * 1000, precision: 1000}}
			: {
					...{namespace: 'default', name, reason, about, first: time, last: time},
					createdAt: Math.floor(heartbeatAt / 1000) * 1000,
				};
		this.#events.set(name, event);
		this.#fresh.push(event);
	};
}
