import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {formatGoDuration} from '../../core/model/goValues.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import {second} from '../../core/time/instant.ts';
import {throttleDelayFor} from '../observe/countdowns/deletionThrottleDelay.ts';
import type {Interval} from '../observe/interval.ts';
import {passDuration} from '../observe/latencies.ts';

/** One step between a kubelet's last renewal and the deletion of its pods. */
export type BudgetStep = Readonly<{
	from: string;
	to: string;
	/** Null if it never comes. */
	takes: Interval | null;
	because: string;
}>;

/** How long each step from a kubelet's last renewal to a pod's deletion takes, and their sum. */
export type TimeBudget = {
	readonly steps: readonly BudgetStep[];
	/** The sum; null if a step never comes. */
	readonly total: Interval | null;
};

/** The number of pods in the example of deletions that delay each other. */
const manyPods = 100;

/** How long each step takes for one node that falls silent in a healthy cluster, and a pod with these tolerationSeconds. */
export function timeBudget(
	settings: ControllerSettings,
	tolerationSeconds: number | null,
	nodes: number,
): TimeBudget {
	const steps = settings.taintBasedEvictions
		? [toUnknown(settings, nodes), toTaint(settings), toDeletion(settings, tolerationSeconds)]
		: [toTimeout(settings, nodes), toEviction(settings)];
	const total = steps.reduce<Interval | null>(
		(sum, {takes}) => sum && takes && {lo: sum.lo + takes.lo, hi: sum.hi + takes.hi},
		{lo: 0, hi: 0},
	);
	return {steps, total};
}

/**
 * The controller notices a renewal in its next pass, and a silence in the first pass after the grace period. Passes come a
 * little more than a period apart, since each takes some time.
 */
function toUnknown(settings: ControllerSettings, nodes: number): BudgetStep {
	const {nodeMonitorPeriod: period, nodeMonitorGracePeriod: grace} = settings;
	const pass = passDuration(nodes);
	const apart = {lo: period + pass.lo, hi: period + pass.hi};
	const [most, least] = [Math.floor(grace / apart.lo) + 1, Math.floor(grace / apart.hi) + 1];
	const noticed =
		most === least ? {lo: most * apart.lo, hi: most * apart.hi} : {lo: grace, hi: grace + apart.hi};
	return {
		from: 'last renewal',
		to: 'Unknown',
		takes: settings.nodeLifecycle ? {lo: noticed.lo, hi: noticed.hi + apart.hi} : null,
		because: settings.nodeLifecycle
			? `node-monitor-grace-period ${formatGoDuration(grace)}, checked every ${formatGoDuration(period)}; one check more if the kubelet's last write was a status`
			: 'the node lifecycle controller does not run',
	};
}

/** Without taints, the eviction timeout counts from the pass that noticed the last renewal, as the grace period does. */
function toTimeout(settings: ControllerSettings, nodes: number): BudgetStep {
	const {nodeMonitorPeriod, podEvictionTimeout, nodeMonitorGracePeriod} = settings;
	// A node is queued only by a pass after the one that turned it Unknown.
	const longer = Math.max(podEvictionTimeout, nodeMonitorGracePeriod + nodeMonitorPeriod);
	const {takes} = toUnknown({...settings, nodeMonitorGracePeriod: longer}, nodes);
	return {
		from: 'last renewal',
		to: 'queued for eviction',
		takes,
		because: takes
			? `pod-eviction-timeout ${formatGoDuration(podEvictionTimeout)}, checked every ${formatGoDuration(nodeMonitorPeriod)}`
			: 'the node lifecycle controller does not run',
	};
}

/** How nodes that wait in the same zone delay a node, in words. */
const perNode = ({nodeEvictionRate: rate}: ControllerSettings): string =>
	rate > 0
		? `each node before it in its zone adds ${formatGoDuration(second / rate)} (node-eviction-rate ${rate})`
		: 'node-eviction-rate 0 lets only the first node of each zone through';

function toEviction(settings: ControllerSettings): BudgetStep {
	return {
		from: 'queued for eviction',
		to: 'deletion',
		takes: settings.nodeLifecycle ? {lo: 0, hi: nodeEvictionPeriod} : null,
		because: `${settings.nodeEvictionRate > 0 ? 'tolerations do not matter; ' : ''}${perNode(settings)}`,
	};
}

function toTaint(settings: ControllerSettings): BudgetStep {
	const {nodeMonitorPeriod: period, queuesInPassOfTransition} = settings;
	const wait = queuesInPassOfTransition ? 0 : period;
	return {
		from: 'Unknown',
		to: 'NoExecute taint',
		takes: settings.nodeLifecycle ? {lo: wait, hi: wait + nodeEvictionPeriod} : null,
		because: `${queuesInPassOfTransition ? 'queued at once' : 'queued one pass later'}; ${perNode(settings)}`,
	};
}

function toDeletion(settings: ControllerSettings, tolerationSeconds: number | null): BudgetStep {
	const takes = Math.max(0, (tolerationSeconds ?? 0) * second);
	const queueTime = throttleDelayFor(manyPods, settings);
	const tolerated =
		tolerationSeconds === null
			? 'pods without a toleration get none'
			: `tolerationSeconds ${tolerationSeconds}`;
	const together =
		queueTime > 0
			? `; ${manyPods} pods due at once are deleted within ${formatGoDuration(Math.ceil(queueTime / second) * second)}`
			: '';
	return {
		from: 'NoExecute taint',
		to: 'deletion',
		takes: settings.taintEviction ? {lo: takes, hi: takes} : null,
		because: settings.taintEviction
			? `${tolerated}${together}`
			: 'the taint-eviction controller does not run',
	};
}
