import {hidesNodes, type Problem} from '../core/model/problem.ts';
import {nothingRelated, type Related} from '../core/model/workloads/related.ts';
import type {WorkloadName} from '../core/model/workloads/workload.ts';
import {type Duration, type Instant, minute} from '../core/time/instant.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {isWithin, lastOf, pendingOf} from '../forecast/pending.ts';
import type {Range} from '../forecast/range.ts';
import {workloadImpacts} from './workloadImpact.ts';

/** So far ahead the evictions of a cluster are counted in one number. */
const horizon: Duration = 5 * minute;

/** A forecast in a few numbers. Instants are by the clock of the cluster's API server. */
export type ForecastSummary = {
	readonly observedAt: Instant;
	readonly kubernetesVersion: string | undefined;
	/** Null where they may not be read. `silent`: no heartbeat, and not yet Unknown. */
	readonly nodes: {readonly all: number; readonly ready: number; readonly silent: number} | null;
	/** `stopped`: the names of those where something keeps nodes from being tainted. */
	readonly zones: {readonly all: number; readonly stopped: readonly string[]};
	readonly evictions: {
		/** Pods that go if nothing changes. */
		readonly all: number;
		/** Those of them whose median lies within five minutes; what is overdue is among them. */
		readonly within5Minutes: number;
		/** Of the pod that goes first, and of the one that goes last; null where none goes. */
		readonly first: Range | null;
		readonly last: Range | null;
	};
	/** Pods of which too little can be seen. */
	readonly unsure: number;
	readonly workloads: {
		readonly toZero: readonly WorkloadToZero[];
		/** Those in trouble of which it is not known. */
		readonly unknown: number;
	};
};

/** A workload of which no pod is left ready if nothing changes. */
type WorkloadToZero = WorkloadName & {
	readonly namespace: string;
	/** Null where it is so already. */
	readonly at: Range | null;
};

/**
 * One cluster of several, as its rows and documents have it. Connecting: nothing was heard of it yet. Unreachable: it does
 * not answer; what was last known of it is kept.
 */
export type ClusterForecast = {
	/** The context by which it is reached. */
	readonly name: string;
	/** The address of its API server; undefined until its configuration was read. */
	readonly server: string | undefined;
	readonly status: 'Connecting' | 'Reachable' | 'Unreachable';
	/** When it was last heard, by our own clock; undefined where it never was. */
	readonly heardAt: Instant | undefined;
	/** How much the clock of its API server is ahead of ours. */
	readonly clockOffset: Duration;
	/** Undefined until something was read of it. */
	readonly summary: ForecastSummary | undefined;
	/** What cannot be seen of it, and why. */
	readonly problems: readonly Problem[];
};

/**
 * Sums up a forecast.
 *
 * @param related what owns the pods in trouble: without it no workload but a bare pod is known to reach zero
 */
export function summarize(forecast: Forecast, related: Related = nothingRelated): ForecastSummary {
	const {observedAt, kubernetesVersion, nodes, zones, pods, problems} = forecast;
	const pending = pendingOf(pods);
	const impacts = workloadImpacts(forecast, related);
	const isBlind = problems.some(hidesNodes);
	return {
		observedAt,
		kubernetesVersion,
		nodes: isBlind
			? null
			: {
					all: nodes.length,
					ready: nodes.filter(({ready}) => ready === 'True').length,
					silent: nodes.filter(({verdict}) => verdict === 'Silent').length,
				},
		zones: {
			all: zones.length,
			stopped: zones.filter(({stopped}) => stopped).map(({zone}) => zone),
		},
		evictions: {
			all: pending.length,
			within5Minutes: pending.filter((pod) => isWithin(pod, horizon, observedAt)).length,
			first: pending[0]?.eviction ?? null,
			last: lastOf(pending),
		},
		unsure: pods.filter(({verdict}) => verdict === 'Unsure').length,
		workloads: {
			toZero: impacts
				.filter(({reachesZero}) => reachesZero)
				.map(({kind, name, namespace, lowest}) => ({kind, name, namespace, at: lowest.at})),
			unknown: impacts.filter(({reachesZero}) => reachesZero === null).length,
		},
	};
}
