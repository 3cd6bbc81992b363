import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {defaultSettings} from '../../core/model/versionProfile.ts';
import {type Duration, second} from '../../core/time/instant.ts';

const seconds = (duration: Duration) => `${duration / second}s`;

/** The command line of a kube-controller-manager that runs with these settings; defaults are left out, as people do. */
export function controllerManagerFlags(settings: ControllerSettings): readonly string[] {
	const flags: readonly (readonly [string, keyof ControllerSettings, (value: number) => string])[] = [
		['node-monitor-period', 'nodeMonitorPeriod', seconds],
		['node-startup-grace-period', 'nodeStartupGracePeriod', seconds],
		['node-monitor-grace-period', 'nodeMonitorGracePeriod', seconds],
		['node-eviction-rate', 'nodeEvictionRate', String],
		['secondary-node-eviction-rate', 'secondaryNodeEvictionRate', String],
		['large-cluster-size-threshold', 'largeClusterSizeThreshold', String],
		['unhealthy-zone-threshold', 'unhealthyZoneThreshold', String],
		['kube-api-qps', 'kubeApiQps', String],
		['kube-api-burst', 'kubeApiBurst', String],
	];
	const changed = flags.filter(([, name]) => settings[name] !== defaultSettings[name]);
	return [
		'--leader-elect=true',
		...changed.map(([flag, name, format]) => `--${flag}=${format(Number(settings[name]))}`),
	];
}
