import {untilFirstEnds} from '../../src/async/taskGroup.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {distinct} from '../../src/cluster/transport/problem.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {hidesEvictions} from '../../src/core/model/problem.ts';
import {nothingRelated, type Related} from '../../src/core/model/workloads/related.ts';
import type {Duration} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {PredictionLedger} from '../../src/forecast/ledger/predictionLedger.ts';
import {type ClusterForecast, summarize} from '../../src/impact/clusterForecast.ts';
import {relatedWanted} from '../../src/impact/withAfter.ts';
import {systemClock} from '../../src/live/clock.ts';
import {clusters as clusterKind} from '../../src/print/tables/clusterKind.ts';
import {Fleet, type FleetView} from '../../src/session/fleet.ts';
import {ClusterStore} from '../../src/store/clusterStore.ts';
import {UserError} from '../../src/text/userError.ts';
import type {Options} from '../args/options.ts';
import {listFollower} from '../lists/follow.ts';
import type {Listing} from '../lists/listings.ts';
import {show} from '../lists/show.ts';
import {Interruption} from '../output/interruption.ts';
import type {Terminal} from '../output/terminal.ts';
import {selectionFor} from '../sources/reading.ts';
import {lookAtCluster} from '../sources/scene.ts';
import {type ChosenContext, chosenContexts} from './chosenContexts.ts';
import {type FollowedFleet, followFleet} from './followedFleet.ts';
import {askedForOwners, connectMember, heardNow, silenceLimit, unreachable, withinLimits} from './member.ts';

/** The shortest interval at which a session shows changes. */
const pause: Duration = 250;

export async function clusters(options: Options, terminal: Terminal) {
	// Installed first, as what follows takes time.
	const interruption = options.watch ? new Interruption() : undefined;
	const members = await chosenContexts(options);
	const silence = silenceLimit(options.flags.requestTimeout);
	if (!interruption) {
		const fleet = new Fleet(members.map(nameOf));
		await Promise.all(members.map((member) => lookAtMember(fleet, member, options, silence)));
		const now = systemClock.now();
		const forecast = fleet.view(now);
		const code = await show(clusterListing, {forecast, now, namespace: undefined, options, terminal});
		return forecast.clusters.every(isUnknown) ? 1 : code;
	}
	const fleet = followFleet(members, options);
	await untilFirstEnds(
		interruption.signal,
		() => fleet.ended(),
		(end) => printUntil(end, fleet, options, terminal, silence).finally(() => fleet.end()),
	);
	interruption.passOn();
	return 0;
}

/** Prints all rows once every cluster has answered or is late, then the changes. */
async function printUntil(
	signal: AbortSignal,
	fleet: FollowedFleet,
	options: Options,
	terminal: Terminal,
	silence: Duration,
) {
	const follower = listFollower(clusterListing, {}, options, terminal);
	const {score} = new PredictionLedger(new ClusterStore());
	const firstBy = systemClock.now() + silence + pause;
	while (!signal.aborted) {
		const now = systemClock.now();
		if (fleet.isSettled() || now >= firstBy) await follower.publish(fleet.view(), now, score);
		await systemClock.sleepUntil(now + pause, signal);
	}
}

const clusterListing: Listing<ClusterForecast, FleetView> = {
	kind: clusterKind,
	plural: 'clusters',
	itemsOf: (view) => view.clusters,
	verdictOf: ({status}) => status,
	verdicts: ['Connecting', 'Reachable', 'Unreachable'],
	isHiddenBy: () => false,
	exitCodeOf: (items) => {
		if (items.some(({summary}) => (summary?.evictions?.all ?? 0) > 0)) return 2;
		return items.every(isSure) ? 0 : 1;
	},
};

/** Whether nothing is known of a cluster: it does not answer, or neither nodes nor pods may be read. */
const isUnknown = ({status, summary}: ClusterForecast) =>
	status === 'Unreachable' || (summary?.nodes === null && summary.evictions === null);

const isSure = ({status, summary, problems}: ClusterForecast) =>
	status === 'Reachable' && summary?.unsure === 0 && !problems.some(hidesEvictions);

/** Reads one cluster once and adds the result, or the error, to the fleet. */
async function lookAtMember(fleet: Fleet, member: ChosenContext, options: Options, silence: Duration) {
	try {
		const cluster = await connectMember(member);
		fleet.update(member.name, {server: cluster.server});
		try {
			const look = lookAtCluster(cluster, options, selectionFor({...options, command: 'clusters'}));
			const {forecast} = await withinLimits(cluster, look, silence);
			const {problems} = forecast;
			fleet.update(member.name, {...heardNow(cluster), summary: summarize(forecast), problems});
			// The forecast stands even if the owners cannot be read.
			const related = await ownersIn(forecast, cluster, silence);
			fleet.update(member.name, {
				summary: summarize(forecast, related),
				problems: distinct([...problems, ...related.problems]),
			});
		} finally {
			// Does not wait once more for a server that does not answer.
			void cluster.close();
		}
	} catch (error) {
		fleet.update(member.name, unreachable(error));
	}
}

/** The owners of the pods in trouble, or a problem if they cannot be read. */
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
