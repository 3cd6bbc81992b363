import {parseGoDuration} from '../../model/goValues.ts';
import type {ShutdownConfig} from '../../nodeshutdown/nodeShutdown.ts';
import {type Duration, minute, second} from '../../time/instant.ts';
import {parseThresholds, type ThresholdConfig} from './parseThresholds.ts';
import type {Threshold} from './threshold.ts';

/**
 * What of KubeletConfiguration the eviction manager and a graceful node shutdown go by; absent fields have the kubelet's
 * defaults.
 */
export type EvictionConfig = ThresholdConfig &
	ShutdownConfig & {
		/** Seconds. */
		readonly evictionMaxPodGracePeriod?: number;
		/** As Go writes durations. */
		readonly evictionPressureTransitionPeriod?: string;
		readonly localStorageCapacityIsolation?: boolean;
		readonly kernelMemcgNotification?: boolean;
		/** As Go writes durations. */
		readonly nodeStatusUpdateFrequency?: string;
		/** As Go writes durations. */
		readonly volumeStatsAggPeriod?: string;
		/** As Go writes durations; no field of KubeletConfiguration: every kubelet has 10s. */
		readonly monitoringInterval?: string;
	};

/** How an eviction manager was set up. */
export type EvictionSettings = {
	readonly thresholds: readonly Threshold[];
	readonly pressureTransitionPeriod: Duration;
	readonly maxPodGracePeriodSeconds: number;
	readonly localStorageCapacityIsolation: boolean;
	readonly kernelMemcgNotification: boolean;
	readonly monitoringInterval: Duration;
	/** How often the node's conditions are sent to the API server. */
	readonly nodeStatusUpdateFrequency: Duration;
	/** The least time between two measurements of a volume; the most is twice that. */
	readonly volumeStatsAggPeriod: Duration;
};

/** How long a real kubelet rests between two passes. */
export const evictionMonitoringPeriod: Duration = 10 * second;

/**
 * Reads the eviction manager's settings out of a kubelet's configuration.
 *
 * @throws Error with the kubelet's words where a text makes no sense
 */
export function evictionSettings(config: EvictionConfig): EvictionSettings {
	const duration = (text: string | undefined, otherwise: Duration) =>
		text === undefined ? otherwise : parseGoDuration(text);
	return {
		thresholds: parseThresholds({
			...config,
			enforceNodeAllocatable: config.enforceNodeAllocatable ?? ['pods'],
		}),
		pressureTransitionPeriod: duration(config.evictionPressureTransitionPeriod, 5 * minute),
		maxPodGracePeriodSeconds: config.evictionMaxPodGracePeriod ?? 0,
		localStorageCapacityIsolation: config.localStorageCapacityIsolation ?? true,
		kernelMemcgNotification: config.kernelMemcgNotification ?? false,
		monitoringInterval: duration(config.monitoringInterval, evictionMonitoringPeriod),
		nodeStatusUpdateFrequency: duration(config.nodeStatusUpdateFrequency, 10 * second),
		volumeStatsAggPeriod: duration(config.volumeStatsAggPeriod, minute),
	};
}
