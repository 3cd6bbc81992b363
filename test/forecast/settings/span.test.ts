import {expect, test} from 'vitest';
import {unseenControlPlane} from '../../../src/core/model/controlPlane.ts';
import {exactly, type SettingsSpan} from '../../../src/core/model/settingsSpan.ts';
import {defaultSettings} from '../../../src/core/model/versionProfile.ts';
import {second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {resolveSettings} from '../../../src/forecast/settings/resolve.ts';
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
	secondaryNodeEvictionRate: {range: [0.0098, 0.0103] as const, observations: ['two taints']},
	kubeApiQps: {range: [17.5, 36] as const, likely: [17.5, 22] as const, observations: ['many writes']},
	nodeMonitorGracePeriod: {
		range: [49.4 * second, 50.3 * second] as const,
		observations: ['node a turned Unknown'],
	},
	nodeEvictionRate: {range: [0.09, 0.114] as const, observations: ['two taints']},
};

test('what was only confirmed is not spanned', () => {
	const {settings, span} = resolveSettings({...hidden, learned: confirmed});
	expect(span.lateEnd).toEqual(settings);
	expect(span.earlyEnd).toEqual({
		...settings,
		nodeMonitorPeriod: 2 * second,
		unhealthyZoneThreshold: 1,
		largeClusterSizeThreshold: 0,
	});
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
		"defaults are assumed, or ranges (see settings); set the controllers' flags that you know: hidden",
	);
	expect(list.find(({name}) => name === 'node-monitor-grace-period')?.source.detail).toContain(
		'not confirmed yet: 20s-2m is assumed',
	);
});

test.for([
	{what: 'one flag', flags: {nodeMonitorPeriod: 2 * second}},
	{what: 'the release', versionFlag: 'v1.36.3'},
	{what: 'a flag of the controller manager', givenFlags: new Map([['kube-api-qps', '20']])},
])('where $what is known, the defaults are taken for the other flags', ({what: _, ...known}) => {
	const {settings, span} = resolveSettings({...hidden, learned: {}, ...known});
	expect(span).toEqual(exactly(settings));
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
	const controllerManager = {
		seenIn: 'pod kube-system/kube-controller-manager-cp1',
		flags: new Map<string, string>(),
	};
	const controlPlane = {...unseenControlPlane('hidden'), controllerManager};
	const {span} = resolveSettings({...hidden, controlPlane, learned, doubts: [went]});
	expect([span.earlyEnd, span.lateEnd].map((one) => one.unhealthyZoneThreshold)).toEqual([0.55, 0.55]);
});

test('if it is not known which of several controller managers leads, their flags are a range', () => {
	const controllerManager = {
		seenIn: 'pod kube-system/kube-controller-manager-cp1',
		flags: new Map([['node-monitor-grace-period', '20s']]),
		others: [new Map([['node-monitor-grace-period', '3m']]), new Map<string, string>()],
	};
	const controlPlane = {...unseenControlPlane('hidden'), controllerManager};
	const {span, list} = resolveSettings({...hidden, controlPlane});
	expect([span.earlyEnd, span.lateEnd].map((one) => one.nodeMonitorGracePeriod / second)).toEqual([20, 180]);
	expect(list.filter(({isInDoubt}) => isInDoubt).map(({name}) => name)).toEqual([
		'node-monitor-grace-period',
	]);
});

test('where only kubelets show a release, the rules and defaults of newer ones are allowed for', () => {
	const controllerManager = {
		seenIn: 'pod kube-system/kube-controller-manager-cp1',
		flags: new Map<string, string>(),
	};
	const controlPlane = {...unseenControlPlane('hidden'), controllerManager};
	const given = {...hidden, controlPlane, serverVersion: 'v1.31.2', isLeastVersion: true};
	const ends = (evidence: typeof given) => {
		const {earlyEnd, lateEnd} = resolveSettings(evidence).span;
		return [earlyEnd, lateEnd].map((one) => [
			one.nodeMonitorGracePeriod / second,
			one.queuesInPassOfTransition,
		]);
	};
	expect(ends(given)).toEqual([
		[40, true],
		[50, false],
	]);
	// The image of the controller manager tells its release.
	const shown = {...controlPlane, controllerManager: {...controllerManager, version: 'v1.31.2'}};
	expect(ends({...given, controlPlane: shown})).toEqual([
		[40, false],
		[40, false],
	]);
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
