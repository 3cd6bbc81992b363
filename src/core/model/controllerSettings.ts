import {type Duration, second} from '../time/instant.ts';

/** What decides the controllers' behaviour: kube-controller-manager's flags, and what its version brings. */
export type ControllerSettings = {
	readonly nodeMonitorPeriod: Duration;
	readonly nodeStartupGracePeriod: Duration;
	readonly nodeMonitorGracePeriod: Duration;
	/** Nodes per second. */
	readonly nodeEvictionRate: number;
	/** Nodes per second, in a large zone that is partially disrupted. */
	readonly secondaryNodeEvictionRate: number;
	readonly largeClusterSizeThreshold: number;
	readonly unhealthyZoneThreshold: number;
	/** Calls per second of each controller's own client; zero where nothing limits it. */
	readonly kubeApiQps: number;
	readonly kubeApiBurst: number;
	/** Whether a node is queued for its NoExecute taint in the pass that sets it Unknown (1.34), or one pass later. */
	readonly queuesInPassOfTransition: boolean;
	/** When the periodic passes begin after a start: at once (1.36), or after their first poll. */
	readonly firstPassAfter: Duration;
	/** The feature gate TaintTolerationComparisonOperators: tolerations with Lt and Gt. */
	readonly comparisonOperators: boolean;
	/** Whether the taint-eviction controller runs; `--controllers=-taint-eviction-controller` switches it off. */
	readonly taintEviction: boolean;
};

/** The defaults of the newest known version. */
export const defaultSettings: ControllerSettings = {
	nodeMonitorPeriod: 5 * second,
	nodeStartupGracePeriod: 60 * second,
	nodeMonitorGracePeriod: 50 * second,
	nodeEvictionRate: 0.1,
	secondaryNodeEvictionRate: 0.01,
	largeClusterSizeThreshold: 50,
	unhealthyZoneThreshold: 0.55,
	kubeApiQps: 20,
	kubeApiBurst: 30,
	queuesInPassOfTransition: true,
	firstPassAfter: 0,
	comparisonOperators: false,
	taintEviction: true,
};

/** A Kubernetes version's major and minor number; undefined where the text is not a version. */
export function parseVersion(version: string): readonly [major: number, minor: number] | undefined {
	const match = /^v?(\d+)\.(\d+)/.exec(version);
	return match ? [Number(match[1]), Number(match[2])] : undefined;
}

/** The defaults of one Kubernetes version (`v1.32.13`); those of the newest known one where it cannot be told. */
export function settingsFor(version: string | undefined): ControllerSettings {
	const [major, minor] = (version && parseVersion(version)) || [1, 36];
	const isAtLeast = (release: number) => major > 1 || minor >= release;
	return {
		...defaultSettings,
		nodeMonitorGracePeriod: isAtLeast(32) ? 50 * second : 40 * second,
		queuesInPassOfTransition: isAtLeast(34),
		firstPassAfter: isAtLeast(36) ? 0 : 100,
	};
}
