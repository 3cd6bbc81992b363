import {orAborted} from '../../src/async/orAborted.ts';
import {systemTiming} from '../../src/async/timing.ts';
import {readRequestTimeout} from '../../src/cluster/access/connectionOptions.ts';
import {silentEnvironment} from '../../src/cluster/access/environment.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {problemOf} from '../../src/cluster/transport/problem.ts';
import {RequestError} from '../../src/cluster/transport/requestError.ts';
import type {RelatedQuery} from '../../src/core/model/workloads/related.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import type {ClusterForecast} from '../../src/impact/clusterForecast.ts';
import {systemClock} from '../../src/live/clock.ts';
import {UserError} from '../../src/text/userError.ts';
import {reach} from '../sources/reading.ts';
import type {ChosenContext} from './chosenContexts.ts';

/** With several clusters nobody logs in to each: a plugin that takes longer waits for a person. */
const pluginLimit: Duration = 10 * second;

/** Connects to one cluster of several. @throws UserError if its configuration cannot be read */
export const connectMember = ({flags}: ChosenContext): Promise<Cluster> =>
	reach(flags, silentEnvironment(), {...systemTiming, pluginTimeout: () => pluginLimit});

/** A cluster reduced to what a summary needs: the ready counts of the owners of pods in trouble. */
export const askedForOwners = (cluster: Cluster) => ({
	now: cluster.now,
	related: (query: RelatedQuery) => cluster.related({...query, isOfOwners: true}),
});

/** The state of a cluster that has just answered, with its clock offset. */
export const heardNow = (cluster: Cluster) =>
	({
		status: 'Reachable',
		heardAt: systemClock.now(),
		clockOffset: cluster.now() - systemClock.now(),
	}) as const satisfies Partial<ClusterForecast>;

/** The state of a cluster that cannot be read. @throws the error if it is a bug */
export function unreachable(error: unknown) {
	if (!(error instanceof UserError)) throw error;
	return {
		status: 'Unreachable',
		problems: [problemOf('Nodes', error)],
	} as const satisfies Partial<ClusterForecast>;
}

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
	cluster: Pick<Cluster, 'server' | 'silentFor' | 'throttle' | 'isAttended'>,
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
		if (silentLooks >= looks)
			late.reject(cluster.throttle() ?? unanswered(`the server ${host} did not answer within`, silence));
		else if (now - startedAt >= wholeOverSilence * silence)
			late.reject(unanswered(`the server ${host} could not be read within`, wholeOverSilence * silence));
	}, lookEvery);
	try {
		return await orAborted(Promise.race([work, late.promise]), signal);
	} finally {
		clearInterval(timer);
	}
}

const unanswered = (what: string, limit: Duration) =>
	new RequestError(
		`${what} ${limit / second}s`,
		'check the network, VPN and proxy; --request-timeout sets how long to wait',
	);
