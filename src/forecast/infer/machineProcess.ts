import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {ProcessSettings} from '../../core/nodelifecycle/processSettings.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {callDuration} from '../observe/latencies.ts';
import type {Hypothesis} from './hypothesis.ts';

/** How often a kubelet with a lease posts its status. */
export const statusInterval: Duration = 300 * second;

/** How fast the controllers work, where a hypothesis says nothing else. */
export const usualProcess: ProcessSettings = {
	callDuration: callDuration.lo,
	passDuration: 0,
	noExecuteCallsTakeTime: true,
};

/**
 * How fast the controllers work in a hypothesis. Where the queues are processed before or after a pass, the pass is instant, and the
 * taint waits for the client. Else a taint follows its token at once while a pass marks pods slowly, so that nodes are
 * tainted during the pass; and also at its end, where the queues are processed in each pass.
 */
export function processOf(
	{schedule, queuesAt, passInProgress}: Hypothesis,
	{nodeMonitorPeriod}: ControllerSettings,
): ProcessSettings {
	const passDuration = Math.max(0, schedule.idlePeriod - nodeMonitorPeriod);
	const instant = {callDuration: callDuration.lo, passDuration, noExecuteCallsTakeTime: true};
	if (queuesAt === 'beforePass') return instant;
	if (queuesAt === 'afterEachPass') return {...instant, queuesBesidePass: 'afterPass'};
	const isInEach = queuesAt === 'inEachPass' && !passInProgress;
	return {
		...{callDuration: callDuration.hi, passDuration, noExecuteCallsTakeTime: false},
		...(isInEach ? {queuesBesidePass: 'inPass'} : {}),
	};
}
