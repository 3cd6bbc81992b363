import {expect, test} from 'vitest';
import {readTargets} from '../../cmd/args/targets.ts';
import {parseCommandLine} from '../../cmd/commands/commandTable.ts';
import {dashboardAnswer} from '../../cmd/dashboard/dashboardWhatIf.ts';
import {type ChangeScene, changeRequests, changesOf} from '../../cmd/questions/changes.ts';
import {rescueScene, rescueTargets} from '../../cmd/questions/rescueAction.ts';
import {answer, howManyMore, whatIf} from '../../cmd/questions/whatIfAction.ts';
import type {AskedScene} from '../../cmd/sources/look.ts';
import type {ClusterSnapshot} from '../../src/core/model/clusterSnapshot.ts';
import {unseenControlPlane} from '../../src/core/model/controlPlane.ts';
import {controllerManagerLease} from '../../src/core/model/lease.ts';
import {defaultSettings} from '../../src/core/model/versionProfile.ts';
import {nothingRelated} from '../../src/core/model/workloads/related.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import {finish} from '../../src/forecast/pausable.ts';
import {resolveSettings} from '../../src/forecast/settings/resolve.ts';
import type {SettingsEvidence} from '../../src/forecast/settings/settingsEvidence.ts';
import type {PodChange} from '../../src/forecast/whatif/whatIf.ts';
import {nothingPressed} from '../../src/session/pressureStage.ts';
import {aForecaster} from '../support/aForecaster.ts';
import {aCondition, aLease, aNode, aPod, aTaint, inZone, tolerates} from '../support/builders.ts';
import {printedBy} from './printed.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const now = Date.parse('2026-01-31T14:00:00Z');
const unreachable = 'node.kubernetes.io/unreachable';
const tolerations = [tolerates('node.kubernetes.io/not-ready', 300), tolerates(unreachable, 300)];
const marked = {ready: 'False', readyChangedAt: now - minute, markedNotReadyAt: now - minute} as const;
const outage = (names: readonly string[], dead: readonly string[]): ClusterSnapshot => ({
	observedAt: now,
	source: 'file',
	kubernetesVersion: 'v1.36.3',
	nodes: names.map((name) => {
		const isDead = dead.includes(name);
		const ready = isDead
			? aCondition('Ready', 'Unknown', {lastTransitionTime: now - minute})
			: aCondition('Ready', 'True', {lastHeartbeatTime: now - minute});
		const taints = isDead ? [aTaint(unreachable, {timeAdded: now - minute})] : [];
		return aNode(name, {labels: inZone(name.slice(0, 1)), conditions: [ready], taints});
	}),
	leases: names.map((name) => aLease(name, dead.includes(name) ? now - 2 * minute : now - 3 * second)),
	pods: names.map((name) =>
		aPod(`pod-${name}`, {nodeName: name, tolerations, ...(dead.includes(name) && marked)}),
	),
	problems: [],
});
const snapshot = outage(['a-0', 'a-1', 'a-2', 'b-0', 'b-1'], ['a-0']);

type Run = (...asked: Parameters<typeof answer>) => Promise<number>;

function aScene(seen = snapshot, flags: SettingsEvidence['flags'] = {}): AskedScene {
	const forecaster = aForecaster({}, seen);
	const forecast = forecaster.forecast(seen.observedAt);
	const controlPlane = unseenControlPlane('hidden');
	const {kubernetesVersion: serverVersion} = seen;
	const evidence = {flags, versionFlag: undefined, serverVersion, controlPlane};
	const inForce = {evidence, resolved: resolveSettings(evidence)};
	return {
		...{snapshot: seen, inForce, forecaster, forecast, namespace: 'shop'},
		...{related: async () => nothingRelated, pressure: async () => nothingPressed, absence: async () => ''},
	};
}

const gpu = {driver: 'gpu.example.com', pool: 'rack/1', device: 'gpu-0'};
const slice = {
	...({kind: 'ResourceSlice', name: 'rack', driver: gpu.driver, pool: gpu.pool, generation: 1} as const),
	devices: [{name: gpu.device, taints: []}],
};
const scene: ChangeScene = {...snapshot, now, namespace: 'shop', deviceObjects: [slice]};
const read = (line: string) =>
	changesOf(changeRequests(parseCommandLine(`what-if ${line}`.split(' ')).flags), scene);

test.for<{line: string; want: readonly unknown[]}>([
	{line: '--node-down a-1', want: [{type: 'nodeDown', node: 'a-1', at: now}]},
	{
		line: '--node-down a-1,b-0@+1m',
		want: [
			{type: 'nodeDown', node: 'a-1', at: now},
			{type: 'nodeDown', node: 'b-0', at: now + minute},
		],
	},
	{line: '--cordon node/a-1', want: [{type: 'cordon', node: 'a-1', unschedulable: true, at: now}]},
	{line: '--node-back a-0@+2m', want: [{type: 'nodeBack', node: 'a-0', at: now + 2 * minute}]},
	{
		line: '--zone-down eu/b@90s',
		want: ['b-0', 'b-1'].map((node) => ({type: 'nodeDown', node, at: now + 90 * second})),
	},
	{
		line: '--zone-back eu/a@2026-01-31T14:01:00Z',
		want: ['a-0', 'a-1', 'a-2'].map((node) => ({type: 'nodeBack', node, at: now + minute})),
	},
	{
		line: '--taint a-1=gpu=yes:NoExecute@+1s',
		want: [
			{type: 'taint', node: 'a-1', taint: {key: 'gpu', value: 'yes', effect: 'NoExecute'}, at: now + second},
		],
	},
	{
		line: '--untaint a-0=node.kubernetes.io/unreachable',
		want: [{type: 'untaint', node: 'a-0', key: unreachable, at: now}],
	},
	{
		line: '--out-of-service a-0',
		want: [
			{
				...{type: 'taint', node: 'a-0', at: now},
				taint: {key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute'},
			},
		],
	},
	{
		line: '--device-taint gpu.example.com/rack/1/gpu-0@+1m',
		want: [
			{
				...{type: 'deviceTaint', device: gpu, at: now + minute},
				taint: {key: 'what-if', value: '', effect: 'NoExecute'},
			},
		],
	},
	{
		line: '--device-taint gpu.example.com/rack/1/gpu-0=broken=very',
		want: [
			{
				...{type: 'deviceTaint', device: gpu, at: now},
				taint: {key: 'broken', value: 'very', effect: 'NoExecute'},
			},
		],
	},
	{line: '--cordon a-1', want: [{type: 'cordon', node: 'a-1', unschedulable: true, at: now}]},
	{line: '--delete-node a-1', want: [{type: 'deleteNode', node: 'a-1', at: now}]},
	{line: '--controller-down', want: [{type: 'controllersDown', at: now}]},
	{line: '--controller-restart +5m', want: [{type: 'controllersStart', at: now + 5 * minute}]},
	{
		line: '--set node-eviction-rate=1@+1m',
		want: [{type: 'controllersStart', settings: {nodeEvictionRate: 1}, at: now + minute}],
	},
	{
		line: '--toleration pod-a-0=forever',
		want: [
			{
				...{type: 'tolerations', pod: 'shop/pod-a-0', at: now},
				tolerations: [tolerates('node.kubernetes.io/not-ready'), tolerates(unreachable)],
			},
		],
	},
	{
		line: '--node-down a-1 --node-back a-0',
		want: [
			{type: 'nodeDown', node: 'a-1', at: now},
			{type: 'nodeBack', node: 'a-0', at: now},
		],
	},
])('$line', ({line, want}) => {
	expect(read(line)).toEqual(want);
});

test.for([
	['--node-down z-9', 'node "z-9" not found'],
	['--zone-down eu/z', 'zone "eu/z" not found'],
	['--toleration nobody=5', 'pod "nobody" not found'],
	['--node-down a-1@yesterday', 'want a time such as @+2m'],
	['--node-down a-1@2026-01-31T13:00:00Z', 'is in the past'],
	['--taint a-1=gpu', 'want NODE=KEY[=VALUE]:EFFECT'],
	['--untaint a-1=gpu:Never', 'want NODE=KEY[:EFFECT]'],
	['--device-taint gpu-0', 'want DRIVER/POOL/DEVICE[=KEY[=VALUE]]'],
	['--device-taint gpu.example.com/rack/1/gpu-9', 'device "gpu.example.com/rack/1/gpu-9" not found'],
	['--toleration pod-a-0=soon', 'want POD=SECONDS'],
	['--set colour=blue', "one of kube-controller-manager's flags"],
	['--set node-eviction-rate=fast', 'want a number'],
	['--set enable-taint-manager=false', 'cannot be simulated'],
	['--node-down @+2m', 'the name is missing'],
] as const)('%s is refused', ([line, message]) => {
	expect(() => read(line)).toThrow(message);
});

test('a zone needs no region where only one has its name', () => {
	expect(read('--zone-down b')).toEqual(read('--zone-down eu/b'));
});

test('a question is needed, and one at a time', async () => {
	const ask = (line: string) => whatIf(parseCommandLine(line.split(' ')), recordingTerminal());
	await expect(ask('what-if')).rejects.toThrow('what-if needs a change');
	await expect(ask('what-if pod/a-1')).rejects.toThrow('--node-down NODE, or');
	for (const words of ['a-1', 'node/a-1', 'node a-1'])
		await expect(ask(`what-if ${words}`)).rejects.toThrow('for example --node-down a-1, or');
	await expect(ask('what-if --how-many-more --node-down a-1')).rejects.toThrow('cannot be combined');
});

test('an answer says that it is about what is named alone', async () => {
	const note = 'Only pods of node/b-0 are counted here';
	expect((await printed('what-if node/b-0 --node-down a-1')).out).toContain(note);
	expect((await printed('what-if --node-down a-1')).out).not.toContain('are counted here');
});

const printed = (line: string, run: Run = answer, of = aScene()) =>
	printedBy((terminal) => run({...of, options: parseCommandLine(line.split(' ')), terminal}));

test('before and after are printed side by side', async () => {
	const {exitCode, out} = await printed('what-if --node-back a-0@+2m --node-down b-0');
	expect(exitCode).toBe(0);
	expect(out).toMatch(
		/\nIf node b-0 falls silent now \(14:00:00Z\)\nand node a-0 comes back at 14:02:00Z \(in 2m\):\n/,
	);
	expect(out).toMatch(
		/:\nPods: +1 more pod will be evicted in 5m49s-5m52s; 1 will not be evicted\nReach zero: +because of this: shop/,
	);
	expect(out).toMatch(/shop +pod-b-0 +b-0 +added +Safe +5m49s-5m52s +Lost/);
	expect(out).toMatch(/shop +pod-a-0 +a-0 +avoided +3m59s-4m2s +Safe/);
	expect(out).toMatch(/\nZones: +no zone changes its state because of this; evictions are not\s+stopped\n/);
	expect(out).not.toMatch(/\nZONE/);
});

test.for<{kubernetesVersion: string; flags?: SettingsEvidence['flags']; note: RegExp}>([
	{
		kubernetesVersion: 'v1.35.2',
		note: /Device taints may evict no pod: the gate DRADeviceTaints is off by default/,
	},
	{kubernetesVersion: 'v1.35.2', flags: {deviceTaints: false}, note: /does not evict pods .*is off\)/},
	{kubernetesVersion: 'v1.36.3', note: /^(?!.*DRADeviceTaints)/s},
])('device taints at $kubernetesVersion, with $flags', async ({flags, note, ...of}) => {
	const tainted = aScene({...snapshot, ...of, deviceObjects: [slice]}, flags);
	const {out} = await printed('what-if --device-taint gpu.example.com/rack/1/gpu-0', answer, tainted);
	expect(out.replaceAll(/\s+/g, ' ')).toMatch(note);
});

test('a node takes the controller manager along that runs on it, and another one takes over where there is one', async () => {
	const ask = async (changes: string, labelled = 'b-0', host = 'b-0') => {
		const labels = {'node-role.kubernetes.io/control-plane': ''};
		const nodes = snapshot.nodes.map((node) =>
			node.name === labelled ? {...node, labels: {...node.labels, ...labels}} : node,
		);
		const holderIdentity = `${host}_1234`;
		const leaderLease = {...controllerManagerLease, holderIdentity, renewTime: now - 1000};
		const leases = [...(snapshot.leases ?? []), leaderLease];
		return (await printed(`what-if ${changes}`, answer, aScene({...snapshot, nodes, leases}))).out;
	};
	const alone = await ask('--node-down b-0');
	expect(alone).toContain(
		'and the controller manager, which ran on node b-0, is lost now (14:00:00Z):\nUntil a controller manager runs, nothing is tainted, evicted or set not ready.\n',
	);
	// Both pods are evicted some time after controllers run again.
	expect(alone).toMatch(
		/\nPods: +no additional pod will be evicted; 1 more will be held; 1 will be\s+held instead of evicted\n/,
	);
	expect(alone).toMatch(
		/\nZones: +all evictions are stopped, as no controller manager runs; no zone\s+changes its state until one does\n/,
	);
	expect(await ask('--node-down b-0', 'b-1')).toContain(
		'\nand a new controller manager starts at 14:00:17Z (in 17s):\n',
	);
	expect(await ask('--node-down b-0 --controller-restart=+1m')).not.toContain(
		'the controller manager, which ran',
	);
	expect(await ask('--node-down b-1')).not.toContain('the controller manager, which ran');
	// It keeps running, though the kubelet of its node is already silent.
	expect(await ask('--node-down a-0', 'b-0', 'a-0')).not.toContain('the controller manager, which ran');
});

test('where no controller manager runs, no zone is said to evict, whatever is supposed of nodes', async () => {
	const ask = async (changes: string) => {
		const leaderLease = {...controllerManagerLease, renewTime: now - 5 * minute};
		const leases = [...(snapshot.leases ?? []), leaderLease];
		return (await printed(`what-if ${changes}`, answer, aScene({...snapshot, leases}))).out;
	};
	const none = /\nZones: +all evictions are stopped, as no controller manager runs/;
	expect(await ask('--node-down b-0')).toMatch(none);
	expect(await ask('--node-down b-0 --controller-restart=+1m')).not.toMatch(none);
});

test('pods that become held are named, although none of them is evicted', async () => {
	const halfDead = aScene(outage(['a-0', 'a-1', 'a-2', 'a-3', 'a-4', 'b-0'], ['a-0', 'a-1', 'a-2']));
	const {out} = await printed('what-if --node-down a-3', answer, halfDead);
	expect(out).toMatch(/1 more will be held/);
	expect(out).toMatch(/shop +pod-a-3 +a-3 +held +Safe +Held/);
	// A pod that tolerates its node's taint forever is not held.
	const {pods, ...others} = outage(['a-0', 'a-1', 'a-2', 'a-3', 'a-4', 'b-0'], ['a-0', 'a-1', 'a-2']);
	const agent = aPod('agent', {
		nodeName: 'a-3',
		tolerations: [{key: unreachable, operator: 'Exists', value: '', effect: ''}],
	});
	const {out: withAgent} = await printed(
		'what-if --node-down a-3',
		answer,
		aScene({...others, pods: [...pods, agent]}),
	);
	expect(withAgent).toMatch(/1 more will be held/);
	expect(withAgent).not.toMatch(/agent +a-3 +held/);
});

test('and as JSON', async () => {
	const {out} = await printed('what-if --zone-down eu/b -o json');
	const json = JSON.parse(out);
	expect(json).toMatchObject({apiVersion: 'evictwatch.dev/v1', kind: 'WhatIf', metadata: {source: 'file'}});
	expect(json.changes[0]).toEqual({
		...{at: '2026-01-31T14:00:00.000Z', type: 'nodeDown', what: 'node b-0 falls silent'},
	});
	const pod = json.pods.find((one: {metadata: {name: string}}) => one.metadata.name === 'pod-b-1');
	expect(pod).toMatchObject({
		effect: 'added',
		before: {verdict: 'Safe', eviction: null},
		after: {verdict: 'Expected', after: {outcome: 'Lost'}},
	});
	const zone = json.zones.find((one: {zone: string}) => one.zone === 'eu/b');
	expect(zone.after.steps.map((step: {state: string}) => step.state)).toEqual(['Normal', 'FullDisruption']);
});

test('tainting a node out of service is looked at beforehand, with a warning', async () => {
	const {out} = await printed('what-if --out-of-service a-0');
	expect(out).toContain('Out of service: what the taint does to node a-0');
	expect(out).toContain('1 deleted at once: shop/pod-a-0');
	expect(out).toMatch(/deletes these by force\s+within 20 s/);
	expect(out).toContain('Warning: be sure that a-0 is off');
	const gone = await printed('what-if --delete-node a-0 --out-of-service a-0@+1m');
	expect(gone.out).not.toContain('Out of service:');
});

test('who gets there first is told before and after, where causes compete', async () => {
	const {out} = await printed('what-if --delete-node a-0');
	expect(out).toMatch(/NODE +PODS +ENDED BEFORE BY +ENDED AFTER BY/);
	expect(out).toMatch(/a-0 +pod-a-0 +taint 3m59s-4m2s +node gone 40s-1m21s, taint 3m59s-4m2s/);
	const json = JSON.parse((await printed('what-if --delete-node a-0@+5m -o json')).out);
	const pod = json.pods.find((one: {metadata: {name: string}}) => one.metadata.name === 'pod-a-0');
	const causes = (endings: readonly {cause: string}[]) => endings.map(({cause}) => cause);
	expect(causes(pod.before.endings)).toEqual(['Taint']);
	expect(causes(pod.after.endings)).toEqual(['Taint', 'NodeDeleted']);
	expect(pod.effect).toBe('unchanged');
	expect((await printed('what-if --node-down b-0')).out).not.toContain('ENDED BEFORE BY');
});

test('what is Terminating on a dead node goes by force where that is out of service or deleted', async () => {
	const [dead, ...others] = snapshot.pods;
	if (!dead) throw new Error('no pod');
	const forecaster = aForecaster(
		{},
		{
			...snapshot,
			pods: [{...dead, deletionTimestamp: now}, ...others],
		},
	);
	const scene = {...aScene(), forecaster, forecast: forecaster.forecast(now)};
	const say = async (line: string) => {
		const {out} = await printedBy((terminal) =>
			answer({...scene, options: parseCommandLine(line.split(' ')), terminal}),
		);
		const {pods} = JSON.parse(out);
		return pods.find((one: {metadata: {name: string}}) => one.metadata.name === 'pod-a-0');
	};
	const {before, after} = await say('what-if --out-of-service a-0@+1m -o json');
	expect(before.endings).toEqual([]);
	expect(after.endings).toMatchObject([
		{cause: 'OutOfService', isForced: true, at: {earliest: '2026-01-31T14:01:00.000Z'}},
	]);
	const gone = await say('what-if --delete-node a-0 -o json');
	expect(gone.after.endings).toMatchObject([{cause: 'NodeDeleted', isForced: true}]);
});

test('how many more nodes a zone can lose is counted', async () => {
	const {out} = await printed('what-if --how-many-more', howManyMore);
	expect(out).toMatch(/eu\/a +Normal +2\/3 +0\.1\/s +2 more: evictions go on at 0\.1\/s \(FullDisruption\)/);
	expect(out).toMatch(/eu\/b +Normal .*2 more: [^(]*\(FullDisruption/);
	expect(out).toContain('If all 4 nodes that are ready fail');
	const json = JSON.parse((await printed('what-if --how-many-more -o json', howManyMore)).out);
	expect(json).toMatchObject({kind: 'LossOutlook', untilAllStop: 4});
});

test('until when a pod can be saved is proved, and what else would do it is shown as a command', async () => {
	const run: Run = (of) =>
		rescueScene(
			of,
			[snapshot.pods[0]].flatMap((pod) => pod ?? []),
		);
	const {out} = await printed('rescue pod/pod-a-0', run);
	// The countdown ends 4 min from now at the earliest; a pass, one every 5 s, must first see the heartbeat.
	expect(out).toMatch(/pod-a-0 +a-0 +3m59s-4m2s +Scheduled +14:03:5[0-4]Z/);
	expect(out).toMatch(/ {2}\* by 14:03:5\dZ \(in 3m\d+s\): bring its node back\n/);
	expect(out).toMatch(
		/by 14:03:5\dZ \(in 3m\d+s\): let it tolerate the taint forever; it then waits,\n +not ready, until its node is back\n +kubectl patch pod pod-a-0 -n shop --type=json/,
	);
	expect(out).not.toMatch(/What will delete it|kubectl delete|out-of-service/);
	expect(out).not.toMatch(/tolerate the taint longer|may not help/);
	const delaying = out.split('What only delays the eviction:\n')[1]?.replaceAll(/\n {4}(?! )/g, ' ');
	expect(delaying).toMatch(
		/by 14:03:5\S+ \(in 3m\d+s\): remove the taint from its node; if done now, it is evicted in 5m\S* \(14:05:\S+\)\n/,
	);
	expect(delaying).toMatch(
		/DESTRUCTIVE, by 14:03:5\S+ \(in 3m\d+s\): stop kube-controller-manager.*; nothing is evicted until a new one starts; then every grace period and countdown starts again\n/,
	);
	expect(out).toContain(`kubectl taint node a-0 ${unreachable}:NoExecute-`);
	const json = JSON.parse((await printed('rescue -o json', (of) => rescueScene(of, undefined))).out);
	expect(json).toMatchObject({
		kind: 'Rescue',
		pods: [
			{
				node: 'a-0',
				remedies: [
					{kind: 'NodeBack', effect: 'Saves'},
					{kind: 'Tolerate', effect: 'Saves'},
					{kind: 'Untaint', effect: 'Delays'},
					{kind: 'StopControllers', effect: 'Delays'},
				],
			},
		],
		held: [],
	});
});

test('commands to be pasted go to the cluster that was asked', async () => {
	const {out} = await printed('rescue pod/pod-a-0 --context prod -s http://api:8001', (of) =>
		rescueScene(of, snapshot.pods.slice(0, 1)),
	);
	const commands = out.match(/kubectl .*/g) ?? [];
	expect(commands.length).toBeGreaterThan(0);
	expect(commands.filter((one) => !one.endsWith(' --context prod -s http://api:8001'))).toEqual([]);
});

test('where nothing is to go nothing is to be saved', async () => {
	const {out} = await printed('rescue pod/pod-b-0', (of) => rescueScene(of, snapshot.pods.slice(3, 4)));
	expect(out).toContain(
		'pod/pod-b-0 in namespace shop: no rescue needed: node b-0 is ready, and no taint\nevicts it.',
	);
});

test.for([
	{line: 'rescue node/a-0', out: /shop +pod-a-0 +a-0/, err: ''},
	{line: 'rescue zone/eu/a', out: /shop +pod-a-0 +a-0/, err: ''},
	{
		line: 'rescue node/a-0 -n bank',
		out: /No eviction is predicted/,
		err: 'Pods in other namespaces: 1 will be evicted; see them with -A.\n',
	},
	{
		line: 'rescue -n bank',
		out: /No eviction is predicted/,
		err: 'Pods in other namespaces: 1 will be evicted; see them with -A.\n',
	},
	{line: 'rescue node/b-0 -n bank', out: /No eviction is predicted/, err: ''},
	{line: 'rescue node/b-0', out: /pod-b-0 in namespace shop: no rescue needed/, err: ''},
	{line: 'rescue zone/eu/b', out: /Z; all times .*\n\nNo eviction is predicted/, err: ''},
])('"$line": the pods of a node or zone are those of all namespaces, unless one is given', async (one) => {
	const terminal = recordingTerminal();
	const options = parseCommandLine(one.line.split(' '));
	await rescueTargets(readTargets(options.names), {...aScene(), namespace: 'bank', options, terminal});
	const {out, err} = terminal.texts();
	expect(out).toMatch(one.out);
	expect(err).toBe(one.err);
});

test('of a workload that is named, pods of other namespaces are not told', async () => {
	const terminal = recordingTerminal();
	const options = parseCommandLine('rescue sts/db -n bank'.split(' '));
	const owner = {kind: 'StatefulSet', name: 'db', uid: 'db'};
	const db = aPod('db-0', {namespace: 'bank', nodeName: 'b-0', owner});
	const scene = {...aScene({...snapshot, pods: [...snapshot.pods, db]}), namespace: 'bank'};
	await rescueTargets(readTargets(options.names), {...scene, options, terminal});
	expect(terminal.texts()).toMatchObject({out: expect.stringContaining('No eviction is predicted'), err: ''});
});

test('of a pod whose namespace no flag gives, the only one of its name is rescued', async () => {
	const ask = async (line: string) => {
		const terminal = recordingTerminal();
		const options = parseCommandLine(line.split(' '));
		await rescueTargets(readTargets(options.names), {...aScene(), namespace: 'bank', options, terminal});
		return terminal.texts();
	};
	const {out, err} = await ask('rescue pod-a-0');
	expect(out).toMatch(/shop +pod-a-0 +a-0/);
	expect(err).toBe('pod pod-a-0 is in namespace shop\n');
	await expect(ask('rescue pod-a-0 -n bank')).rejects.toThrow('there is one in shop');
});

test.for([
	{line: 'rescue zone/z', error: 'zone "z" not found'},
	{line: 'rescue node/a-9', error: 'node "a-9" not found'},
])('"$line" is an error, as nothing would be a false calm', async ({line, error}) => {
	const options = parseCommandLine(line.split(' '));
	await expect(
		rescueTargets(readTargets(options.names), {...aScene(), options, terminal: recordingTerminal()}),
	).rejects.toThrow(error);
});

test('a template takes what it asks for', async () => {
	const {out} = await printed('what-if --node-down b-0 -o jsonpath={.kind},{.changes[0].type}');
	expect(out).toBe('WhatIf,nodeDown');
});

test('where nodes are evicted without taints their turn is played', async () => {
	const legacy = {...defaultSettings, taintBasedEvictions: false, taintEviction: false};
	const forecaster = aForecaster(legacy, snapshot);
	const scene = {...aScene(), forecaster, forecast: forecaster.forecast(now)};
	const {out} = await printedBy((terminal) =>
		answer({...scene, options: parseCommandLine('what-if --node-down b-0 -o json'.split(' ')), terminal}),
	);
	const pods: readonly PodChange[] = JSON.parse(out).pods;
	const added = pods.filter(({effect}) => effect === 'added');
	expect(added.length).toBeGreaterThan(0);
	for (const {after} of added) {
		expect(after.cause).toEqual({kind: 'NodeEviction'});
		expect(after.because[0]).toMatch(/its node's eviction timeout is over/);
	}
	const target = {kind: 'node', name: 'b-0'} as const;
	const inTimeZone = finish(dashboardAnswer(target, 'down', forecaster, now));
	expect(inTimeZone('UTC').join('\n')).toMatch(/\d+ more pods? will be evicted/);
	expect(inTimeZone('UTC')[0]).toContain('all times are UTC');
	expect(inTimeZone('Asia/Kolkata')[0]).toContain('all times are Asia/Kolkata (UTC+05:30)');
});

test('of a node that is down already the answer says so, and what reaches zero comes before the pods', async () => {
	const {out} = await printed('what-if --node-down a-0 --node-down b-0');
	expect(out).toContain('Node a-0 is down already (Tainted): this changes nothing by itself.\n');
	expect(out).not.toContain('Node b-0 is');
	expect(out.indexOf('reaches zero')).toBeLessThan(out.indexOf('NAMESPACE'));
});

test('pods, workloads and namespaces narrow what a what-if tells', async () => {
	const all = JSON.parse((await printed('what-if --node-down b-0 -o json')).out);
	const one = JSON.parse((await printed('what-if --node-down b-0 pod/pod-b-0 -o json')).out);
	const none = JSON.parse((await printed('what-if --node-down b-0 -l app=nope -o json')).out);
	expect(all.pods.length).toBeGreaterThan(1);
	expect(one.pods.map(({metadata}: {metadata: {name: string}}) => metadata.name)).toEqual(['pod-b-0']);
	expect(none.pods).toEqual([]);
});
