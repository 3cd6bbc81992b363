import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import {callDuration} from '../observe/latencies.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {ObservedState} from '../observe/observed.ts';

/**
 * How much longer a monitor pass takes at most, in milliseconds, since it reads the lease of each silent node (v1.37):
 * a call for each of those that are silent now.
 */
export const leaseReads = ({affected, settings, now}: Omit<ObservedState, 'evidence'>): Duration =>
	readsTake(() => affected.nodes.filter((one) => isSilent(one, now)).length, settings);

/**
 * How long a pass takes at most to read the leases of silent nodes, in milliseconds.
 *
 * @param count counts these; only called where a release reads them
 */
export function readsTake(count: () => number, settings: ControllerSettings): Duration {
	if (!settings.confirmsSilence) return 0;
	const silent = count();
	return Math.ceil(silent / monitorWorkers) * callDuration.hi + readsWait(silent, settings);
}

/** How long the client's throttle keeps a pass waiting that reads the leases of so many silent nodes, in milliseconds. */
export function readsWait(
	silent: number,
	{confirmsSilence, kubeApiQps, kubeApiBurst, nodeMonitorPeriod}: ControllerSettings,
): Duration {
	if (!confirmsSilence || kubeApiQps <= 0) return 0;
	// What came back into the bucket since the pass before.
	const tokens = Math.min(kubeApiBurst, (kubeApiQps * nodeMonitorPeriod) / second);
	return (Math.max(0, silent - tokens) / kubeApiQps) * second;
}
