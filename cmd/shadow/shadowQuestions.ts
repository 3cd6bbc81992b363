import type {Cluster} from '../../src/cluster/cluster.ts';
import {hasStatus} from '../../src/cluster/transport/requestError.ts';
import {beginningOfTime, type Duration, type Instant, minute, second} from '../../src/core/time/instant.ts';
import type {ActionObject} from '../../src/forecast/ledger/controllerAction.ts';
import type {Shadow} from '../../src/shadow/shadow.ts';

/** Open requests at a time: of thousands of missing pods, the rest is left to the watch. */
const mostOpen = 10;
/** Requests per second, however fast the answers come. */
const mostASecond = 10;
/** The shortest time between two requests for the same object. */
const pause = 10 * second;
/** The shortest pause after the API server answers 429; it may ask for up to a minute. */
const rest: Duration = 10 * second;

/** Asks the API server, one by one, for objects that the watches have not confirmed. */
export class ShadowQuestions {
	readonly #cluster: Pick<Cluster, 'now' | 'node' | 'pod'>;
	readonly #shadow: Pick<Shadow, 'answered'>;
	/** The last request for each, by UID. */
	readonly #askedAt = new Map<string, Instant>();
	#open = 0;
	#restsUntil: Instant = beginningOfTime;

	constructor(cluster: Pick<Cluster, 'now' | 'node' | 'pod'>, shadow: Pick<Shadow, 'answered'>) {
		this.#cluster = cluster;
		this.#shadow = shadow;
	}

	/** Requests some of them; unanswered ones are left to the watches. */
	ask(unconfirmed: readonly ActionObject[]): void {
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

	async #askFor(one: ActionObject, askedAt: Instant): Promise<void> {
		try {
			const {namespace = '', name} = one;
			if (one.kind === 'Node') this.#shadow.answered(await this.#cluster.node(name), askedAt);
			else this.#shadow.answered(await this.#cluster.pod(namespace, name), askedAt);
		} catch (error) {
			// Other errors, such as 403, are reported by the watches.
			if (!hasStatus(error, 429)) return;
			this.#restsUntil = this.#cluster.now() + Math.max(rest, Math.min(error.retryAfter, minute));
		}
	}
}
