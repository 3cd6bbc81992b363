import {orAborted} from '../../src/async/orAborted.ts';
import {readRequestTimeout} from '../../src/cluster/access/connectionOptions.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {RequestError} from '../../src/cluster/transport/requestError.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';

/** In an outage, nobody waits longer for a server that does not answer. */
const shortestSilence: Duration = 1.2 * second;
/** A server that keeps answering may take this many times as long in total. */
const wholeOverSilence = 10;
/** How often silence is checked, and how many silent checks in a row count: our own work may have delayed an answer. */
const [lookEvery, looks]: [Duration, number] = [second / 20, 2];

/** How long a cluster may be silent until it counts as unreachable: 1.2 s, or `--request-timeout`. */
export const silenceLimit = (requestTimeout: string | undefined): Duration =>
	readRequestTimeout(requestTimeout) || shortestSilence;

/**
 * Waits for work with a cluster, but limits its silence and total time. Time in which a credential plugin has the
 * terminal does not count.
 *
 * @throws RequestError if it was silent too long, or took more than ten times that; the signal's reason once aborted;
 *   else the work's error
 */
export async function withinLimits<T>(
	cluster: Pick<Cluster, 'server' | 'silentFor' | 'isAttended'>,
	work: Promise<T>,
	silence: Duration,
	signal?: AbortSignal,
): Promise<T> {
	const late = Promise.withResolvers<never>();
	let startedAt = performance.now();
	let lookedAt = startedAt;
	let silentLooks = 0;
	const timer = setInterval(() => {
		const now = performance.now();
		// A person at a prompt may take long.
		if (cluster.isAttended()) startedAt += now - lookedAt;
		lookedAt = now;
		// Silence before the start does not count, as nothing was asked then.
		const silentFor = Math.min(cluster.silentFor(), now - startedAt);
		silentLooks = silentFor >= silence ? silentLooks + 1 : 0;
		const {host} = new URL(cluster.server);
		if (silentLooks >= looks) late.reject(unanswered(`the server ${host} did not answer within`, silence));
		else if (now - startedAt >= wholeOverSilence * silence)
			late.reject(unanswered(`the server ${host} could not be read within`, wholeOverSilence * silence));
	}, lookEvery);
	try {
		const bounded = Promise.race([work, late.promise]);
		return await orAborted(bounded, signal);
	} finally {
		clearInterval(timer);
	}
}

const unanswered = (what: string, limit: Duration) =>
	new RequestError(
		`${what} ${limit / second}s`,
		'check the network, VPN and proxy; --request-timeout sets how long to wait',
	);
