import {parseGoDuration} from '../model/goValues.ts';
import {type Node, type NodeCondition, nodeCondition} from '../model/node.ts';
import {type Duration, type Instant, second} from '../time/instant.ts';

/** What of KubeletConfiguration a graceful node shutdown goes by. */
export type ShutdownConfig = {
	/** As Go writes durations; zero where the kubelet does not wait for its pods. */
	readonly shutdownGracePeriod?: string;
	/** The part of it that is left to critical pods, as Go writes durations. */
	readonly shutdownGracePeriodCriticalPods?: string;
	readonly shutdownGracePeriodByPodPriority?: readonly PeriodByPriority[];
};

/** As KubeletConfiguration has it. */
type PeriodByPriority = {readonly priority: number; readonly shutdownGracePeriodSeconds: number};

/** The pods from a priority on, and how long the kubelet waits for their ends at most. */
export type ShutdownGroup = {readonly priority: number; readonly period: Duration};

const systemCriticalPriority = 2_000_000_000;

/**
 * The groups of pods that a kubelet kills one after another, of ascending priority; none where it kills nobody.
 *
 * @throws Error where a duration makes no sense
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
			.toSorted((a, b) => a.priority - b.priority);
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
 * The index of a pod's group: the last one that begins at its priority or below; the first for one below all.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/nodeshutdown/nodeshutdown_manager.go groupByPriority
 */
export const groupOf = (groups: readonly ShutdownGroup[], priority: number): number =>
	Math.max(
		0,
		groups.findLastIndex((group) => group.priority <= priority),
	);

/** Killing takes two seconds at least, and its word has to reach the API server. */
const killingTime: Duration = 5 * second;

/**
 * From when to when a pod ends, in a shutdown that was announced in an interval: the groups below its own end at once, or
 * take all of their time.
 *
 * @param pod its own grace period is for its end alone: its group may wait longer, for others and for volumes
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

/** What of a pod decides when it ends; of some its own grace period is not known. */
export type PodInShutdown = {readonly priority: number; readonly grace?: Duration | undefined};

/**
 * What a kubelet says in its Ready condition while its node shuts down.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/nodeshutdown/nodeshutdown_manager_linux.go ShutdownStatus
 */
export const shutdownMessage = 'node is shutting down';

/** The condition with which a node announces that it shuts down; undefined where it does not. */
export function shutdownCondition(node: Pick<Node, 'conditions'>): NodeCondition | undefined {
	const ready = nodeCondition(node, 'Ready');
	return ready?.status === 'False' && ready.message === shutdownMessage ? ready : undefined;
}

/** When a node announced its shutdown, by its own clock, in whole seconds; it was ready until then. */
export const announcedIn = ({lastTransitionTime}: NodeCondition) => ({
	lo: lastTransitionTime,
	hi: lastTransitionTime + second,
});
