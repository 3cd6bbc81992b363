import {Backoff} from '../../src/async/backoff.ts';
import {orAborted} from '../../src/async/orAborted.ts';
import {TaskGroup} from '../../src/async/taskGroup.ts';
import {systemTiming} from '../../src/async/timing.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {AnotherClusterError} from '../../src/cluster/controlplane/clusterIdentity.ts';
import {RequestError} from '../../src/cluster/transport/requestError.ts';
import {latest} from '../../src/core/collections/latest.ts';
import {nameOf} from '../../src/core/model/objectName.ts';
import {isHeard, type ObservationSink} from '../../src/core/model/observation.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import type {Related} from '../../src/core/model/workloads/related.ts';
import {minute} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {summarize} from '../../src/impact/clusterForecast.ts';
import {clockShowing, systemClock} from '../../src/live/clock.ts';
import {clusterSource} from '../../src/session/clusterSource.ts';
import {Fleet, isDisconnection} from '../../src/session/fleet.ts';
import {type Display, sessionOn} from '../../src/session/session.ts';
import type {Options} from '../args/options.ts';
import {watchedSelection} from '../sources/reading.ts';
import {relatedReader} from '../sources/relatedReader.ts';
import {learningOf} from '../sources/settingsInForce.ts';
import {anotherCluster} from '../sources/startingAnew.ts';
import type {ChosenContext} from './chosenContexts.ts';
import {askedForOwners, connectMember, heardNow, silenceLimit, unreachable, withinLimits} from './member.ts';

/** Forecasts of all clusters together take at most half of the time. */
const shareOfAll = 0.5;

export type FollowedFleet = ReturnType<typeof followFleet>;

/** Follows several clusters, until they are left one by one, or all end. */
export function followFleet(members: readonly ChosenContext[], options: Options) {
	const fleet = new Fleet(members.map(nameOf));
	const tasks = new TaskGroup();
	const followed = new Map<string, {readonly member: ChosenContext; readonly end: AbortController}>();
	const share = shareOfAll / members.length;

	const follow = (member: ChosenContext) => {
		const end = new AbortController();
		followed.set(member.name, {member, end});
		tasks.add(followMember(fleet, member, options, share, AbortSignal.any([end.signal, tasks.signal])));
	};

	for (const member of members) follow(member);
	return {
		/** Whether each has answered or was given up. */
		isSettled: () => fleet.isSettled,
		view: () => fleet.view(systemClock.now()),
		/** Stops following one, as another part follows it. */
		leaveTo: (name: string) => followed.get(name)?.end.abort(),
		/** Follows one again that another part has released; its last forecast is old. */
		takeBack(name: string) {
			const left = followed.get(name);
			if (!left?.end.signal.aborted) return;
			fleet.update(name, {status: 'Connecting', summary: undefined, problems: []});
			follow(left.member);
		},
		/** Stops following all of them. @throws errors of the followers that are bugs */
		async end() {
			tasks.end();
			await tasks.ended();
		},
		/** Settles once none is followed. @throws as `end` */
		ended: () => tasks.ended(),
	};
}

/**
 * Follows one cluster of several until the signal, and reports to the fleet. Retries a cluster that cannot be read;
 * once a minute if credentials are missing, as that may open a browser.
 */
async function followMember(
	fleet: Fleet,
	member: ChosenContext,
	options: Options,
	share: number,
	signal: AbortSignal,
) {
	const {name} = member;
	const backoff = new Backoff(Math.random);
	for (let notes: readonly Problem[] = options.controller.notes; !signal.aborted; ) {
		try {
			const cluster = await connected(member, signal);
			fleet.update(name, {server: cluster.server});
			try {
				await followUntil(cluster, summaryDisplay(fleet, name, cluster, notes), options, share, signal);
			} finally {
				void cluster.close();
			}
		} catch (error) {
			if (error === signal.reason) return;
			if (error instanceof AnotherClusterError) {
				notes = [...options.controller.notes, anotherCluster(error)];
				fleet.update(name, {summary: undefined, status: 'Connecting'});
				continue;
			}
			fleet.update(name, unreachable(error));
			await systemTiming.sleep(backoff.next(error instanceof RequestError ? 0 : minute), signal);
		}
	}
}

/** Connects to a cluster. An abort does not wait for the connection. */
async function connected(member: ChosenContext, signal: AbortSignal): Promise<Cluster> {
	const connecting = connectMember(member);
	return orAborted(connecting, signal).catch((error: unknown) => {
		connecting.then((late) => late.close()).catch(() => undefined);
		throw error;
	});
}

async function followUntil(
	cluster: Cluster,
	display: Display & ObservationSink,
	options: Options,
	share: number,
	signal: AbortSignal,
) {
	const silence = silenceLimit(options.flags.requestTimeout);
	const known = await withinLimits(cluster, learningOf(cluster, options.controller), silence, signal);
	const selection = watchedSelection({...options, command: 'clusters'}, known);
	const session = sessionOn({...known, taps: [display], display, share});
	await session.run(clusterSource(cluster, selection, cluster), clockShowing(cluster.now), signal);
}

/** Sums up the forecasts of one cluster for the fleet, and notes whether it answers. */
function summaryDisplay(
	fleet: Fleet,
	name: string,
	cluster: Cluster,
	notes: readonly Problem[],
): Display & ObservationSink {
	const reader = relatedReader(askedForOwners(cluster));
	let problems: readonly Problem[] = [];
	// Without the problems, what may not be read would count as nothing.
	const summaryOf = latest((forecast: Forecast, related: Related, ...all: readonly Problem[]) =>
		summarize({...forecast, problems: all}, related),
	);
	return {
		push: (entry) => {
			if (entry.type === 'problems') problems = entry.problems;
			const isCut = problems.some(isDisconnection);
			if (entry.type === 'problems' && isCut) fleet.update(name, {status: 'Unreachable', problems});
			else if (entry.type !== 'problems' && isHeard(entry) && !isCut) fleet.update(name, heardNow(cluster));
		},
		publish: (forecast) => {
			const related = reader.of(forecast);
			const all = [...notes, ...forecast.problems, ...problems, ...related.problems];
			fleet.update(name, {summary: summaryOf(forecast, related, ...all), problems: all});
		},
	};
}
