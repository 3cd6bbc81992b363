import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {ProcessSettings} from '../../core/nodelifecycle/nodeLifecycleController.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {callDuration} from '../observe/latencies.ts';
import type {Hypothesis} from './hypothesis.ts';

/** How often a kubelet posts its status, whatever else it does. */
export const statusInterval: Duration = 300 * second;

/** How the machine that the controllers run on behaves, where nothing else is tried. */
export const usualProcess: ProcessSettings = {
	callDuration: callDuration.lo,
	passDuration: 0,
	noExecuteCallsTakeTime: true,
};

/**
 * In the one extreme a taint follows its token at once, while a pass takes its time to mark pods: nodes are tainted in
 * its course. In the other the pass is over in no time, and the taint's calls wait in the client's line.
 */
export function processOf(
	{schedule, quantile}: Hypothesis,
	{nodeMonitorPeriod}: ControllerSettings,
): ProcessSettings {
	const passDuration = Math.max(0, schedule.period - nodeMonitorPeriod);
	return quantile < 0.5
		? {callDuration: callDuration.hi, passDuration, noExecuteCallsTakeTime: false}
		: {callDuration: callDuration.lo, passDuration, noExecuteCallsTakeTime: true};
}
