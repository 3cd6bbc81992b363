import {hidesNodes, type Problem} from '../core/model/problem.ts';
import {nothingRelated, type Related} from '../core/model/workloads/related.ts';
import type {WorkloadName} from '../core/model/workloads/workload.ts';
import type {Duration, Instant} from '../core/time/instant.ts';
import {EvictionCounts, soon} from '../forecast/evictionCounts.ts';
import {type Forecast, isBlind} from '../forecast/forecast.ts';
import {endOfEvictions, livingOf, pendingOf, startOfEvictions} from '../forecast/pending.ts';
import type {Range} from '../forecast/range.ts';
import type {ZoneForecast} from '../forecast/zoneForecast.ts';
import {workloadImpacts} from './workloadImpact.ts';

/** The key numbers of a forecast. Instants are by the clock of the cluster's API server. */
export type ForecastSummary = Readonly<{
	observedAt: Instant;
	kubernetesVersion: string | undefined;
	/** Null if nodes may not be read. `silent`: without a heartbeat and not yet Unknown. */
	nodes: ({readonly all: number; readonly ready: number} & Pick<ZoneForecast, 'silent' | 'late'>) | null;
	/** `stopped`: the names of the zones in which something prevents taints. */
	zones: {readonly all: number; readonly stopped: readonly string[]};
	/** Null if pods cannot be read. */
	evictions: Readonly<{
		/** Pods that will be evicted if nothing changes. */
		all: number;
		/** How many of them are to be expected within five minutes, including overdue ones: the mean of all cases. */
		within5Minutes: number;
		/** Of the first and of the last pod to be evicted; null if there is none. */
		first: Range | null;
		last: Range | null;
	}> | null;
	/** Pods that cannot be observed well enough. */
	unsure: number;
	/** Null if pods cannot be read. */
	workloads: {
		readonly toZero: readonly WorkloadToZero[];
		/** Affected workloads for which this is not known. */
		readonly unknown: number;
	} | null;
}>;

/** A workload that will have no ready pod if nothing changes. */
type WorkloadToZero = WorkloadName & {
	readonly namespace: string;
	/** Null if it has none already. */
	readonly at: Range | null;
};

/** One of several clusters. Connecting: no answer yet. Unreachable: it does not answer; the last known data is kept. */
export type ClusterForecast = Readonly<{
	/** The name of its context. */
	name: string;
	/** The address of its API server; undefined until its configuration is read. */
	server: string | undefined;
	status: 'Connecting' | 'Reachable' | 'Unreachable';
	/** When it last answered, by the local clock; undefined if never. */
	heardAt: Instant | undefined;
	/** How far the clock of its API server is ahead of the local one. */
	clockOffset: Duration;
	/** Undefined until something of it was read. */
	summary: ForecastSummary | undefined;
	/** What cannot be observed of it, and why. */
	problems: readonly Problem[];
}>;

/** Summarizes a forecast. @param related the pods' owners; without them only bare pods are known to reach zero */
export function summarize(all: Forecast, related: Related = nothingRelated): ForecastSummary {
	const forecast = {...all, pods: livingOf(all.pods)};
	const {observedAt, kubernetesVersion, nodes, zones, pods, problems} = forecast;
	const pending = pendingOf(pods);
	const isUnseen = isBlind(forecast);
	const impacts = workloadImpacts(all, related);
	return {
		observedAt,
		kubernetesVersion,
		nodes: problems.some(hidesNodes)
			? null
			: {
					all: nodes.length,
					ready: nodes.filter(({ready}) => ready === 'True').length,
					silent: nodes.filter(({verdict}) => verdict === 'Silent').length,
					late: nodes.filter(({verdict}) => verdict === 'Late').length,
				},
		zones: {
			all: zones.length,
			stopped: zones.filter(({stopped}) => stopped && !stopped.isInDoubt).map(({zone}) => zone),
		},
		evictions: isUnseen
			? null
			: {
					all: pending.length,
					within5Minutes: Math.round(new EvictionCounts(pending, forecast).by(observedAt + soon).expected),
					first: startOfEvictions(forecast),
					last: endOfEvictions(forecast),
				},
		unsure: pods.filter(({verdict}) => verdict === 'Unsure').length,
		workloads: isUnseen
			? null
			: {
					toZero: impacts
						.filter(({reachesZero}) => reachesZero)
						.map(({kind, name, namespace, lowest}) => ({kind, name, namespace, at: lowest.at})),
					unknown: impacts.filter(({reachesZero}) => reachesZero === null).length,
				},
	};
}
