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
	/** Whether the node lifecycle controller runs; without it no node turns Unknown, and none is tainted. */
	readonly nodeLifecycle: boolean;
	/**
	 * Whether managedFields tell when a value was last written (1.25), or only since when its writer has owned the field:
	 * a lease that is renewed for days then seems to have been written once.
	 */
	readonly datesEachWrite: boolean;
	/** Whether controller managers elect a leader; where they do not, the leader lease tells nothing of them. */
	readonly leaderElection: boolean;
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
	nodeLifecycle: true,
	datesEachWrite: true,
	leaderElection: true,
};

/** A Kubernetes version's major and minor number; undefined where the text is not a version. */
export function parseVersion(version: string): readonly [major: number, minor: number] | undefined {
	const match = /^v?(\d+)\.(\d+)/.exec(version);
	return match ? [Number(match[1]), Number(match[2])] : undefined;
}

/** From a release on, some defaults are others. */
type Change = {
	/** The minor number of the first release that has them, of major 1. */
	readonly since: number;
	readonly settings: Partial<ControllerSettings>;
	/** Where that is written, or how it was found out. */
	readonly source: string;
};

/** What all known releases began with. The newest defaults are those of `defaultSettings`. */
const oldest: Partial<ControllerSettings> = {
	nodeMonitorGracePeriod: 40 * second,
	queuesInPassOfTransition: false,
	firstPassAfter: 100,
	datesEachWrite: false,
};

/** The releases that changed a default or a rule, oldest first. */
const changes: readonly Change[] = [
	{since: 25, settings: {datesEachWrite: true}, source: 'kubernetes/kubernetes#110058'},
	{since: 32, settings: {nodeMonitorGracePeriod: 50 * second}, source: 'kubernetes/kubernetes#126287'},
	{since: 34, settings: {queuesInPassOfTransition: true}, source: 'kubernetes/kubernetes#120816'},
	// Seen in traces of v1.32 and v1.36; the releases between them were not traced.
	{since: 36, settings: {firstPassAfter: 0}, source: 'traces of the controllers of v1.32 and v1.36'},
];

/** The newest release whose rules are known here. */
export const newestKnownRelease = 36;

/**
 * The oldest release whose rules are these. Before it, a node could lose its NoExecute taint for good, and nodes that
 * wait for theirs stood in line otherwise (kubernetes/kubernetes#96876, #89059).
 */
export const oldestKnownRelease = 21;

/** The defaults and rules that one release brings. */
export type VersionProfile = {
	/** The release whose profile it is: `v1.36`. */
	readonly release: string;
	readonly minorVersion: number;
	readonly settings: ControllerSettings;
	/** Where a default that differs between releases comes from, by setting. */
	readonly sources: ReadonlyMap<keyof ControllerSettings, string>;
	/** How the version leads to this profile, where it is not simply its own. */
	readonly fit: 'own' | 'newer' | 'older' | 'unreadable';
};

/**
 * The profile of a version (`v1.32.13`): that of the nearest known release where it is newer or older, the newest
 * where it cannot be told.
 */
export function profileFor(version: string | undefined): VersionProfile {
	const parsed = version === undefined ? undefined : parseVersion(version);
	const [major, minor] = parsed ?? [1, newestKnownRelease];
	const isNewer = major > 1 || minor > newestKnownRelease;
	const isOlder = major < 1 || (major === 1 && minor < oldestKnownRelease);
	const release = isNewer ? newestKnownRelease : isOlder ? oldestKnownRelease : minor;
	const past = changes.filter(({since}) => since <= release);
	const sources = new Map(
		past.flatMap(({settings, source, since}) =>
			Object.keys(settings).map(
				(key) => [key as keyof ControllerSettings, `since v1.${since}, ${source}`] as const,
			),
		),
	);
	return {
		release: `v1.${release}`,
		minorVersion: release,
		settings: Object.assign({}, defaultSettings, oldest, ...past.map(({settings}) => settings)),
		sources,
		fit: parsed ? (isNewer ? 'newer' : isOlder ? 'older' : 'own') : 'unreadable',
	};
}

/** The defaults of one Kubernetes version (`v1.32.13`); those of the newest known one where it cannot be told. */
export const settingsFor = (version: string | undefined): ControllerSettings => profileFor(version).settings;
