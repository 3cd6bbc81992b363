import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Duration, second} from '../../core/time/instant.ts';

/** The limits of the controllers' own client: calls per second, zero for no limit, and how many may come at once. */
export type ClientLimits = Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>;

/** What a call of the controllers takes at least, and at most where nothing throttles it. */
export const callDuration = {lo: 2, hi: 20};
/** What a call may take where only its report dates it: the API server's clock, and a busy moment. */
export const reportedCallDuration: Duration = second / 10;
/** How long a watch takes to bring a change, at most. */
export const watchDelivery: Duration = second / 10;
/** How long after the last thing that a pass was seen to do it may still be at work, where nothing throttles it. */
export const passMayLast: Duration = 1.5 * second;
