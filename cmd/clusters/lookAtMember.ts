import type {Cluster} from '../../src/cluster/cluster.ts';
import {distinct} from '../../src/cluster/transport/problem.ts';
import {nothingRelated, type Related} from '../../src/core/model/workloads/related.ts';
import type {Duration} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {summarize} from '../../src/impact/clusterForecast.ts';
import {relatedWanted} from '../../src/impact/withAfter.ts';
import type {Fleet} from '../../src/session/fleet.ts';
import {UserError} from '../../src/text/userError.ts';
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
			const {problems} = forecast;
			fleet.update(member.name, {...heardNow(cluster), summary: summarize(forecast), problems});
			// What is foreseen stands, whatever becomes of its owners.
			const related = await ownersIn(forecast, cluster, silence);
			fleet.update(member.name, {
				summary: summarize(forecast, related),
				problems: distinct([...problems, ...related.problems]),
			});
		} finally {
			// A server that says nothing is not waited for once more.
			void cluster.close();
		}
	} catch (error) {
		fleet.update(member.name, unreachable(error));
	}
}

/** What owns the pods in trouble; a problem, where that cannot be read. */
async function ownersIn(forecast: Forecast, cluster: Cluster, silence: Duration): Promise<Related> {
	const wanted = relatedWanted(forecast);
	if (wanted.namespaces.size === 0) return nothingRelated;
	try {
		return await withinLimits(cluster, askedForOwners(cluster).related(wanted), silence);
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		const message = `what owns the pods in trouble is not known: ${error.message}`;
		return {...nothingRelated, problems: [{reason: 'OwnersUnreadable', message}]};
	}
}
