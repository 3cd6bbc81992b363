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
export function shadowQuestions(
	cluster: Pick<Cluster, 'now' | 'node' | 'pod'>,
	shadow: Pick<Shadow, 'answered'>,
) {
	/** The last request for each, by UID. */
	const lastAsked = new Map<string, Instant>();
	let open = 0;
	let restsUntil: Instant = beginningOfTime;

	const askFor = async ({kind, namespace = '', name}: ActionObject, askedAt: Instant) => {
		try {
			const found = await (kind === 'Node' ? cluster.node(name) : cluster.pod(namespace, name));
			shadow.answered(found, askedAt);
		} catch (error) {
			// Other errors, such as 403, are reported by the watches.
			if (!hasStatus(error, 429)) return;
			restsUntil = cluster.now() + Math.max(rest, Math.min(error.retryAfter, minute));
		}
	};

	/** Requests some of them; unanswered ones are left to the watches. */
	const ask = (unconfirmed: readonly ActionObject[]) => {
		const now = cluster.now();
		for (const [uid, at] of lastAsked) if (at < now - pause) lastAsked.delete(uid);
		if (now < restsUntil) return;
		const lately = [...lastAsked.values()].filter((at) => at > now - second).length;
		let left = Math.min(mostOpen - open, mostASecond - lately);
		for (const one of unconfirmed) {
			if (left <= 0) return;
			if (lastAsked.has(one.uid)) continue;
			lastAsked.set(one.uid, now);
			open += 1;
			left -= 1;
			void askFor(one, now).finally(() => {
				open -= 1;
			});
		}
	};
	return {ask};
}
