import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {list} from '../../cmd/lists/listAction.ts';
import {showSettings} from '../../cmd/questions/settingsAction.ts';
import {type Demo, startDemo} from '../../src/demo/demo.ts';
import {demoScenario} from '../support/demoScenario.ts';
import {testFolder} from '../support/testFolder.ts';
import {printedBy} from './printed.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const {path: folder} = testFolder();
const dump = join(folder, 'dump.json');
let demo: Demo;

beforeAll(async () => {
	const scenario = demoScenario('node-dies');
	const settings = {nodeEvictionRate: 0.5, nodeMonitorGracePeriod: 30_000};
	const flags = ['--node-monitor-grace-period=30s', '--node-eviction-rate=0.5'];
	demo = await startDemo({...scenario, settings, flags, steps: []}, {port: 0, clock: Date.now, seed: 1});
	const metadata = {name: 'n1', creationTimestamp: '2026-01-31T14:00:00Z'};
	writeFileSync(dump, JSON.stringify({kind: 'List', items: [{kind: 'Node', metadata}]}));
});
afterAll(() => demo.close());

async function run(line: string, command = showSettings) {
	const words = line.replace('-s demo', `-s ${demo.url}`).split(' ').filter(Boolean);
	return printedBy((terminal) => command(parseCommandLine(words), terminal));
}

test('the settings of a cluster, and where each comes from', async () => {
	expect(await run('settings -s demo --kube-api-qps=50')).toEqual({
		exitCode: 0,
		out: [
			'NAME                                     VALUE   SOURCE       KIND',
			'node-monitor-period                      5s      default      flag',
			'node-monitor-grace-period                30s     static pod   flag',
			'node-startup-grace-period                1m      default      flag',
			'node-eviction-rate                       0.5     static pod   flag',
			'secondary-node-eviction-rate             0.01    default      flag',
			'unhealthy-zone-threshold                 0.55    default      flag',
			'large-cluster-size-threshold             50      default      flag',
			'kube-api-qps                             50      flag         flag',
			'kube-api-burst                           30      default      flag',
			'node-lifecycle-controller                true    default      --controllers',
			'taint-eviction-controller                true    default      --controllers',
			'leader-elect                             true    static pod   flag',
			'TaintTolerationComparisonOperators       false   default      feature gate',
			'DRADeviceTaints                          true    default      feature gate',
			'node-lease-duration                      40s     learned      kubelet',
			'node-lease-renew-interval                10s     learned      kubelet',
			'default-not-ready-toleration-seconds     300     default      kube-apiserver',
			'default-unreachable-toleration-seconds   300     default      kube-apiserver',
			'taint-queued-in-pass-of-unknown          true    default      rule',
			'first-pass-after                         0s      default      rule',
			'',
		].join('\n'),
		err: '',
	});
});

test('some of them, in full', async () => {
	expect(await run('settings node-eviction-rate node-lease-duration -o wide --no-headers -s demo')).toEqual({
		exitCode: 0,
		out:
			'node-eviction-rate    0.5   static pod   flag      <none>   pod kube-system/kube-controller-manager-cp1\n' +
			'node-lease-duration   40s   learned      kubelet   <none>   13 of 13 node leases\n',
		err: '',
	});
	expect((await run('settings node-eviction-rate -o name -s demo')).out).toBe('setting/node-eviction-rate\n');
	await expect(run('settings node-evicton-rate -s demo')).rejects.toThrow('there is no setting');
});

test('a dump has the defaults of the version that was said, and flags', async () => {
	const {out, err} = await run(
		`settings -f ${dump} --kubernetes-version=v1.31.1 --node-monitor-period=2s -o json`,
	);
	expect(err).toBe('');
	const {metadata, items, ...rest} = JSON.parse(out);
	expect(rest).toEqual({apiVersion: 'evictwatch.dev/v1', kind: 'SettingList'});
	expect(metadata).toMatchObject({source: 'file', kubernetesVersion: null});
	expect(metadata.problems.map(({reason}: {reason: string}) => reason)).toContain('FlagsUnseen');
	expect(items.slice(0, 2)).toEqual([
		{
			kind: 'Setting',
			metadata: {name: 'node-monitor-period'},
			value: '2s',
			source: {kind: 'flag', detail: '--node-monitor-period of this command'},
			range: null,
		},
		{
			kind: 'Setting',
			metadata: {name: 'node-monitor-grace-period'},
			value: '40s',
			source: {kind: 'profile', detail: 'default of v1.31, by --kubernetes-version'},
			range: null,
		},
	]);
});

test('without a version the newest is assumed, and that is said', async () => {
	const {err} = await run(`settings -f ${dump} node-monitor-grace-period`);
	expect(err.split('\n').slice(1)).toEqual([
		expect.stringMatching(
			/^Warning: FlagsUnseen: defaults are assumed, .*: no static pod of kube-controller-manager is in the file$/,
		),
		'Warning: VersionUnknown: the version is not known: the defaults of v1.36 are assumed; set it with ' +
			'--kubernetes-version',
		'',
	]);
});

test('the time budget, its risks, and what to set', async () => {
	const {out} = await run('settings --check --want 60s -s demo --node-eviction-rate=1');
	expect(out).toBe(
		[
			'STEP                          TAKES           BECAUSE',
			'last renewal to Unknown       30s-35s         node-monitor-grace-period 30s, checked every 5s; one check more ' +
				"if the kubelet's last write was a status",
			'Unknown to NoExecute taint    0s-100ms        queued at once; each node before it in its zone adds 1s ' +
				'(node-eviction-rate 1)',
			'NoExecute taint to deletion   5m              tolerationSeconds 300; 100 pods due at once are deleted ' +
				'within 19s',
			'last renewal to deletion      5m30s-5m35.1s   all of it',
			'',
			'Risk: GraceBelowRenewals: node-monitor-grace-period 30s is less than 4 renewals, 10s apart: a few lost renewals ' +
				'make a node Unknown, and nodes flap',
			'Risk: GraceBelowConnectionTimeout: node-monitor-grace-period 30s is not above 45s, which is how long a kubelet takes to ' +
				'notice a dead connection to the API server: its node turns Unknown although it is healthy',
			'Risk: RateOne: node-eviction-rate 1 is what a stopped zone reports as its own rate: a zone that was stopped ' +
				'once stays stopped until the controllers start again; 0.99 or 2 does not',
			'',
			'For deletions within 1m of the last renewal, set tolerationSeconds to 24:',
			'  in the pods, for node.kubernetes.io/not-ready and node.kubernetes.io/unreachable, effect NoExecute; or',
			'  for new pods without one: kube-apiserver --default-not-ready-toleration-seconds=24 ' +
				'--default-unreachable-toleration-seconds=24',
			'',
		].join('\n'),
	);
});

test('a wanted time that tolerations cannot give names the grace period that could, and what is against it', async () => {
	const {out} = await run('settings --want 50s -s demo --node-monitor-grace-period=50s --no-headers');
	expect(out.split('\n').slice(5)).toEqual([
		'No risky combination of settings.',
		'',
		'No tolerationSeconds gives deletions within 50s of the last renewal: with 0, they come up to 55.2s after it.',
		'With tolerationSeconds 0 and kube-controller-manager --node-monitor-grace-period=40s they are:',
		'  but node-monitor-grace-period 40s is not above 45s, which is how long a kubelet takes to notice a dead connection to ' +
			'the API server: its node turns Unknown although it is healthy',
		'',
	]);
});

test('the check for machines', async () => {
	const {out} = await run('settings --check --want 2m -s demo -o json --node-monitor-grace-period=50s');
	expect(JSON.parse(out)).toMatchObject({
		kind: 'SettingsCheck',
		budget: [
			{from: 'last renewal', to: 'Unknown', takes: {earliest: '50.002s', latest: expect.any(String)}},
			{to: 'NoExecute taint', takes: {earliest: '0s', latest: '100ms'}},
			{to: 'deletion', takes: {earliest: '5m', latest: '5m'}},
		],
		risks: [],
		advice: {want: '2m', tolerationSeconds: 64, nodeMonitorGracePeriod: null},
	});
});

test.for([
	{line: 'settings -w -s demo', want: 'unknown flag: --watch'},
	{line: 'settings --want 60 -s demo', want: 'missing unit'},
	{line: 'settings --want 0s -s demo', want: 'must be positive'},
	{line: 'settings --check node-eviction-rate -s demo', want: 'takes no names'},
	{line: 'settings --check -o name -s demo', want: 'no names to print'},
])('"$line" is refused', async ({line, want}) => {
	await expect(run(line)).rejects.toThrow(want);
});

test('pods, nodes and zones go by the settings that were found', async () => {
	const {out} = await run('zones -o json -s demo', list);
	expect(JSON.parse(out).items[0]).toMatchObject({rate: 0.5});
});

test('in full, what is peculiar to the release follows, each with its release and its source', async () => {
	const {out} = await run(`settings -f ${dump} --kubernetes-version 1.24 -o wide`);
	const [settings = '', differences = ''] = out.split('\n\n');
	expect(settings).toMatch(/^pod-eviction-timeout +5m +default/m);
	expect(differences.split('\n')[0]).toMatch(/^DIFFERENCE +V1\.24 +KIND +SINCE +SOURCE +MEANING/);
	expect(differences).toMatch(/^node-monitor-grace-period +40s +flag +v1\.16 /m);
	expect(differences).toMatch(/^NodeDisruptionExclusion +true +locked +v1\.19 /m);
	expect(differences).toMatch(/^NodeOutOfServiceVolumeDetach +false +gate +v1\.16 /m);
	expect(differences).toMatch(/^SeparateTaintEvictionController +false +not yet +v1\.16 /m);
	expect(differences).toMatch(/^leader-elect-resource-lock +leases +flag +v1\.20 /m);
	const {metadata} = JSON.parse((await run(`settings -f ${dump} --kubernetes-version 1.24 -o json`)).out);
	expect(metadata.profile).toMatchObject({release: 'v1.24', fit: 'own'});
	expect(metadata.profile.differences).toContainEqual(
		expect.objectContaining({name: 'monitor-workers', value: '1', kind: 'rule', since: 'v1.16'}),
	);
});

test('who asks for a release needs no cluster, unless one is named', async () => {
	const line = 'settings node-monitor-grace-period --kubernetes-version=1.24';
	const terminal = recordingTerminal();
	vi.stubEnv('KUBECONFIG', join(folder, 'none'));
	try {
		await showSettings(parseCommandLine(line.split(' ')), terminal);
		expect(terminal.texts().out).toContain('40s');
		expect(terminal.texts().err).toContain('ClusterUnseen');
		const named = parseCommandLine([...line.split(' '), '--context', 'nowhere']);
		await expect(showSettings(named, recordingTerminal())).rejects.toThrow();
		await expect(showSettings(parseCommandLine(['settings']), recordingTerminal())).rejects.toThrow();
	} finally {
		vi.unstubAllEnvs();
	}
});

test.for([
	{version: 'v1.15.3', reason: 'VersionOlder'},
	{version: 'v1.99.0', reason: 'VersionNewer'},
])(
	'$version is no known release: the nearest one is taken, and that is said ($reason)',
	async ({version, reason}) => {
		expect((await run(`settings -f ${dump} --kubernetes-version=${version}`)).err).toContain(reason);
	},
);
