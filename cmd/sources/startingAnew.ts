import {systemTiming} from '../../src/async/timing.ts';
import {AnotherClusterError} from '../../src/cluster/controlplane/clusterIdentity.ts';
import {RequestError} from '../../src/cluster/transport/requestError.ts';
import {second} from '../../src/core/time/instant.ts';
import {formatTimestampSeconds} from '../../src/dates/utc.ts';
import {systemClock} from '../../src/live/clock.ts';
import type {Options} from '../args/options.ts';

/** A cluster that was just built may not answer yet. */
const pause = 2 * second;

/**
 * Follows a cluster, and follows it anew where another one answers at its address: its settings are discovered, and nothing
 * that was seen, learned or scored of the one before counts. What it was started with says so from then on.
 *
 * @throws what following throws, but for that
 */
export async function startingAnew<Result>(
	options: Options,
	signal: AbortSignal,
	follow: (options: Options) => Promise<Result>,
): Promise<Result> {
	let current = options;
	for (let isFirst = true; ; ) {
		try {
			return await follow(current);
		} catch (error) {
			if (error instanceof AnotherClusterError) {
				isFirst = false;
				current = withNote(options, error);
			} else if (isFirst || signal.aborted || !mayPass(error)) throw error;
			else await systemTiming.sleep(pause, signal);
		}
	}
}

/** The problem that says that all which is told is of another cluster than before. */
export const anotherCluster = ({message}: AnotherClusterError) => ({
	reason: 'AnotherCluster',
	message: `${message}; evictwatch started over at ${formatTimestampSeconds(systemClock.now())}`,
});

function withNote(options: Options, error: AnotherClusterError): Options {
	const {controller} = options;
	return {...options, controller: {...controller, notes: [...controller.notes, anotherCluster(error)]}};
}

const mayPass = (error: unknown): boolean =>
	error instanceof RequestError && (error.status === undefined || error.status >= 500);
