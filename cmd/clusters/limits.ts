import {orAborted} from '../../src/async/orAborted.ts';
import {readRequestTimeout} from '../../src/cluster/access/connectionOptions.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {RequestError} from '../../src/cluster/transport/requestError.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';

/** Who watches an outage waits no longer for a server that says nothing. */
const shortestSilence: Duration = 1.2 * second;
/** One that goes on answering may take so many times as long. */
const wholeOverSilence = 10;
/** How often it is looked at, and how often in a row it must be silent: our own work may have kept us from hearing it. */
const [lookEvery, looks]: [Duration, number] = [second / 20, 2];

/** How long a cluster may say nothing until it counts as unreachable: 1.2 s, or what `--request-timeout` says. */
export const silenceLimit = (requestTimeout: string | undefined): Duration =>
	readRequestTimeout(requestTimeout) || shortestSilence;

/**
 * Waits for work with a cluster, but not for one that says nothing, nor for ever. The time in which a credential plugin
 * has the terminal does not count.
 *
 * @throws RequestError where it was silent for too long, or is not done in ten times that; the signal's reason once it is
 *   aborted; else as the work
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
		// A person may need long.
		if (cluster.isAttended()) startedAt += now - lookedAt;
		lookedAt = now;
		// What was silent before was asked nothing then.
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
