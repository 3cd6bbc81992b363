import type {Cluster} from '../../src/cluster/cluster.ts';
import {hasStatus} from '../../src/cluster/transport/requestError.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../src/core/time/instant.ts';
import type {UnconfirmedObject} from '../../src/shadow/compare/divergence.ts';
import type {Shadow} from '../../src/shadow/shadow.ts';

/** How many questions are open at a time: of thousands of pods that are missing, the rest waits for its watch. */
const mostOpen = 10;
/** How many are asked in a second, however fast they are answered. */
const mostASecond = 10;
/** How long an object is left alone that was asked for. */
const pause = 10 * second;
/** How long an API server is left alone that said that it is too busy: at the least, and what it asks for, up to a minute. */
const rest: Duration = 10 * second;

/** Asks the API server for objects of which the shadow has not heard for a while, one by one. */
export class ShadowQuestions {
	readonly #cluster: Pick<Cluster, 'now' | 'node' | 'pod'>;
	readonly #shadow: Pick<Shadow, 'answered'>;
	/** When each was asked for last, by UID. */
	readonly #askedAt = new Map<string, Instant>();
	#open = 0;
	#restsUntil: Instant = beginningOfTime;

	constructor(cluster: Pick<Cluster, 'now' | 'node' | 'pod'>, shadow: Pick<Shadow, 'answered'>) {
		this.#cluster = cluster;
		this.#shadow = shadow;
	}

	/** Asks for some of them; what is not answered is left to the watches. */
	ask(unconfirmed: readonly UnconfirmedObject[]): void {
		const now = this.#cluster.now();
		for (const [uid, at] of this.#askedAt) if (at < now - pause) this.#askedAt.delete(uid);
		if (now < this.#restsUntil) return;
		const lately = [...this.#askedAt.values()].filter((at) => at > now - second).length;
		let left = Math.min(mostOpen - this.#open, mostASecond - lately);
		for (const one of unconfirmed) {
			if (left <= 0) return;
			if (this.#askedAt.has(one.uid)) continue;
			this.#askedAt.set(one.uid, now);
			this.#open += 1;
			left -= 1;
			void this.#askFor(one, now).finally(() => {
				this.#open -= 1;
			});
		}
	}

	async #askFor(one: UnconfirmedObject, askedAt: Instant): Promise<void> {
		try {
			const {namespace, name} = one;
			if (one.kind === 'Node') this.#shadow.answered(await this.#cluster.node(name), askedAt);
			else this.#shadow.answered(await this.#cluster.pod(namespace, name), askedAt);
		} catch (error) {
			// It may not be read, or nobody answers: problems of that kind are told by the watches.
			if (!hasStatus(error, 429)) return;
			this.#restsUntil = this.#cluster.now() + Math.max(rest, Math.min(error.retryAfter, minute));
		}
	}
}
