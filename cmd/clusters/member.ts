import {systemTiming} from '../../src/async/timing.ts';
import {silentEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import {problemOf} from '../../src/cluster/transport/problem.ts';
import type {RelatedQuery} from '../../src/core/model/workloads/related.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import type {ClusterForecast} from '../../src/impact/clusterForecast.ts';
import {systemClock} from '../../src/live/clock.ts';
import {UserError} from '../../src/text/userError.ts';
import type {ChosenContext} from './chosenContexts.ts';

/** With several clusters nobody logs in to each: a plugin that takes longer waits for a person. */
const pluginLimit: Duration = 10 * second;

/** Connects to one cluster of several. @throws UserError if its configuration cannot be read */
export const connectMember = ({flags}: ChosenContext): Promise<Cluster> =>
	// One clock for everything, so that nothing arrives in a forecast's future.
	connect(flags, silentEnvironment(), {
		...systemTiming,
		now: systemClock.now,
		pluginTimeout: () => pluginLimit,
	});

/** A cluster reduced to what a summary needs: the ready counts of the owners of pods in trouble. */
export const askedForOwners = (cluster: Pick<Cluster, 'related' | 'now'>) => ({
	now: cluster.now,
	related: (query: RelatedQuery) => cluster.related({...query, isOfOwners: true}),
});

/** The state of a cluster that has just answered, with its clock offset. */
export const heardNow = (cluster: Pick<Cluster, 'now'>) =>
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
