import {compareValues} from '../../core/collections/compareValues.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Timestamp} from './timestamps.ts';

/** Tolerated difference between correct clocks: a leader lease of this age has not expired. */
const tolerated: Duration = 10 * second;
/** Maximum age of the last heartbeat of a node that no controller has marked yet. */
const maxHeartbeatAge: Duration = minute;
/** A smaller difference between nodes means that some have failed, rather than that clocks are wrong. */
const widestOfLeases: Duration = 2 * minute;
/** Statuses are posted every five minutes where leases are renewed, and a file may have no leases. */
const widestOfStatuses: Duration = 6 * minute;

/** When a dump was written, by clocks that agree with each other. */
export type DumpInstant = ReturnType<typeof findInstant>;

/**
 * Finds the newest credible time of a dump. The clocks of the API server and the controllers are decisive; a kubelet's times
 * count as far as most other live kubelets agree.
 *
 * @param dead nodes that are marked as Unknown: their old times are not evidence
 * @param hasLeases whether nodes' leases are among the times
 */
export function findInstant(times: readonly Timestamp[], dead: ReadonlySet<string>, hasLeases: boolean) {
	const widest = hasLeases ? widestOfLeases : widestOfStatuses;
	const server = newestOf(times.filter(({clock}) => clock === 'server'));
	const sure = Math.max(server, newestOf(times.filter(({clock}) => clock === 'once')));
	const own = newestByNode(times.filter(({clock}) => clock === 'kubelet'));
	const alive = [...own].filter(([node, at]) => !dead.has(node) && at >= sure - maxHeartbeatAge);
	const kubeletTimes = alive.length > 0 ? alive.map(([, at]) => at) : [...newestByNode(times).values()];
	const bound = boundOf(kubeletTimes, server, widest);
	// Taints and transitions are written by another clock than the node's heartbeats.
	const slack = server > 0 ? tolerated : widest;
	const believed = times.filter(({at, clock}) => at <= bound + (clock === 'other' ? slack : 0));
	const newest = Math.max(sure, newestOf(believed));
	const ahead = [...own].filter(([, at]) => at > newest + tolerated);
	return {
		/** Zero if it has none. */
		newest,
		/** The kubelets whose clocks are ahead of it, with the difference. */
		ahead: new Map<string, Duration>(ahead.map(([node, at]) => [node, at - newest])),
	};
}

const newestOf = (times: readonly {readonly at: Instant}[]): Instant =>
	times.reduce<Instant>((newest, {at}) => Math.max(newest, at), 0);

function newestByNode(times: readonly Timestamp[]): ReadonlyMap<string, Instant> {
	const newest = new Map<string, Instant>();
	for (const {node, at} of times) newest.set(node, Math.max(at, newest.get(node) ?? 0));
	return newest;
}

/** The limit of credible kubelet times; zero without kubelets. */
function boundOf(kubeletTimes: readonly Instant[], server: Instant, widest: Duration): Instant {
	const agreeing = kubeletTimes.filter((at) => at <= server + tolerated).length;
	// The servers' clock is decisive if half of the kubelets agree with it; otherwise the kubelets run on while the server is
	// down.
	if (server > 0 && 2 * agreeing >= kubeletTimes.length) return server + tolerated;
	const agreements = agreementOf(kubeletTimes.toSorted(compareValues), widest);
	const latest = agreements.findLast(({count}) => 2 * count > kubeletTimes.length);
	if (latest) return latest.at;
	// The earliest time with the most agreement: a wrong clock is more likely than the failure of all nodes but one.
	return agreements.reduce((best, one) => (one.count > best.count ? one : best), {at: 0, count: 0}).at;
}

/** For each time, the number of times (including itself) that are equal or slightly older. */
function agreementOf(
	sorted: readonly Instant[],
	widest: Duration,
): readonly {readonly at: Instant; readonly count: number}[] {
	let first = 0;
	return sorted.map((at, index) => {
		while ((sorted[first] ?? at) < at - widest) first += 1;
		return {at, count: index + 1 - first};
	});
}
