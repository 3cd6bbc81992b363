import {Backoff} from '../../src/async/backoff.ts';
import {orAborted} from '../../src/async/orAborted.ts';
import {systemTiming} from '../../src/async/timing.ts';
import type {Cluster} from '../../src/cluster/cluster.ts';
import {AnotherClusterError} from '../../src/cluster/controlplane/clusterIdentity.ts';
import {RequestError} from '../../src/cluster/transport/requestError.ts';
import {isHeard, type ObservationSink, type SinkEntry} from '../../src/core/model/observation.ts';
import type {Problem} from '../../src/core/model/problem.ts';
import {type Duration, minute} from '../../src/core/time/instant.ts';
import type {Forecast} from '../../src/forecast/forecast.ts';
import {type ForecastSummary, summarize} from '../../src/impact/clusterForecast.ts';
import {clockShowing} from '../../src/live/clock.ts';
import {ClusterSource} from '../../src/session/clusterSource.ts';
import {type Fleet, isDisconnection} from '../../src/session/fleet.ts';
import {type Display, Session} from '../../src/session/session.ts';
import {learningOf} from '../sources/learningOf.ts';
import {selectionFor} from '../sources/reading.ts';
import {RelatedReader} from '../sources/relatedReader.ts';
import {anotherCluster} from '../sources/startingAnew.ts';
import type {ChosenContext, FleetOptions} from './chosenContexts.ts';
import {withinLimits} from './limits.ts';
import {askedForOwners, connectMember, heardNow, unreachable} from './member.ts';

type FollowLimits = {
	/** After this time without an answer, the cluster counts as unreachable. */
	readonly silence: Duration;
	readonly share: number;
};

/**
 * Follows one cluster of several until the signal, and reports to the fleet. Retries a cluster that cannot be read;
 * once a minute if credentials are missing, as that may open a browser.
 */
export async function followMember(
	fleet: Fleet,
	member: ChosenContext,
	options: FleetOptions,
	limits: FollowLimits,
	signal: AbortSignal,
): Promise<void> {
	const {name} = member;
	const backoff = new Backoff(Math.random);
	for (let notes: readonly Problem[] = options.controller.notes; !signal.aborted; ) {
		try {
			const cluster = await connected(member, signal);
			fleet.update(name, {server: cluster.server});
			try {
				await followUntil(cluster, new SummaryDisplay(fleet, name, cluster, notes), options, limits, signal);
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
	display: SummaryDisplay,
	options: FleetOptions,
	{silence, share}: FollowLimits,
	signal: AbortSignal,
): Promise<void> {
	const {version, known} = await withinLimits(
		cluster,
		learningOf(cluster, options.controller),
		silence,
		signal,
	);
	const selection = {
		...selectionFor({...options, command: 'clusters'}, known.forecaster),
		kubernetesVersion: version,
	};
	const session = new Session({...known, taps: [display], display, share});
	const source = new ClusterSource(cluster, selection, cluster.namespace);
	await session.run(source, clockShowing(cluster.now), signal);
}

/** Sums up the forecasts of one cluster for the fleet, and notes whether it answers. */
class SummaryDisplay implements Display, ObservationSink {
	readonly #fleet: Fleet;
	readonly #name: string;
	readonly #cluster: Cluster;
	readonly #notes: readonly Problem[];
	readonly #related: RelatedReader;
	#problems: readonly Problem[] = [];
	#last: {readonly of: Forecast; readonly related: unknown; readonly summary: ForecastSummary} | undefined;

	constructor(fleet: Fleet, name: string, cluster: Cluster, notes: readonly Problem[]) {
		this.#fleet = fleet;
		this.#name = name;
		this.#cluster = cluster;
		this.#notes = notes;
		this.#related = new RelatedReader(askedForOwners(cluster));
	}

	push(entry: SinkEntry): void {
		if (entry.type === 'problems') {
			this.#problems = entry.problems;
			if (this.#isCut) this.#fleet.update(this.#name, {status: 'Unreachable', problems: entry.problems});
		} else if (isHeard(entry) && !this.#isCut) this.#fleet.update(this.#name, heardNow(this.#cluster));
	}

	publish(forecast: Forecast): void {
		const related = this.#related.of(forecast);
		const known = this.#last;
		const isSame = known?.of === forecast && known.related === related;
		const summary = isSame ? known.summary : summarize(forecast, related);
		this.#last = {of: forecast, related, summary};
		const problems = [...this.#notes, ...forecast.problems, ...this.#problems, ...related.problems];
		this.#fleet.update(this.#name, {summary, problems});
	}

	get #isCut(): boolean {
		return this.#problems.some(isDisconnection);
	}
}
