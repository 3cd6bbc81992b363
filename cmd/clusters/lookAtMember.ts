import type {Duration} from '../../src/core/time/instant.ts';
import {summarize} from '../../src/impact/clusterForecast.ts';
import {relatedWanted} from '../../src/impact/withAfter.ts';
import type {Fleet} from '../../src/session/fleet.ts';
import {selectionFor} from '../sources/reading.ts';
import {lookAtCluster} from '../sources/scene.ts';
import type {ChosenContext, FleetOptions} from './chosenContexts.ts';
import {withinLimits} from './limits.ts';
import {askedForOwners, connectMember, heardNow, unreachable} from './member.ts';

/** Reads one cluster once, and tells the fleet of it; whatever is wrong with it is told there, too. */
export async function lookAtMember(
	fleet: Fleet,
	member: ChosenContext,
	options: FleetOptions,
	silence: Duration,
): Promise<void> {
	try {
		const cluster = await connectMember(member);
		fleet.update(member.name, {server: cluster.server});
		try {
			const selection = selectionFor({...options, command: 'clusters'}, undefined);
			const look = lookAtCluster(cluster, options, selection);
			const {forecast} = await withinLimits(cluster, look, silence);
			const wanted = relatedWanted(forecast);
			const related =
				wanted.namespaces.size > 0
					? await withinLimits(cluster, askedForOwners(cluster).related(wanted), silence)
					: undefined;
			const problems = [...forecast.problems, ...(related?.problems ?? [])];
			fleet.update(member.name, {...heardNow(cluster), summary: summarize(forecast, related), problems});
		} finally {
			// A server that says nothing is not waited for once more.
			void cluster.close();
		}
	} catch (error) {
		fleet.update(member.name, unreachable(error));
	}
}
