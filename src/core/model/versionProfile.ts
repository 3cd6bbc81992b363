import {kept} from '../collections/kept.ts';
import {second} from '../time/instant.ts';
import type {ControllerSettings} from './controllerSettings.ts';
import {type Difference, differences, oldestKnownRelease, type Since} from './versionTable.ts';

/** What a kube-controller-manager of any release is made with, where nothing else is said. */
const common = {
	nodeMonitorPeriod: 5 * second,
	nodeStartupGracePeriod: 60 * second,
	nodeEvictionRate: 0.1,
	secondaryNodeEvictionRate: 0.01,
	largeClusterSizeThreshold: 50,
	unhealthyZoneThreshold: 0.55,
	kubeApiQps: 20,
	kubeApiBurst: 30,
	taintEviction: true,
	nodeLifecycle: true,
	leaderElection: true,
} satisfies Partial<ControllerSettings>;

/** A Kubernetes version's major and minor number; undefined where the text is not a version. */
export function parseVersion(version: string): readonly [major: number, minor: number] | undefined {
	const match = /^v?(\d+)\.(\d+)/.exec(version);
	return match ? [Number(match[1]), Number(match[2])] : undefined;
}

/** The newest release whose rules are known here. */
export const newestKnownRelease = 37;
/** The newest release that was recorded: what holds where no version can be told. */
const newestRecordedRelease = 36;

/** What holds in one release, of all in which releases differ. */
export const valueIn = (
	{history}: Difference,
	release: number,
): Since<ControllerSettings[keyof ControllerSettings]> =>
	history.findLast(({since}) => since <= release) ?? history[0];

function settingsIn(release: number): ControllerSettings {
	const differing = differences.map((one) => [one.key, valueIn(one, release).value]);
	// Every key that is not common has its row: a test looks.
	return {...common, ...Object.fromEntries(differing)} as ControllerSettings;
}

/** The defaults of the newest release that was recorded. */
export const defaultSettings: ControllerSettings = settingsIn(newestRecordedRelease);

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
 * recorded one where it cannot be told.
 */
export const profileFor = (version: string | undefined): VersionProfile =>
	kept(profiles, version, () => profileOf(version));

const profiles = new Map<string | undefined, VersionProfile>();

function profileOf(version: string | undefined): VersionProfile {
	const parsed = version === undefined ? undefined : parseVersion(version);
	const [major, minor] = parsed ?? [1, newestRecordedRelease];
	const isNewer = major > 1 || minor > newestKnownRelease;
	const isOlder = major < 1 || (major === 1 && minor < oldestKnownRelease);
	const release = isNewer ? newestKnownRelease : isOlder ? oldestKnownRelease : minor;
	const changed = differences.map((one) => ({key: one.key, ...valueIn(one, release)}));
	return {
		release: `v1.${release}`,
		minorVersion: release,
		settings: settingsIn(release),
		sources: new Map(
			changed
				.filter(({since}) => since > oldestKnownRelease)
				.map(({key, since, source}) => [key, `since v1.${since}, ${source}`]),
		),
		fit: parsed ? (isNewer ? 'newer' : isOlder ? 'older' : 'own') : 'unreadable',
	};
}

/** The defaults of one Kubernetes version (`v1.32.13`); those of the newest recorded one where it cannot be told. */
export const settingsFor = (version: string | undefined): ControllerSettings => profileFor(version).settings;
