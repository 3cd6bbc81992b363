import {expect, test} from 'vitest';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import {type ControlPlane, unseenControlPlane} from '../../../src/core/model/controlPlane.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {resolveSettings} from '../../../src/forecast/settings/resolve.ts';
import type {SettingsEvidence} from '../../../src/forecast/settings/settingsEvidence.ts';

const hidden = unseenControlPlane('no static pod of kube-controller-manager is in kube-system');

const withFlags = (flags: Readonly<Record<string, string>>): ControlPlane => ({
	...hidden,
	controllerManager: {
		seenIn: 'pod kube-system/kube-controller-manager-cp1',
		flags: new Map(Object.entries(flags)),
	},
});

const resolve = (evidence: Partial<SettingsEvidence> = {}) =>
	resolveSettings({
		flags: {},
		versionFlag: undefined,
		serverVersion: 'v1.36.3',
		controlPlane: hidden,
		learned: {},
		...evidence,
	});

const settingNamed = (name: string, evidence: Partial<SettingsEvidence>) =>
	resolve(evidence).list.find((setting) => setting.name === name);

const aGrace = (lo: number, hi: number) => ({
	nodeMonitorGracePeriod: {range: [lo, hi] as const, observations: ['node n1 turned Unknown']},
});

test.for<{name: string; evidence: Partial<SettingsEvidence>; value: number; kind: string}>([
	{name: 'the default of the version', evidence: {}, value: 50_000, kind: 'profile'},
	{name: 'that of an older version', evidence: {serverVersion: 'v1.31.9'}, value: 40_000, kind: 'profile'},
	{
		name: 'a version that was said, over that of the server',
		evidence: {versionFlag: 'v1.30.0'},
		value: 40_000,
		kind: 'profile',
	},
	{
		name: 'what was learned, over a default that it contradicts',
		evidence: {learned: aGrace(78_100, 83_400)},
		value: 80_000,
		kind: 'learned',
	},
	{
		name: 'the default, where what was learned agrees',
		evidence: {learned: aGrace(45_000, 51_000)},
		value: 50_000,
		kind: 'profile',
	},
	{
		name: 'the static pod, over what was learned',
		evidence: {
			controlPlane: withFlags({'node-monitor-grace-period': '1m30s'}),
			learned: aGrace(78_100, 83_400),
		},
		value: 90_000,
		kind: 'staticPod',
	},
	{
		name: 'the command line, over everything',
		evidence: {
			flags: {nodeMonitorGracePeriod: 20_000},
			controlPlane: withFlags({'node-monitor-grace-period': '1m30s'}),
			learned: aGrace(78_100, 83_400),
		},
		value: 20_000,
		kind: 'flag',
	},
])('the grace period: $name', ({evidence, value, kind}) => {
	expect(settingNamed('node-monitor-grace-period', evidence)).toMatchObject({value, source: {kind}});
	expect(resolve(evidence).settings.nodeMonitorGracePeriod).toBe(value);
});

test('what contradicts behaviour is a warning, whatever is used', () => {
	expect(resolve({learned: aGrace(78_100, 83_400)}).problems).toEqual([
		{
			reason: 'SettingContradicted',
			message:
				'--node-monitor-grace-period is 50s by default of v1.36 (since v1.32, kubernetes/kubernetes#126287), but ' +
				'the controllers behave as with 1m18.1s-1m23.4s (node n1 turned Unknown): 1m20s is used',
		},
	]);
	const flagged = resolve({flags: {nodeMonitorGracePeriod: 20_000}, learned: aGrace(78_100, 83_400)});
	expect(flagged.problems).toMatchObject([
		{
			message: expect.stringMatching(
				/^--node-monitor-grace-period is 20s by .*used anyway, because the command/,
			),
		},
	]);
	expect(resolve({learned: aGrace(45_000, 51_000)}).problems).toEqual([]);
});

test('an agreeing observation is kept beside the value', () => {
	const learned = aGrace(45_000, 51_000);
	expect(settingNamed('node-monitor-grace-period', {learned})?.range).toEqual([45_000, 51_000]);
});

test.for<{flags: Record<string, string>; version?: string; want: Partial<ControllerSettings>}>([
	{flags: {controllers: '*,-taint-eviction-controller'}, want: {taintEviction: false, nodeLifecycle: true}},
	{flags: {controllers: '-node-lifecycle-controller,*'}, want: {taintEviction: true, nodeLifecycle: false}},
	{flags: {controllers: '*,-nodelifecycle'}, want: {taintEviction: true, nodeLifecycle: false}},
	{flags: {controllers: 'deployment'}, want: {taintEviction: false, nodeLifecycle: false}},
	{flags: {controllers: '*,bootstrapsigner'}, want: {taintEviction: true, nodeLifecycle: true}},
	{
		flags: {
			controllers: '*,-taint-eviction-controller',
			'feature-gates': 'SeparateTaintEvictionController=false',
		},
		version: 'v1.31.0',
		want: {taintEviction: true, nodeLifecycle: true},
	},
	{
		flags: {controllers: 'nodelifecycle,deployment'},
		version: 'v1.27.0',
		want: {taintEviction: true, nodeLifecycle: true},
	},
	{
		flags: {'enable-taint-manager': 'false', 'pod-eviction-timeout': '1m'},
		version: 'v1.25.1',
		want: {taintEviction: false, taintBasedEvictions: false, podEvictionTimeout: 60_000},
	},
	{
		flags: {'feature-gates': 'LegacyNodeRoleBehavior=false,NodeDisruptionExclusion=true'},
		version: 'v1.16.15',
		want: {legacyNodeRoleBehavior: false, nodeDisruptionExclusion: true, taintBasedEvictions: true},
	},
	{
		flags: {'feature-gates': 'PodDisruptionConditions=true'},
		version: 'v1.25.1',
		want: {podDisruptionConditions: true},
	},
	{
		flags: {'feature-gates': 'A=true,TaintTolerationComparisonOperators=true'},
		want: {comparisonOperators: true},
	},
	{flags: {'leader-elect': 'false'}, want: {leaderElection: false}},
	{flags: {'kube-api-qps': '0'}, want: {kubeApiQps: 5, kubeApiBurst: 30}},
	{flags: {'kube-api-qps': '0', 'kube-api-burst': '0'}, want: {kubeApiQps: 5, kubeApiBurst: 10}},
	{flags: {'node-eviction-rate': '-1', 'kube-api-qps': '-1'}, want: {nodeEvictionRate: 0, kubeApiQps: 0}},
])('$flags of $version', ({flags, version, want}) => {
	const {settings, problems} = resolve({controlPlane: withFlags(flags), serverVersion: version ?? 'v1.36.3'});
	expect(settings).toMatchObject(want);
	expect(problems.map(({reason}) => reason)).toEqual([
		...(flags['enable-taint-manager'] === 'false' ? ['EvictionWithoutTaints'] : []),
		...(settings.nodeLifecycle ? [] : ['NodeLifecycleOff']),
	]);
});

test('a flag that cannot be read is a problem, and the default is used', () => {
	const {settings, problems} = resolve({controlPlane: withFlags({'node-monitor-period': '5'})});
	expect(settings.nodeMonitorPeriod).toBe(5000);
	expect(problems).toEqual([
		{
			reason: 'FlagUnreadable',
			message:
				'pod kube-system/kube-controller-manager-cp1 has --node-monitor-period=5: time: missing unit in duration "5"',
		},
	]);
});

test.for([
	{flags: {'unhealthy-zone-threshold': '55'}, reasons: ['ThresholdNeverReached']},
	{flags: {'unhealthy-zone-threshold': '1'}, reasons: []},
	{flags: {'kube-api-burst': '0'}, reasons: ['FlagUnreadable']},
])('$flags is taken, and said to be odd: $reasons', ({flags, reasons}) => {
	const {problems} = resolve({controlPlane: withFlags(flags)});
	expect(problems.map(({reason}) => reason)).toEqual(reasons);
});

test('a version older than any known rules casts doubt on the forecast', () => {
	expect(resolve({serverVersion: 'v1.15.12'}).problems).toMatchObject([{reason: 'VersionOlder'}]);
});

test.for([
	{serverVersion: 'v1.36.3', want: ['FlagsUnseen']},
	{serverVersion: 'v1.38.0', want: ['FlagsUnseen', 'VersionNewer']},
	{serverVersion: undefined, want: ['FlagsUnseen', 'VersionUnknown']},
	{serverVersion: 'main', want: ['FlagsUnseen', 'VersionUnknown']},
])('what is assumed of $serverVersion is said', ({serverVersion, want}) => {
	expect(resolve({serverVersion}).notes.map(({reason}) => reason)).toEqual(want);
	expect(resolve({serverVersion, controlPlane: withFlags({})}).notes).toHaveLength(want.length - 1);
});

test('the gate TaintBasedEvictions alone leaves the taint manager at work', () => {
	const {settings, problems} = resolve({
		serverVersion: 'v1.16.15',
		givenFlags: new Map([['feature-gates', 'TaintBasedEvictions=false']]),
	});
	expect(settings).toMatchObject({taintBasedEvictions: false, taintEviction: true});
	expect(problems).toEqual([
		{
			reason: 'DefaultsInDoubt',
			message:
				'the controllers do not behave as with default flags (silent nodes are not tainted): their flags cannot be ' +
				'seen, so ranges allow for other values; pass the flags that you know, such as --node-eviction-rate=0.1',
		},
		{
			reason: 'EvictionWithoutTaints',
			message:
				'silent nodes are not tainted, by --feature-gates=TaintBasedEvictions=false of this command: their pods are ' +
				`deleted --pod-eviction-timeout=5m after their last sign of life, node by node at the zone's rate, whatever ` +
				'they tolerate; those of DaemonSets stay',
		},
	]);
});

test('where silent nodes are not tainted other flags may be set as well, until somebody says when pods go', () => {
	const evidence = {serverVersion: 'v1.16.15', givenFlags: new Map([['enable-taint-manager', 'false']])};
	const {span} = resolve(evidence);
	expect(span.earlyEnd.podEvictionTimeout).toBeLessThan(span.lateEnd.podEvictionTimeout);
	expect(span.earlyEnd.unhealthyZoneThreshold).toBe(1);
	const given = resolve({
		...evidence,
		givenFlags: new Map([...evidence.givenFlags, ['pod-eviction-timeout', '1m']]),
	});
	expect(given.span.earlyEnd).toEqual(given.span.lateEnd);
	expect(given.problems.map(({reason}) => reason)).toEqual(['EvictionWithoutTaints']);
	const seen = resolve({...evidence, controlPlane: withFlags({'enable-taint-manager': 'false'})});
	expect(seen.span.earlyEnd).toEqual(seen.span.lateEnd);
});

test.for([
	{version: 'v1.20.15', flags: {'feature-gates': 'TaintBasedEvictions=false'}},
	{version: 'v1.27.0', flags: {'enable-taint-manager': 'false'}},
	{version: 'v1.36.3', flags: {'pod-eviction-timeout': '1m'}},
	{version: 'v1.34.0', flags: {'feature-gates': 'SeparateTaintEvictionController=false'}},
	{version: 'v1.24.1', flags: {'feature-gates': 'TaintTolerationComparisonOperators=true'}},
])('$flags cannot be set in $version: that is said, and it is left out', ({version, flags}) => {
	const {settings, problems} = resolve({serverVersion: version, givenFlags: new Map(Object.entries(flags))});
	expect(settings).toEqual(settingsFor(version));
	expect(problems.map(({reason}) => reason)).toEqual(['FlagNotOfVersion']);
});

test('a locked gate that is given as it is anyway is no problem', () => {
	const givenFlags = new Map([['feature-gates', 'TaintBasedEvictions=true']]);
	expect(resolve({serverVersion: 'v1.18.20', givenFlags}).problems).toEqual([]);
});
