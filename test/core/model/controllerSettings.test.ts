import {expect, test} from 'vitest';
import {
	defaultSettings,
	parseVersion,
	profileFor,
	settingsFor,
} from '../../../src/core/model/versionProfile.ts';
import {
	differenceOf,
	differences,
	isSettableIn,
	oldestKnownRelease,
} from '../../../src/core/model/versionTable.ts';

test.for([
	{version: 'v1.31.4', grace: 40, inPass: false, firstPassAfter: 100},
	{version: 'v1.32.13', grace: 50, inPass: false, firstPassAfter: 100},
	{version: 'v1.33.0', grace: 50, inPass: false, firstPassAfter: 100},
	{version: 'v1.34.0-alpha.1', grace: 50, inPass: true, firstPassAfter: 100},
	{version: '1.35', grace: 50, inPass: true, firstPassAfter: 100},
	{version: 'v1.36.3+k3s1', grace: 50, inPass: true, firstPassAfter: 0},
	{version: 'v1.99.0-gke.1', grace: 50, inPass: true, firstPassAfter: 0},
	{version: 'v2.0.0', grace: 50, inPass: true, firstPassAfter: 0},
])('$version waits $grace s for a silent node', ({version, grace, inPass, firstPassAfter}) => {
	expect(settingsFor(version)).toMatchObject({
		nodeMonitorGracePeriod: grace * 1000,
		queuesInPassOfTransition: inPass,
		firstPassAfter,
	});
});

test.for([undefined, '', 'unknown', 'v1'])(
	'a version that says nothing (%j) means the newest recorded one',
	(version) => {
		expect(settingsFor(version)).toEqual(defaultSettings);
	},
);

test('only the major and the minor number of a version count', () => {
	expect(parseVersion('v1.36.3-eks-1a2b')).toEqual([1, 36]);
	expect(parseVersion('1.36')).toEqual([1, 36]);
	expect(parseVersion('main')).toBeUndefined();
});

test.for([
	{version: 'v1.30.2', release: 'v1.30', fit: 'own'},
	{version: 'v1.36.3', release: 'v1.36', fit: 'own'},
	{version: 'v1.16.0', release: 'v1.16', fit: 'own'},
	{version: '1.15', release: 'v1.16', fit: 'older'},
	{version: 'v0.9.1', release: 'v1.16', fit: 'older'},
	{version: 'v1.37.0-alpha.1', release: 'v1.37', fit: 'own'},
	{version: 'v1.38.0', release: 'v1.37', fit: 'newer'},
	{version: 'v2.1.0', release: 'v1.37', fit: 'newer'},
	{version: 'main', release: 'v1.36', fit: 'unreadable'},
	{version: undefined, release: 'v1.36', fit: 'unreadable'},
])('$version is taken for $release ($fit)', ({version, release, fit}) => {
	expect(profileFor(version)).toMatchObject({release, fit});
});

test('what is known of a newer release holds for it, and its flags can be set', () => {
	const {settings, minorVersion} = profileFor('v1.38.0');
	expect(settings.extendedResourcesEvicted).toBe(true);
	expect(isSettableIn(differenceOf('nodeMonitorGracePeriod'), minorVersion)).toBe(true);
	expect(profileFor('v2.1.0').settings).toEqual(profileFor('v1.37.0').settings);
	expect(isSettableIn(differenceOf('deviceTaints'), profileFor('v2.1.0').minorVersion)).toBe(true);
});

test('a default that changed once says since when', () => {
	expect(profileFor('v1.33.1').sources.get('nodeMonitorGracePeriod')).toBe(
		'since v1.32, kubernetes/kubernetes#126287',
	);
	expect(profileFor('v1.31.1').sources.get('nodeMonitorGracePeriod')).toBeUndefined();
	expect(profileFor('v1.16.1').sources.size).toBe(0);
});

test('every setting is the same in all releases, or has its row in the version table', () => {
	const common = [
		'nodeMonitorPeriod',
		'nodeStartupGracePeriod',
		'nodeEvictionRate',
		'secondaryNodeEvictionRate',
	];
	const others = ['largeClusterSizeThreshold', 'unhealthyZoneThreshold', 'kubeApiQps', 'kubeApiBurst'];
	const switches = ['taintEviction', 'nodeLifecycle', 'leaderElection'];
	const rows = differences.map(({key}) => key);
	expect(Object.keys(defaultSettings).toSorted()).toEqual(
		[...common, ...others, ...switches, ...rows].toSorted(),
	);
	expect(Object.values(settingsFor('v1.16.15'))).not.toContain(undefined);
});

test.for(differences)('$name: its history is in order, and each value has a source', ({history}) => {
	const since = history.map((one) => one.since);
	expect(since).toEqual(since.toSorted((a, b) => a - b));
	expect(since[0]).toBe(oldestKnownRelease);
	for (const one of history) expect(one.source).not.toBe('');
});
