import {systemTiming} from '../../src/async/timing.ts';
import {type Environment, systemEnvironment} from '../../src/cluster/access/environment.ts';
import {type Cluster, connect} from '../../src/cluster/cluster.ts';
import {problemOf} from '../../src/cluster/transport/problem.ts';
import type {RelatedQuery} from '../../src/core/model/workloads/related.ts';
import {type Duration, second} from '../../src/core/time/instant.ts';
import type {ClusterForecast} from '../../src/impact/clusterForecast.ts';
import {systemClock} from '../../src/live/clock.ts';
import {UserError} from '../../src/text/userError.ts';
import type {ChosenContext} from './chosenContexts.ts';

/** Nobody logs in to several clusters at once: a plugin that needs longer wants a person. */
const pluginLimit: Duration = 10 * second;

/** The environment of several clusters: none of them may ask the user anything, and what plugins say has no place. */
const quietEnvironment = (): Environment => ({
	...systemEnvironment(),
	isInteractive: false,
	writeError: () => undefined,
	showForeign: () => undefined,
});

/** Reaches one cluster of several. @throws UserError where its configuration cannot be read */
export const connectMember = ({flags}: ChosenContext): Promise<Cluster> =>
	// One clock for everything: what arrived cannot lie in the future of a forecast.
	connect(flags, quietEnvironment(), {
		...systemTiming,
		now: systemClock.now,
		pluginTimeout: () => pluginLimit,
	});

/** A cluster that is asked for no more than a summary needs: how many pods the owners of those in trouble have ready. */
export const askedForOwners = (cluster: Pick<Cluster, 'related' | 'now'>) => ({
	now: cluster.now,
	related: (query: RelatedQuery) => cluster.related({...query, isOfOwners: true}),
});

/** A cluster that was heard just now, and by how much its clock is ahead. */
export const heardNow = (cluster: Pick<Cluster, 'now'>) =>
	({
		status: 'Reachable',
		heardAt: systemClock.now(),
		clockOffset: cluster.now() - systemClock.now(),
	}) as const satisfies Partial<ClusterForecast>;

/** What a failure to read a cluster says of it. @throws the failure, where it is a bug */
export function unreachable(error: unknown) {
	if (!(error instanceof UserError)) throw error;
	return {
		status: 'Unreachable',
		problems: [problemOf('Nodes', error)],
	} as const satisfies Partial<ClusterForecast>;
}
