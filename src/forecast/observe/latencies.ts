import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Duration, second} from '../../core/time/instant.ts';

/** The limits of the controllers' own client: calls per second, zero for no limit, and how many may come at once. */
export type ClientLimits = Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>;

/** How long these limits keep the last of so many calls waiting that come at once. */
export const throttleWait = (calls: number, {kubeApiQps, kubeApiBurst}: ClientLimits): Duration =>
	kubeApiQps > 0 ? (Math.max(0, calls - kubeApiBurst) / kubeApiQps) * second : 0;

/** How long an unthrottled call of the controllers takes, at least and at most, in milliseconds. */
export const callDuration = {lo: 2, hi: 20};
/** The same where only an event dates the call: the API server may be busy, or its clock differ. */
export const reportedCallDuration: Duration = second / 10;
/** The longest that a watch takes to deliver a change. */
export const watchDelivery: Duration = second / 10;
/** The longest wait for the next pass, in periods, unless a pass is throttled. */
export const longestPassPeriods = 1.2;
/** How long an unthrottled pass may still be at work after the last action that was seen of it. */
export const passMayLast: Duration = 1.5 * second;
/** What a deletion or a taint may take beyond its due time: calls, a busy API server. */
export const latency: Duration = second / 4;
/** How much sooner than in a run something may happen: rounding, and clocks that differ a little. */
export const clockTolerance: Duration = second / 10;
