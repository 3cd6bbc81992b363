import {expect, test} from 'vitest';
import {unseenControlPlane} from '../../../src/core/model/controlPlane.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {exactly, type SettingsSpan} from '../../../src/forecast/infer/settingsSpan.ts';
import type {SettingDoubt} from '../../../src/forecast/settings/learned/learnedSetting.ts';
import {resolveSettings} from '../../../src/forecast/settings/resolve.ts';
import type {LearnedRange} from '../../../src/forecast/settings/setting.ts';
import {spanOf} from '../../../src/forecast/settings/span.ts';
import {aLease, aNode, aPod, tolerates} from '../../support/builders.ts';

const learned = {
	nodeMonitorGracePeriod: {
		range: [52 * second, 61 * second] as const,
		observations: ['node a turned Unknown'],
	},
	nodeEvictionRate: {range: [0.05, null] as const, observations: ['two taints']},
};
const hidden = {
	flags: {},
	versionFlag: undefined,
	serverVersion: 'v1.36.3',
	controlPlane: unseenControlPlane('hidden'),
};

const went = {about: ['unhealthyZoneThreshold'] as const, seen: 'zone eu/a went on'};

const confirmed = {
	nodeMonitorPeriod: {
		range: [2.4 * second, 5.2 * second] as const,
		parts: [[2.4 * second, 2.6 * second] as const, [4.8 * second, 5.2 * second] as const],
		observations: ['one distance'],
	},
	nodeMonitorGracePeriod: {
		range: [49.4 * second, 50.3 * second] as const,
		observations: ['node a turned Unknown'],
	},
	nodeEvictionRate: {range: [0.09, 0.114] as const, observations: ['two taints']},
};

test('what was only confirmed is not spanned', () => {
	const {settings, span, notes} = resolveSettings({...hidden, learned: confirmed});
	expect(span.lateEnd).toEqual(settings);
	expect(span.earlyEnd).toEqual({...settings, unhealthyZoneThreshold: 1, largeClusterSizeThreshold: 0});
	expect(notes[0]?.message).toBe(
		'hidden: defaults are assumed, and ranges allow for 0.55-1 for unhealthy-zone-threshold and 0-50 for ' +
			'large-cluster-size-threshold, unless behaviour shows more',
	);
});

test('zones that stand still show thresholds as long as no default is in doubt', () => {
	const stopped = {unhealthyZoneThreshold: [0, 0.75], largeClusterSizeThreshold: [12, null]} as const;
	const ends = (doubts: readonly SettingDoubt[]) => {
		const {earlyEnd, lateEnd} = resolveSettings({...hidden, learned: {}, doubts, ifDefaults: stopped}).span;
		return [earlyEnd, lateEnd].map((one) => [one.unhealthyZoneThreshold, one.largeClusterSizeThreshold]);
	};
	expect(ends([])).toEqual([
		[0.75, 12],
		[0.55, 50],
	]);
	expect(ends([went])).toEqual([
		[1, 0],
		[0, 5000],
	]);
});

test('what nothing confirms yet spans what most people set', () => {
	const {settings, span, notes, problems, list} = resolveSettings({...hidden, learned: {}});
	expect(span.usual).toEqual(settings);
	expect([span.earlyEnd, span.lateEnd].map((one) => one.nodeMonitorGracePeriod / second)).toEqual([20, 120]);
	expect([span.earlyEnd, span.lateEnd].map((one) => one.nodeEvictionRate)).toEqual([10, 0.01]);
	expect([span.earlyEnd, span.lateEnd].map((one) => one.nodeMonitorPeriod / second)).toEqual([2, 5]);
	// A zone that the defaults stop may go on, but none stops that they let go on.
	expect(span).toMatchObject({
		earlyEnd: {unhealthyZoneThreshold: 1, largeClusterSizeThreshold: 0},
		lateEnd: {unhealthyZoneThreshold: 0.55, largeClusterSizeThreshold: 50},
	});
	expect(problems).toEqual([]);
	expect(notes[0]?.message).toBe(
		'hidden: defaults are assumed, and ranges allow for 2s-5s for node-monitor-period and 20s-2m for ' +
			'node-monitor-grace-period and 0.01-10 for node-eviction-rate and 0.55-1 for unhealthy-zone-threshold and ' +
			'0-50 for large-cluster-size-threshold, unless behaviour shows more',
	);
	expect(list.find(({name}) => name === 'node-monitor-grace-period')?.source.detail).toContain(
		'not confirmed yet: 20s-2m is assumed',
	);
});

test('a default is confirmed where nothing else is possible that people set, and else narrowed', () => {
	const ends = (grace: LearnedRange, rate: LearnedRange) => {
		const {earlyEnd, lateEnd} = resolveSettings({
			...hidden,
			learned: {
				nodeMonitorGracePeriod: {range: grace, observations: ['node a turned Unknown']},
				nodeEvictionRate: {range: rate, observations: ['two taints']},
			},
		}).span;
		return [earlyEnd, lateEnd].map((one) => [one.nodeMonitorGracePeriod / second, one.nodeEvictionRate]);
	};
	expect(ends([42 * second, 57 * second], [0.05, 0.2])).toEqual([
		[42, 0.2],
		[57, 0.05],
	]);
	expect(ends([49.4 * second, 50.3 * second], [0.09, 0.114])).toEqual([
		[50, 0.1],
		[50, 0.1],
	]);
});

test('each default is confirmed by itself, and by what bounds it on both sides', () => {
	const {nodeMonitorGracePeriod} = confirmed;
	const {nodeEvictionRate} = learned;
	const {span} = resolveSettings({...hidden, learned: {nodeMonitorGracePeriod, nodeEvictionRate}});
	const ends = [span.earlyEnd, span.lateEnd];
	expect(ends.map((one) => one.nodeMonitorPeriod / second)).toEqual([2, 5]);
	expect(ends.map((one) => one.nodeMonitorGracePeriod / second)).toEqual([50, 50]);
	expect(ends.map((one) => one.nodeEvictionRate)).toEqual([10, 0.05]);
});

test.for([
	{what: 'one flag', flags: {nodeMonitorPeriod: 2 * second}},
	{what: 'the release', versionFlag: 'v1.36.3'},
	{what: 'a flag of the controller manager', givenFlags: new Map([['kube-api-qps', '20']])},
	{what: 'a file without a release', serverVersion: undefined},
	{what: 'a vendor', serverVersion: 'v1.33.1-eks-abc'},
])('where $what is known, the defaults are taken for the other flags', ({what: _, ...known}) => {
	const {settings, span} = resolveSettings({...hidden, learned: {}, ...known});
	expect(span).toEqual(exactly(settings));
});

test('the rate of the client is learned as one value', () => {
	const kubeApiQps = {range: [45, 55] as const, observations: ['a burst']};
	const {settings, span} = resolveSettings({...hidden, learned: {kubeApiQps}});
	expect(settings.kubeApiQps).toBe(50);
	expect([span.earlyEnd, span.lateEnd].map((one) => one.kubeApiQps)).toEqual([50, 50]);
});

test('a setting of which no end makes evictions earlier is not spanned, and does not keep others from it', () => {
	const rate = ['nodeEvictionRate', [0.05, 0.2]] as const;
	expect(spanOf(defaultSettings, [['kubeApiQps', [10, 60]], rate])).toEqual({
		earlyEnd: {...defaultSettings, nodeEvictionRate: 0.2},
		usual: defaultSettings,
		lateEnd: {...defaultSettings, nodeEvictionRate: 0.05},
	});
});

test('what had to be learned is spanned, and casts doubt on the other defaults: as far as they were not seen', () => {
	const {settings, span, list} = resolveSettings({...hidden, learned});
	expect(settings.nodeMonitorGracePeriod).toBe(60 * second);
	const ends = [span.earlyEnd, span.lateEnd];
	expect(ends.map((one) => one.nodeMonitorGracePeriod)).toEqual([52 * second, 61 * second]);
	expect(ends.map((one) => one.nodeEvictionRate)).toEqual([10, 0.05]);
	expect(ends.map((one) => one.nodeMonitorPeriod / second)).toEqual([2, 5]);
	expect(ends.map((one) => one.unhealthyZoneThreshold)).toEqual([1, 0]);
	expect(ends.map((one) => one.largeClusterSizeThreshold)).toEqual([0, 5000]);
	expect(list.find(({name}) => name === 'unhealthy-zone-threshold')).toMatchObject({
		...{value: 0.55, isInDoubt: true},
		source: {kind: 'profile', detail: expect.stringContaining('in doubt: 0-1 is assumed')},
	});
});

test('where the flags are seen, those that are not set have their defaults', () => {
	const controllerManager = {pod: 'kube-controller-manager-cp1', flags: new Map<string, string>()};
	const controlPlane = {...unseenControlPlane('hidden'), controllerManager};
	const {span} = resolveSettings({...hidden, controlPlane, learned, doubts: [went]});
	expect([span.earlyEnd, span.lateEnd].map((one) => one.unhealthyZoneThreshold)).toEqual([0.55, 0.55]);
});

test('a doubt alone is told, and makes all defaults uncertain', () => {
	const {span, problems} = resolveSettings({...hidden, learned: {}, doubts: [went]});
	expect(problems).toMatchObject([
		{reason: 'DefaultsInDoubt', message: expect.stringContaining('zone eu/a went on')},
	]);
	expect([span.earlyEnd.nodeEvictionRate, span.lateEnd.nodeEvictionRate]).toEqual([10, 0.001]);
});

test('a doubt about flags that are given is none about the others', () => {
	const {span, settings, problems} = resolveSettings({
		...{...hidden, learned: {}, doubts: [went]},
		flags: {unhealthyZoneThreshold: 0.7},
	});
	expect([span, problems]).toEqual([exactly(settings), []]);
});

test('a flag is known to the point, whatever behaviour says', () => {
	const {settings, span} = resolveSettings({
		...hidden,
		flags: {nodeMonitorGracePeriod: 40 * second},
		learned,
	});
	expect(span).toEqual(exactly(settings));
});

test('a forecast over a span holds the forecasts of both of its ends', () => {
	const now = 100 * second;
	const range = (span: SettingsSpan) => {
		const forecaster = new Forecaster(defaultSettings, {span});
		forecaster.observeSnapshot({
			observedAt: now,
			source: 'cluster',
			nodes: [aNode('n1'), aNode('n2')],
			pods: [aPod('web', {tolerations: [tolerates('node.kubernetes.io/unreachable', 300)]})],
			leases: [aLease('n1', now - 25 * second), aLease('n2', now - second)],
			problems: [],
		});
		return forecaster.forecast(now).pods[0]?.eviction;
	};
	const {span} = resolveSettings({...hidden, learned});
	const [early, late, both] = [exactly(span.earlyEnd), exactly(span.lateEnd), span].map(range);
	expect(both?.earliest).toBeLessThanOrEqual((early?.earliest ?? 0) + second / 10);
	expect(both?.latest).toBeGreaterThanOrEqual((late?.latest ?? Number.POSITIVE_INFINITY) - second / 10);
	expect((late?.latest ?? 0) - (early?.latest ?? 0)).toBeGreaterThan(8 * second);
});
