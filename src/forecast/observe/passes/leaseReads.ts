import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {callDuration, throttleWait} from '../latencies.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';
import {isSilent} from '../nodes/nodeLiveness.ts';

/**
 * The most that a monitor pass is extended by reading the lease of each silent node (v1.37), in milliseconds: one call for
 * each node that is silent now.
 */
export const leaseReads = ({affected, settings, now}: Silences): Duration =>
	readsTake(() => affected.nodes.filter((one) => isSilent(one, now)).length, settings);

type Silences = {
	readonly affected: {readonly nodes: readonly NodeEvidence[]};
	readonly settings: ControllerSettings;
	readonly now: Instant;
};

/**
 * The longest time in which a pass reads the leases of silent nodes, in milliseconds.
 *
 * @param count counts these; only called if the release reads them
 */
export function readsTake(count: () => number, settings: ControllerSettings): Duration {
	if (!settings.confirmsSilence) return 0;
	const silent = count();
	return Math.ceil(silent / settings.monitorWorkers) * callDuration.hi + readsWait(silent, settings);
}

/** How long the client's throttle delays a pass that reads the leases of this many silent nodes, in milliseconds. */
export function readsWait(
	silent: number,
	{confirmsSilence, kubeApiQps, kubeApiBurst, nodeMonitorPeriod}: ControllerSettings,
): Duration {
	if (!confirmsSilence) return 0;
	// The tokens that came back since the pass before.
	const tokens = Math.min(kubeApiBurst, (kubeApiQps * nodeMonitorPeriod) / second);
	return throttleWait(silent, {kubeApiQps, kubeApiBurst: tokens});
}
