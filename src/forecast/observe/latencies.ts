import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {nodeWorkers, podWorkers} from '../../core/nodelifecycle/processSettings.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {Interval} from './interval.ts';

/** The limits of the controllers' own client: calls per second (zero for no limit), and burst. */
export type ClientLimits = Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>;

/** The time from one call to the next of a client that waits for its limit; 0 without one. */
export const perCall = ({kubeApiQps}: Pick<ClientLimits, 'kubeApiQps'>): Duration =>
	kubeApiQps > 0 ? second / kubeApiQps : 0;

/** How long these limits delay the last of several simultaneous calls. */
export const throttleWait = (calls: number, {kubeApiQps, kubeApiBurst}: ClientLimits): Duration =>
	Math.max(0, calls - kubeApiBurst) * perCall({kubeApiQps});

/**
 * How long calls wait at most, one after the other, in the line of a throttled client: each behind one of every other caller,
 * which are the workers of a pass, those that taint and mark what changed, and what posts events.
 */
export const waitInLine = (
	calls: number,
	{monitorWorkers, kubeApiQps}: Pick<ControllerSettings, 'monitorWorkers' | 'kubeApiQps'>,
): Duration => calls * (monitorWorkers + nodeWorkers + podWorkers + 1) * perCall({kubeApiQps});

/** How long an unthrottled call of the controllers takes, in milliseconds. */
export const callDuration = {lo: 2, hi: 20};
/** The same if only an event dates the call: the API server may be busy, or its clock may differ. */
export const reportedCallDuration: Duration = second / 10;
/** The longest time in which a watch delivers a change. */
export const watchDelivery: Duration = second / 10;
/** The longest wait for the next pass, in periods, unless a pass is throttled. */
export const longestPassPeriods = 1.2;
/** How long an unthrottled pass may continue after the last action that was seen of it. */
export const passMayLast: Duration = 1.5 * second;
/** How much later than due a deletion or a taint may come: calls, a busy API server. */
export const latency: Duration = second / 4;
/** The same for half of them. Measured on real control planes: 70 to 110 ms, as another client sees it. */
export const usualLatency: Duration = 73;
/** How much earlier than in a run something may happen: rounding, small differences of clocks. */
export const clockTolerance: Duration = second / 10;

/** How long a pass takes to check healthy nodes. Measured: 2 ms for 9 nodes, 18 ms for 1,000, 120 ms for 5,000. */
export function passDuration(nodes: number): Interval {
	return {lo: 0.2, hi: 2 * (2 + 0.024 * nodes)};
}
