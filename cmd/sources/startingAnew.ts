import {systemTiming} from '../../src/async/timing.ts';
import {AnotherClusterError} from '../../src/cluster/controlplane/clusterIdentity.ts';
import {mayPass} from '../../src/cluster/transport/requestError.ts';
import {second} from '../../src/core/time/instant.ts';
import {formatTimestampSeconds} from '../../src/dates/utc.ts';
import {systemClock} from '../../src/live/clock.ts';
import type {Options} from '../args/options.ts';

/** A cluster that was just built may not answer yet. */
const pause = 2 * second;

/**
 * Follows a cluster, and starts again if another cluster answers at its address: settings are discovered anew, and
 * everything seen or scored is dropped. The new start is told why.
 *
 * @throws what following throws, except for that
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

/** The problem that reports the change of cluster. */
export const anotherCluster = ({message}: AnotherClusterError) => ({
	reason: 'AnotherCluster',
	message: `${message}; evictwatch started over at ${formatTimestampSeconds(systemClock.now())}`,
});

function withNote(options: Options, error: AnotherClusterError): Options {
	const {controller} = options;
	return {...options, controller: {...controller, notes: [...controller.notes, anotherCluster(error)]}};
}
