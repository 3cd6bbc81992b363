import {kept} from '../collections/kept.ts';
import {second} from '../time/instant.ts';
import type {ControllerSettings} from './controllerSettings.ts';
import {type Difference, differences, oldestKnownRelease, type Since} from './versionTable.ts';

/** Defaults that are the same in all known releases. */
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

/** A Kubernetes version's major and minor number; undefined if the text is not a version. */
export function parseVersion(version: string): readonly [major: number, minor: number] | undefined {
	const match = /^v?(\d+)\.(\d+)/.exec(version);
	return match ? [Number(match[1]), Number(match[2])] : undefined;
}

export const newestKnownRelease = 37;
/** The release that is assumed where the version is not known: the one that the rules are ported from. */
export const assumedRelease = 36;

export const valueIn = (
	{history}: Difference,
	release: number,
): Since<ControllerSettings[keyof ControllerSettings]> =>
	history.findLast(({since}) => since <= release) ?? history[0];

function settingsIn(release: number): ControllerSettings {
	const differing = differences.map((one) => [one.key, valueIn(one, release).value]);
	// A test checks that each key outside `common` is in `differences`.
	return {...common, ...Object.fromEntries(differing)} as ControllerSettings;
}

/** The defaults of the release that is assumed. */
export const defaultSettings: ControllerSettings = settingsIn(assumedRelease);

/** The defaults and rules of one release. */
export type VersionProfile = Readonly<{
	/** As in `v1.36`. */
	release: string;
	/** Of a newer release its own. */
	minorVersion: number;
	settings: ControllerSettings;
	/** The source of each default that differs between releases, by setting. */
	sources: ReadonlyMap<keyof ControllerSettings, string>;
	/** Whether the release is the version's own, the nearest known to a newer or older one, or the default. */
	fit: 'own' | 'newer' | 'older' | 'unreadable';
}>;

/** The profile of a version (`v1.32.13`): the nearest known release, or the newest one if it is unreadable. */
export const profileFor = (version: string | undefined): VersionProfile =>
	kept(profiles, version, () => profileOf(version));

const profiles = new Map<string | undefined, VersionProfile>();

function profileOf(version: string | undefined): VersionProfile {
	const parsed = version === undefined ? undefined : parseVersion(version);
	const [major, minor] = parsed ?? [1, assumedRelease];
	const isNewer = major > 1 || minor > newestKnownRelease;
	const isOlder = major < 1 || (major === 1 && minor < oldestKnownRelease);
	// Some of a newer release may be known already.
	const minorVersion = isOlder ? oldestKnownRelease : major > 1 ? newestKnownRelease : minor;
	const changed = differences.map((one) => ({key: one.key, ...valueIn(one, minorVersion)}));
	return {
		release: `v1.${Math.min(minorVersion, newestKnownRelease)}`,
		minorVersion,
		settings: settingsIn(minorVersion),
		sources: new Map(
			changed
				.filter(({since}) => since > oldestKnownRelease)
				.map(({key, since, source}) => [key, `since v1.${since}, ${source}`]),
		),
		fit: parsed ? (isNewer ? 'newer' : isOlder ? 'older' : 'own') : 'unreadable',
	};
}

/** The defaults of one Kubernetes version (`v1.32.13`); of the newest recorded release if it is unreadable. */
export const settingsFor = (version: string | undefined): ControllerSettings => profileFor(version).settings;
