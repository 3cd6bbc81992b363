import {parseGoDuration} from '../../model/goValues.ts';
import type {ShutdownConfig} from '../../nodeshutdown/nodeShutdown.ts';
import {type Duration, minute, second} from '../../time/instant.ts';
import {parseThresholds, type ThresholdConfig} from './parseThresholds.ts';
import type {Threshold} from './threshold.ts';

/** The fields of KubeletConfiguration for evictions and graceful node shutdown; absent ones have the kubelet's defaults. */
export type EvictionConfig = ThresholdConfig &
	ShutdownConfig &
	Readonly<{
		/** In seconds. */
		evictionMaxPodGracePeriod?: number;
		/** In Go's duration format. */
		evictionPressureTransitionPeriod?: string;
		localStorageCapacityIsolation?: boolean;
		kernelMemcgNotification?: boolean;
		/** In Go's duration format. */
		nodeStatusUpdateFrequency?: string;
		/** In Go's duration format. */
		volumeStatsAggPeriod?: string;
		/** In Go's duration format. Not a field of KubeletConfiguration: every kubelet has 10s. */
		monitoringInterval?: string;
	}>;

export type EvictionSettings = Readonly<{
	thresholds: readonly Threshold[];
	pressureTransitionPeriod: Duration;
	maxPodGracePeriodSeconds: number;
	localStorageCapacityIsolation: boolean;
	kernelMemcgNotification: boolean;
	monitoringInterval: Duration;
	/** How often the node's conditions are sent to the API server. */
	nodeStatusUpdateFrequency: Duration;
	/** The shortest time between two measurements of a volume; the longest is twice that. */
	volumeStatsAggPeriod: Duration;
}>;

/** How long a real kubelet waits between two passes. */
export const evictionMonitoringPeriod: Duration = 10 * second;

/** Reads a kubelet's eviction settings. @throws Error with the kubelet's message if a value is invalid */
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
