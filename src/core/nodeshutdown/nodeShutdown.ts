import {ascending} from '../collections/ascending.ts';
import {parseGoDuration} from '../model/goValues.ts';
import {type Node, type NodeCondition, readyCondition} from '../model/node.ts';
import {type Duration, type Instant, second} from '../time/instant.ts';

/** The fields of KubeletConfiguration for a graceful node shutdown. */
export type ShutdownConfig = {
	/** In Go's duration format; zero if the kubelet does not wait for its pods. */
	readonly shutdownGracePeriod?: string;
	/** The part of it that is reserved for critical pods, in Go's duration format. */
	readonly shutdownGracePeriodCriticalPods?: string;
	readonly shutdownGracePeriodByPodPriority?: readonly PeriodByPriority[];
};

/** As in KubeletConfiguration. */
type PeriodByPriority = {readonly priority: number; readonly shutdownGracePeriodSeconds: number};

/** The pods from a priority on, and how long the kubelet waits for them. */
export type ShutdownGroup = {readonly priority: number; readonly period: Duration};

const systemCriticalPriority = 2_000_000_000;

/**
 * The groups of pods that a kubelet kills one after another, in ascending priority; empty if it kills none.
 *
 * @throws Error if a duration is invalid
 * @quirk periods by priority leave shutdownGracePeriod out of account
 * @upstream kubernetes v1.36.3 pkg/kubelet/nodeshutdown/nodeshutdown_manager.go migrateConfig
 */
export function shutdownGroups(config: ShutdownConfig): readonly ShutdownGroup[] {
	const byPriority = config.shutdownGracePeriodByPodPriority ?? [];
	if (byPriority.length > 0)
		return byPriority
			.map(({priority, shutdownGracePeriodSeconds}) => ({
				priority,
				period: shutdownGracePeriodSeconds * second,
			}))
			.toSorted(ascending(({priority}) => priority));
	const all = parseGoDuration(config.shutdownGracePeriod ?? '0s');
	const critical = parseGoDuration(config.shutdownGracePeriodCriticalPods ?? '0s');
	if (all === 0 || critical > all || critical < 0) return [];
	return [
		{priority: 0, period: wholeSeconds(all - critical)},
		{priority: systemCriticalPriority, period: wholeSeconds(critical)},
	];
}

const wholeSeconds = (duration: Duration): Duration => Math.floor(duration / second) * second;

/**
 * The index of a pod's group: the last that starts at or below its priority; the first group if none does.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/nodeshutdown/nodeshutdown_manager.go groupByPriority
 */
export const groupOf = (groups: readonly ShutdownGroup[], priority: number): number =>
	Math.max(
		0,
		groups.findLastIndex((group) => group.priority <= priority),
	);

/** Killing takes at least two seconds, and the status must reach the API server. */
const killingTime: Duration = 5 * second;

/**
 * When a pod ends, as a range, in a shutdown that was announced within a range: the groups before its own end at
 * once, or take all of their time.
 *
 * @param pod its grace period bounds only its own end: its group may wait longer, for other pods and for volumes
 * @quirk a pod that may take longer than its group is killed with its group, one that may take less is killed sooner
 * @upstream kubernetes v1.36.3 pkg/kubelet/nodeshutdown/nodeshutdown_manager.go killPods
 */
export function endsIn(
	groups: readonly ShutdownGroup[],
	{priority, grace = Number.POSITIVE_INFINITY}: PodInShutdown,
	announced: {readonly lo: Instant; readonly hi: Instant},
): {readonly lo: Instant; readonly hi: Instant} {
	const own = groupOf(groups, priority);
	const before = groups.slice(0, own).reduce((sum, {period}) => sum + period, 0);
	const until = before + Math.min(groups[own]?.period ?? 0, grace);
	return {lo: announced.lo, hi: announced.hi + until + killingTime};
}

/** What decides when a pod ends in a shutdown; its grace period may be unknown. */
export type PodInShutdown = {readonly priority: number; readonly grace?: Duration | undefined};

/**
 * The message of a node's Ready condition during a shutdown.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go ShutdownStatus
 */
export const shutdownMessage = 'node is shutting down';

/** The condition that announces a node's shutdown; undefined if there is none. */
export function shutdownCondition(node: Node): NodeCondition | undefined {
	const ready = readyCondition(node);
	return ready?.status === 'False' && ready.message === shutdownMessage ? ready : undefined;
}

/** When a node announced its shutdown, by its own clock, in whole seconds; it was ready until then. */
export const announcedIn = ({lastTransitionTime}: NodeCondition) => ({
	lo: lastTransitionTime,
	hi: lastTransitionTime + second,
});
