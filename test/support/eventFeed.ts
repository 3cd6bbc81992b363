import type {RecordedEvent} from '../../src/core/client/clusterApi.ts';
import type {ClusterEvent} from '../../src/core/model/clusterEvent.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {Random} from '../../src/core/time/random.ts';

/**
 * A client's view of the events that simulated controllers post: a repeated event raises the count of the existing one, and
 * some events are lost.
 */
export class EventFeed {
	readonly #random: Random;
	readonly #lost: number;
	readonly #events = new Map<string, ClusterEvent>();
	#fresh: ClusterEvent[] = [];
	#process = 0;

	/** @param lost the share of events that are lost, from 0 to 1 */
	constructor(lost: number, seed: number) {
		this.#lost = lost;
		this.#random = new Random(seed);
	}

	/** All events so far. */
	get all(): readonly ClusterEvent[] {
		return [...this.#events.values()];
	}

	/** The events that are new or were repeated since the last call. */
	takeFresh(): readonly ClusterEvent[] {
		const fresh = this.#fresh;
		this.#fresh = [];
		return fresh;
	}

	/** Starts a new process, which creates events of its own. */
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
