import {type Node, nodeCondition} from '../../../core/model/node.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {Interval} from '../interval.ts';

/**
 * How often a kubelet that keeps no lease posts its status, where nothing else is seen (nodeStatusUpdateFrequency). One
 * that keeps a lease posts only what has changed, and every five minutes (nodeStatusReportFrequency).
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/apis/config/v1beta1/defaults.go SetDefaults_KubeletConfiguration
 */
export const defaultHeartbeatInterval: Duration = 10 * second;

/** This many heartbeats in a row show their interval. */
const fewest = 3;

/** How often a kubelet posts its status, as far as its posts show it. */
export type StatusHeartbeats = {
	/** The time between the last heartbeats, the latest last, in whole seconds: their times have no fractions. */
	readonly gaps: readonly Duration[];
	/** What that says: it posts as often as this, if it lives. */
	readonly interval: Interval;
};

/** What is known of a kubelet whose posts were not watched. */
export const unwatchedHeartbeats: StatusHeartbeats = {
	gaps: [],
	interval: {lo: defaultHeartbeatInterval, hi: defaultHeartbeatInterval},
};

/** Adds what one more post shows: it came so long after the one before. */
export function withHeartbeat(
	{gaps, interval}: StatusHeartbeats,
	before: Node | undefined,
	after: Node,
): StatusHeartbeats {
	const [old, young] = [before && nodeCondition(before, 'Ready'), nodeCondition(after, 'Ready')];
	if (!old || !young || young.lastHeartbeatTime <= old.lastHeartbeatTime) return {gaps, interval};
	const all = [...gaps, young.lastHeartbeatTime - old.lastHeartbeatTime].slice(-fewest);
	if (all.length < fewest) return {gaps: all, interval};
	// One that got lost makes a gap longer, and one for a change shorter: the middle one is the kubelet's own.
	const own = Math.max(second, all.toSorted((a, b) => a - b)[1] ?? 0);
	return {gaps: all, interval: {lo: own, hi: own + second}};
}

/** A kubelet with a lease posts its status every five minutes only: heartbeats that far apart do not show that it lives. */
const seldom: Duration = 150 * second;

/** Whether a kubelet was seen to post so often that its posts alone show that it lives. */
export const isRegular = ({gaps, interval}: StatusHeartbeats): boolean =>
	gaps.length >= fewest && interval.hi < seldom && Math.max(...gaps) <= 2 * interval.hi;

/**
 * What one look tells of kubelets that keep no lease: where half of those that are ready posted longer ago than the usual
 * interval, they may post less often, or may all have died.
 */
export function heartbeatsAtFirstLook(nodes: readonly Node[], now: Instant): StatusHeartbeats {
	const ages = nodes
		.flatMap((node) => nodeCondition(node, 'Ready') ?? [])
		.filter(({status}) => status === 'True')
		.map(({lastHeartbeatTime}) => now - lastHeartbeatTime)
		.toSorted((a, b) => a - b);
	const median = ages[Math.floor((ages.length - 1) / 2)] ?? 0;
	return {
		gaps: [],
		interval: {lo: defaultHeartbeatInterval, hi: Math.max(defaultHeartbeatInterval, 2 * (median - second))},
	};
}
