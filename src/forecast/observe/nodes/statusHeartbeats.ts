import {compareValues} from '../../../core/collections/compareValues.ts';
import {maxOf} from '../../../core/collections/extremes.ts';
import {type Node, readyCondition} from '../../../core/model/node.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';

/**
 * How often a kubelet without a lease posts its status, if nothing else is seen (nodeStatusUpdateFrequency). A kubelet with a
 * lease posts only changes, and every five minutes (nodeStatusReportFrequency).
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go SetDefaults_KubeletConfiguration
 */
const defaultHeartbeatInterval: Duration = 10 * second;

/** This many intervals in a row show how often a kubelet posts. */
const fewest = 3;

/** How often a kubelet posts its status, by the posts that were seen. */
export type StatusHeartbeats = {
	/** The times between the last heartbeats, the latest last, in whole seconds. */
	readonly intervals: readonly Duration[];
	/** How often a living kubelet posts. */
	readonly interval: Interval;
};

/** If no posts were watched: the default interval. */
export const unwatchedHeartbeats: StatusHeartbeats = {
	intervals: [],
	interval: {lo: defaultHeartbeatInterval, hi: defaultHeartbeatInterval},
};

export function withHeartbeat(
	{intervals, interval}: StatusHeartbeats,
	before: Node | undefined,
	after: Node,
): StatusHeartbeats {
	const [old, young] = [before && readyCondition(before), readyCondition(after)];
	if (!old || !young || young.lastHeartbeatTime <= old.lastHeartbeatTime) return {intervals, interval};
	const all = [...intervals, young.lastHeartbeatTime - old.lastHeartbeatTime].slice(-fewest);
	if (all.length < fewest) return {intervals: all, interval};
	// A lost post makes an interval longer, a post for a change makes one shorter: the median is the kubelet's interval.
	const own = Math.max(second, all.toSorted(compareValues)[1] ?? 0);
	return {intervals: all, interval: {lo: own, hi: own + second}};
}

/** A kubelet with a lease posts its status only every five minutes: posts this rare do not show that it is alive. */
const seldom: Duration = 150 * second;

/** Whether a kubelet was seen to post often enough for its posts to show that it is alive. */
export const isRegular = ({intervals, interval}: StatusHeartbeats) =>
	intervals.length >= fewest && interval.hi < seldom && maxOf(intervals) <= 2 * interval.hi;

/**
 * Estimates from a first look how often kubelets without a lease post. If half of the ready ones posted longer ago than the
 * default interval, they may post less often, or may all have died.
 */
export function heartbeatsAtFirstLook(nodes: readonly Node[], now: Instant): StatusHeartbeats {
	const ages = nodes
		.flatMap((node) => readyCondition(node) ?? [])
		.filter(({status}) => status === 'True')
		.map(({lastHeartbeatTime}) => now - lastHeartbeatTime)
		.toSorted(compareValues);
	const median = ages[Math.floor((ages.length - 1) / 2)] ?? 0;
	return {
		intervals: [],
		interval: {lo: defaultHeartbeatInterval, hi: Math.max(defaultHeartbeatInterval, 2 * (median - second))},
	};
}
