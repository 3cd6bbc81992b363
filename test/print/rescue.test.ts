import {expect, test} from 'vitest';
import type {Pod} from '../../src/core/model/pod.ts';
import type {PodForecast} from '../../src/forecast/podForecast.ts';
import {forecastPressure} from '../../src/forecast/pressure/forecastPressure.ts';
import type {Range} from '../../src/forecast/range.ts';
import type {StuckPod} from '../../src/forecast/stuckPods.ts';
import type {Remedy} from '../../src/forecast/whatif/remedy.ts';
import type {PodRescue} from '../../src/forecast/whatif/rescues.ts';
import type {Trigger} from '../../src/forecast/whatif/triggers.ts';
import type {PodChange} from '../../src/forecast/whatif/whatIf.ts';
import type {WorkloadImpact} from '../../src/impact/workloadImpact.ts';
import {formatRescue} from '../../src/print/whatif/rescue.ts';
import {rescueJson} from '../../src/print/whatif/rescueJson.ts';
import {aNodePod, memoryLeft, memoryStats} from '../support/pressure.ts';
import {aForecast, aPodForecast, inSeconds, now} from './forecasts.ts';

const nobody = {now, pods: [], held: []};

const aPod = (name: string): Pod => ({
	...{namespace: 'shop', name, uid: name, nodeName: 'n1', labels: {}, phase: 'Running', isMirror: false},
	...{tolerations: [], createdAt: now - 1e6},
});

const held = (name: string) => {
	const stop = {by: 'evictions in zone eu/a are stopped', since: null, releasedBy: 'a node is back'};
	const forecast = aPodForecast({
		...{name, uid: name, verdict: 'Held', eviction: null},
		held: {...stop, ifReleasedNow: inSeconds(10)},
	});
	return {forecast, pod: aPod(name)};
};

test('a held pod is told what keeps it when evictions resume, as commands', () => {
	const text = formatRescue({...nobody, kept: [held('cart-0')]});
	expect(text).toContain(
		'pod/cart-0 in namespace shop is held: safe as long as evictions are stopped, and\nno longer.\n' +
			'To keep it after that, do one of these now:\n',
	);
	expect(text).toContain('  * bring its node back\n      (on node n1) systemctl restart kubelet\n');
	expect(text).toMatch(
		/\n {2}\* let it tolerate the taint forever: it then waits, not ready, until its node\n {4}is back\n {6}kubectl patch pod cart-0 -n shop --type=json -p '\[.*"operator":"Exists"/,
	);
	const owner = {kind: 'ReplicaSet', name: 'cart-1', uid: 'rs'};
	const one = held('cart-0');
	const replicated = formatRescue({...nobody, kept: [{...one, forecast: {...one.forecast, owner}}]});
	expect(replicated.replaceAll(/\s+/g, ' ')).toContain(
		'until its node is back, and its ReplicaSet starts no other pod instead',
	);
	const unread = {...held('cart-0'), pod: undefined};
	expect(formatRescue({...nobody, kept: [unread]})).not.toContain('tolerate');
});

test('a Ready node must be well again before its kubelet evicts or it is repaired, where that has not begun', () => {
	const textOf = (eviction: Range) => {
		const forecast = aPodForecast({eviction});
		const rescue = {forecast, pod: aPod('cart-0'), remedies: [], endings: [], isNodeWell: true};
		return formatRescue({...nobody, pods: [rescue]});
	};
	expect(textOf(inSeconds(60, 90))).toContain('14:01:00Z');
	expect(textOf(inSeconds(0, 90))).toMatch(/ no use: its node is removed +-\n/);
	// Of one that is not well a return stops no removal either.
	const forecast = aPodForecast({cause: {kind: 'NodeRemoval', by: 'whoever deleted its Node'}});
	const rescue = {forecast, pod: aPod('cart-0'), remedies: [], endings: [], isNodeWell: false};
	const text = formatRescue({...nobody, pods: [rescue]});
	expect(text).toMatch(/ no use: its node is removed +-\n/);
	expect(text).not.toContain('bring its node back');
});

/** A pod of a workload; it is evicted ten seconds after the last time at which its node's return saves it. */
function ofCart(name: string, node: string, seconds: number): PodRescue {
	const pod = {...aPod(name), nodeName: node};
	const owner = {kind: 'StatefulSet', name: 'cart', uid: 'cart'};
	const forecast = aPodForecast({name, uid: name, node, owner, eviction: inSeconds(seconds + 10)});
	const remedy = (kind: Remedy['kind'], change: Remedy['change']): Remedy => ({
		...{kind, until: now + seconds * 1000, effect: 'Saves', eviction: null, change},
	});
	const remedies = [
		remedy('NodeBack', {type: 'nodeBack', node, at: now}),
		remedy('StopControllers', {type: 'controllersDown', at: now}),
	];
	return {forecast, pod, remedies, endings: [], isNodeWell: false};
}

test('of several pods each way is told once, with the time of each where that differs', () => {
	const pods = [ofCart('cart-0', 'n1', 60), ofCart('cart-1', 'n2', 30)];
	expect(formatRescue({...nobody, pods})).toContain(
		`
To save statefulset/cart (2 pods) in namespace shop, do one of these for each
pod:
  * bring its node back
      by 14:00:30Z (in 30s):
        (on node n2) systemctl restart kubelet
      by 14:01:00Z (in 1m):
        (on node n1) systemctl restart kubelet
What only delays the eviction for each pod:
  * DESTRUCTIVE, by 14:00:30Z (in 30s): stop kube-controller-manager, and with
    it every other controller of the cluster; nothing is evicted until a new one
    starts; then every grace period and countdown starts again
      (on the control plane) move`,
	);
});

test('what replaces a pod that is not saved is told with when it is ready, as far as that is known', () => {
	const textOf = (after: PodForecast['after']) => {
		const {forecast, ...rest} = ofCart('cart-0', 'n1', 30);
		return formatRescue({...nobody, pods: [{...rest, forecast: {...forecast, after}}]});
	};
	const replaced = {outcome: 'Replaced', detail: '', readyAfter: {least: 0, most: 20}} as const;
	expect(textOf(replaced)).toContain('Else what replaces it is ready in 40s-1m (14:00:40Z/14:01:00Z).\n');
	const blocked = {outcome: 'Blocked', detail: ''} as const;
	expect(textOf(blocked)).toContain('Else what replaces it is not ready by itself.\n');
	expect(textOf(null)).not.toContain('Else');
});

test('a row has its deadline from the pod that must be saved first, and its times from all; those too late have a row of their own', () => {
	const tooLate = {...ofCart('cart-2', 'n3', -8), remedies: []};
	const pods = [tooLate, ofCart('cart-0', 'n1', 60), ofCart('cart-1', 'n2', 30)];
	const rows = formatRescue({...nobody, pods}).split('\n');
	expect(rows.filter((row) => row.startsWith('shop '))).toEqual([
		expect.stringMatching(/ cart-2 +n3 +2s +Scheduled +see rescue POD +-$/),
		expect.stringMatching(/ statefulset\/cart \(2 pods\) +n2,n1 +40s-1m10s +Scheduled +14:00:30Z +30s$/),
	]);
});

test('a deadline that would slide from look to look is told as at once, and the toleration is offered where it may still help', () => {
	const one = ofCart('cart-0', 'n1', 2);
	const forecast = {...one.forecast, eviction: inSeconds(0, 3600)};
	const tolerate: Remedy = {
		...{kind: 'Tolerate', until: undefined, effect: 'Nothing', eviction: inSeconds(0, 1), mayHelp: true},
		change: {type: 'tolerations', pod: 'shop/cart-0', tolerations: [], at: now},
	};
	const [back] = one.remedies;
	const text = formatRescue({...nobody, pods: [{...one, forecast, remedies: back ? [back, tolerate] : []}]});
	expect(text).toMatch(/ cart-0 +n1 +0s-1h +Scheduled +at once +<5s$/m);
	expect(text).toContain(
		'  * at once: bring its node back; may be in time: it is evicted in 0s-1h\n      (on node n1) systemctl',
	);
	expect(text).toContain(
		'  * at once: let it tolerate the taint forever; saves it unless it is evicted\n    first; it then waits',
	);
	expect(text).toContain('kubectl patch pod cart-0 -n shop');
	const useless = {...tolerate, mayHelp: false};
	const without = formatRescue({
		...nobody,
		pods: [{...one, forecast, remedies: back ? [back, useless] : []}],
	});
	expect(without).not.toContain('kubectl patch');
});

test('pods of a workload whose countdown runs are not shown with those that wait for long; one stands for many', () => {
	const pods = ['0', '1', '2', '3'].map((index) => {
		const one = ofCart(`cart-${index}`, `n${index}`, 60);
		const verdict = index < '2' ? 'Scheduled' : 'Expected';
		return {
			...one,
			forecast: {...one.forecast, verdict},
			remedies: one.remedies.slice(0, index === '1' ? 2 : 1),
		} as const;
	});
	const text = formatRescue({...nobody, pods});
	expect(text.match(/^shop .*$/gm)).toEqual([
		expect.stringMatching(/ statefulset\/cart \(2 pods\) +n0,n1 /),
		expect.stringMatching(/ statefulset\/cart \(2 pods\) +n2,n3 /),
	]);
	expect(text).toContain('\nFor example, to save pod/cart-1 in namespace shop, do one of these:\n');
	expect(text).toContain('\nEvery way to save a pod:\n  kubectl evictwatch rescue cart-1 -n shop\n');
});

test('of pods of several workloads that the same saves, each way and command is told once', () => {
	const going = (namespace: string, name: string): PodRescue => {
		const pod = {...aPod(name), namespace, nodeName: 'n1'};
		const change = {type: 'nodeBack', node: 'n1', at: now} as const;
		const back: Remedy = {kind: 'NodeBack', until: now + 60_000, effect: 'Saves', eviction: null, change};
		const stop: Remedy = {...back, kind: 'StopControllers', change: {type: 'controllersDown', at: now}};
		const forecast = aPodForecast({namespace, name, uid: name, node: 'n1', eviction: inSeconds(70)});
		return {forecast, pod, remedies: [back, stop], endings: [], isNodeWell: false};
	};
	const pods = [going('shop', 'cart'), going('shop', 'search'), going('bank', 'ledger')];
	const text = formatRescue({...nobody, pods});
	expect(text).toContain(
		`
To save pod/ledger in namespace bank, pod/cart and pod/search in namespace shop,
do one of these for each pod:
  * by 14:01:00Z (in 1m): bring its node back
      (on node n1) systemctl restart kubelet
What only delays`,
	);
	expect(text.match(/systemctl restart kubelet/g)).toHaveLength(1);
	expect(text.match(/^(shop|bank) /gm)).toHaveLength(3);
});

/** A node with MemoryPressure for twenty seconds, measured once, with this much memory left. */
function pressed(left: string) {
	const times = {lastHeartbeatTime: now, lastTransitionTime: now - 20_000};
	return forecastPressure(
		{
			...{node: 'b2', samples: [{seenAt: now, summary: memoryLeft(left, [memoryStats('web', '2Gi')])}]},
			pods: [aNodePod('web')],
			config: {
				evictionHard: {'memory.available': '500Mi'},
				evictionSoft: {'memory.available': '2Gi'},
				evictionSoftGracePeriod: {'memory.available': '3m'},
				enforceNodeAllocatable: [],
			},
			conditions: [{type: 'MemoryPressure', status: 'True', ...times}],
			evicted: [],
			reports: [],
		},
		now,
	);
}

test('of a pod that its kubelet may evict, it is said when, and that its kubelet decides that', () => {
	const pressure = pressed('1Gi');
	const [eviction] = pressure.evictions;
	const cause = {kind: 'NodePressure', signals: ['memory.available']} as const;
	const textOf = (kind: string, place = {first: 1, last: 1}) => {
		const owner = {kind, name: kind === 'ReplicaSet' ? 'web-5d4f7c9b8' : 'web', uid: 'owner'};
		const name = kind === 'ReplicaSet' ? 'web-5d4f7c9b8-x2x4z' : 'web-0';
		const forecast = aPodForecast({
			name,
			node: 'b2',
			verdict: 'Unsure',
			cause,
			labels: {'pod-template-hash': '5d4f7c9b8'},
			owner,
			eviction: eviction?.when ?? null,
		});
		const evictions = eviction ? [{...eviction, place, pod: {...eviction.pod, name}}] : [];
		const of = {forecast, pod: undefined, remedies: [], endings: [], isNodeWell: false};
		return formatRescue({...nobody, pods: [{...of, pressure: {...pressure, evictions}}]});
	};
	expect(textOf('ReplicaSet', {first: 2, last: 2})).toMatch(/Evicted: {7}now \(14:00:00Z\) or later\n/);
	expect(textOf('ReplicaSet').replaceAll(/\n +/g, ' ')).toContain(
		'Evicted:       now (14:00:00Z) or later: at once if memory.available (1Gi) falls below 500Mi; after 3m below 2Gi by 14:03:20Z at the latest, counted from this look, unless it rises above that before\n',
	);
	for (const kind of ['ReplicaSet', 'StatefulSet', 'DaemonSet']) {
		expect(textOf(kind)).toContain('\n  kubectl evictwatch pressure b2 -w\n');
		expect(textOf(kind)).not.toMatch(/To save|kubectl (rollout|delete|cordon)/);
	}
});

test('of many pods that their own kubelets evict none is told in full: one can be asked for', () => {
	const pods = ['a', 'b', 'c', 'd'].map((name): PodRescue => {
		const owner = {kind: 'StatefulSet', name, uid: name};
		const cause = {kind: 'NodePressure', signals: ['memory.available']} as const;
		const forecast = aPodForecast({...{name: `${name}-0`, uid: name, owner, cause}, eviction: inSeconds(60)});
		return {forecast, pod: aPod(`${name}-0`), remedies: [], endings: [], isNodeWell: false};
	});
	const text = formatRescue({...nobody, pods});
	expect(text).not.toContain('\nEvicted:');
	expect(text).toContain('Every way to save a pod:\n  kubectl evictwatch rescue a-0 -n shop\n');
	expect(formatRescue({...nobody, pods: pods.slice(1)})).toContain('\nEvicted:');
});

test('where a node is under pressure, nothing is not the whole answer', () => {
	const text = formatRescue({...nobody, pressed: [pressed('4Gi')]});
	const [, hint = ''] = text.split('\n\n').slice(-2);
	expect(text).toContain('No eviction is certain, but some are possible: b2 has MemoryPressure.\n');
	expect(text).not.toContain('nothing to prevent');
	expect(hint.replaceAll(/\n(?! )/g, ' ')).toBe(
		'Node b2 has MemoryPressure: if memory.available (4Gi) falls below 500Mi or below 2Gi for 3m, shop/web is evicted first, by what pods use now. When its kubelet evicts pods, this tells after 20s:\n  kubectl evictwatch pressure b2 -w ',
	);
	expect(formatRescue(nobody)).not.toContain('pressure');
});

const back = (node: string, pods: readonly PodChange[]): Trigger => ({
	...{change: [{type: 'nodeBack', node, at: now}], what: `${node} recovers`, pods, unread: []},
});

const added = (name: string, node: string, seconds: number): PodChange => {
	const before = aPodForecast({name, uid: name, node, verdict: 'Held', eviction: null});
	const after = {...before, verdict: 'Expected', eviction: inSeconds(seconds)} as const;
	return {before, after, effect: 'added', shift: null, endings: {before: [], after: []}};
};

const inZone = (...triggers: readonly Trigger[]) => ({
	zone: 'eu/a',
	by: 'evictions in zone eu/a are stopped',
	triggers,
});

test('the return of its node is warned of where that very node releases others, and how many', () => {
	const others = [added('web-0', 'n2', 10), added('web-1', 'n3', 20)];
	const text = (...triggers: readonly Trigger[]) =>
		formatRescue({...nobody, held: [inZone(...triggers)], kept: [held('cart-0')]});
	expect(text(back('n1', others))).toContain(
		'(on node n1) systemctl restart kubelet\n        then 2 held pods of n2, n3 will be evicted, the first in 10s, the last\n          in 20s (evictions resume)\n',
	);
	const ofAnother = text(back('n1', []), back('n2', others));
	expect(ofAnother).not.toContain('then 2 held pods');
	expect(ofAnother).toMatch(/n1 recovers: no additional pod will be evicted\n/);
});

test('what would release held pods is told in the words of a what-if, with the times of the pod that is asked for', () => {
	const pods = [added('web-0', 'n2', 10), added('cart-0', 'n1', 131)];
	const text = formatRescue({...nobody, held: [inZone(back('n2', pods))], kept: [held('cart-0')]});
	expect(text).not.toContain('No pod will be evicted');
	expect(text).toContain(
		'\nHeld: evictions in zone eu/a are stopped. What would change that, if it happened\nnow:\n',
	);
	const allDown = formatRescue({...nobody, held: [{...inZone(back('n2', pods)), by: 'every zone is down'}]});
	expect(allDown).toContain('\nHeld in zone eu/a: every zone is down. What');
	expect(text).toMatch(
		/n2 recovers: 2 held pods of n2, n1 will be evicted, the first in 10s, the last\n {4}in 2m11s \(evictions resume\)\n/,
	);
});

test('of a held pod it is said in one place when it is evicted after what would resume evictions', () => {
	const lost = {change: [{type: 'nodeDown', node: 'n8', at: now}], what: 'n8 fails too', unread: []} as const;
	const triggers = [
		back('n1', []),
		back('n2', [added('cart-0', 'n1', 131)]),
		{...lost, pods: [added('cart-0', 'n1', 180)]},
	];
	const text = formatRescue({...nobody, held: [inZone(...triggers)], kept: [held('cart-0')]});
	expect(text).toMatch(
		/ and\nno longer\. Evictions in zone eu\/a resume when a node is back\. It would be\nevicted, for example:\n {6}in 2m11s\S* if n2 recovers now\n {6}in 3m\S* if n8 fails too now\nTo keep it/,
	);
});

test('of many changes that come to the same for a held pod one is named, and the others counted', () => {
	const backs = (count: number) =>
		Array.from({length: count}, (_, index) => back(`n${index + 2}`, [added('cart-0', 'n1', 131)]));
	const text = (count: number) =>
		formatRescue({...nobody, held: [inZone(...backs(count))], kept: [held('cart-0')]});
	expect(text(2)).toContain('\n      in 2m11s if n2 recovers or n3 recovers now\n');
	expect(text(3)).toContain('if n2 recovers now (2 other changes have the same effect, see\n');
	expect(text(6)).toContain('if n2 recovers now (5 other changes have the same effect, see\n');
});

test('a new controller manager is left out where that changes nothing', () => {
	const start = (pods: readonly PodChange[]): Trigger => ({
		...{change: [{type: 'controllersStart', at: now}], what: 'a new controller manager starts', pods},
		unread: [],
	});
	const text = (pods: readonly PodChange[]) => formatRescue({...nobody, held: [inZone(start(pods))]});
	expect(text([])).not.toContain('new controller manager');
	expect(text([added('web-0', 'n2', 10)])).toMatch(
		/new controller manager starts: 1 held pod of n2 will be evicted in 10s/,
	);
});

test('nodes that would be lost and whose pods were not read are named', () => {
	const change = [{type: 'nodeDown', node: 'n8', at: now}] as const;
	const lost = {change, what: 'n8 fails too', pods: [], unread: ['n8']};
	expect(formatRescue({...nobody, held: [inZone(lost)]})).toContain(
		'no additional pod will be evicted, not counting pods of n8\n',
	);
});

test('held pods of one workload share a name, and zones that the same thing stops one answer', () => {
	const owner = {kind: 'StatefulSet', name: 'cart', uid: 'cart'};
	const kept = ['cart-0', 'cart-1'].map((name) => {
		const one = held(name);
		return {...one, forecast: {...one.forecast, owner}};
	});
	const start = {
		change: [{type: 'controllersStart', at: now}],
		what: 'a new controller manager starts',
	} as const;
	const zones = ['eu/a', 'eu/b'].map((zone, index) => ({
		...{zone, by: 'every zone is down'},
		triggers: [back(`n${index}`, []), {...start, pods: [added('web-0', 'n2', 10)], unread: []}],
	}));
	const text = formatRescue({...nobody, kept, held: zones});
	expect(text).toContain('\nstatefulset/cart (2 pods) in namespace shop are held: safe as long as');
	expect(text.match(/^Held.*$/gm)).toEqual([
		'Held in zones eu/a, eu/b: every zone is down. What would change that, if it',
	]);
	expect(text.match(/^ {2}(n\d recovers.*|a new controller manager starts)(?=:)/gm)).toEqual([
		'  n0 recovers, or n1 recovers',
		'  a new controller manager starts',
	]);
	expect(text).not.toContain('would be evicted');
});

test('of more held pods of several workloads one command leads on, of few it is told at once', () => {
	const few = [held('cart-0'), held('web-0')];
	const text = formatRescue({...nobody, kept: [...few, held('web-1'), held('web-2')]});
	expect(text).toContain(
		'How to keep a held pod when evictions resume:\n  kubectl evictwatch rescue cart-0 -n shop\n',
	);
	expect(text).not.toContain('kubectl patch');
	expect(formatRescue({...nobody, kept: few})).toMatch(
		/^pod\/cart-0 in namespace shop, pod\/web-0 in namespace shop are held: .*\n.*\nTo keep them after that, .*\n {2}\* bring its node back\n {6}\(on node n1\) systemctl restart kubelet\n/m,
	);
});

test('a pod that needs no rescue is told why', () => {
	const forecast = aPodForecast({
		verdict: 'Stays',
		eviction: null,
		because: ['it tolerates gpu:NoExecute forever'],
	});
	expect(formatRescue({...nobody, kept: [{forecast, pod: undefined}]})).toContain(
		'\npod/cart-0 in namespace shop: no rescue needed: it tolerates gpu:NoExecute\nforever.\n',
	);
});

test('of a pod that nothing keeps any more it is not said that it needs no rescue', () => {
	const textOf = (fields: Parameters<typeof aPodForecast>[0]) =>
		formatRescue({...nobody, kept: [{forecast: aPodForecast(fields), pod: undefined}]});
	expect(textOf({verdict: 'Overdue'})).toContain(
		'pod/cart-0 in namespace shop: it should have been evicted already, and may be at\nany moment: until then the return of node n1 saves it.\n',
	);
	const cause = {kind: 'Taint', taint: 'maintenance:NoExecute'} as const;
	expect(textOf({verdict: 'Overdue', cause})).toMatch(/ at\nany moment\.\n/);
	expect(textOf({verdict: 'Expected', cause: {kind: 'NodeDeleted'}})).toContain(
		'pod/cart-0 in namespace shop: too late: its Node object is gone.\n',
	);
});

const stuckOn = (pod: PodForecast): StuckPod => ({pod, end: {by: 'Nobody', finalizers: []}});

test('pods that a finalizer holds are told that, and no node is named to bring back', () => {
	const pod = aPodForecast({verdict: 'Terminating', eviction: null});
	const text = formatRescue({
		...nobody,
		stuck: [{pod, end: {by: 'Kubelet', finalizers: ['example.com/protect']}}],
	});
	expect(text).toMatch(
		/Stuck: 1 pod Terminating .*until the finalizer\s+example.com\/protect\s+is\s+removed/,
	);
	expect(text).not.toContain('taint node');
});

test('pods that remain Terminating are told what ends that, what destroys last', () => {
	const text = formatRescue({
		...nobody,
		stuck: [stuckOn(aPodForecast({verdict: 'Terminating', eviction: null}))],
	});
	expect(text).toMatch(/\nStuck: 1 pod Terminating \(shop\/cart-0\), until the kubelet is back, /);
	expect(text).toMatch(
		/systemctl restart kubelet\n {2}\* DESTRUCTIVE, only if .*\n {4}.*\n {6}kubectl taint node n1 .*out-of-service=nodeshutdown:NoExecute'?\n$/,
	);
	expect(text).toContain('\nNo eviction is predicted, so there is nothing to prevent.\n');
});

test('of a pod that is deleted already that is said, also while others are held, and not what would release those', () => {
	const forecast = aPodForecast({verdict: 'Terminating', eviction: null});
	const others = [inZone(back('n2', [added('web-0', 'n2', 10)]))];
	const text = formatRescue({
		...nobody,
		kept: [{forecast, pod: undefined}],
		stuck: [stuckOn(forecast)],
		held: others,
	});
	expect(text).toContain('\nToo late: pod/cart-0 in namespace shop is deleted already.\n');
	expect(text).not.toContain('What would change that');
	expect(formatRescue({...nobody, stuck: [stuckOn(forecast)], held: others})).toContain(
		'\nNo pod will be evicted while evictions are stopped. What would change that is\nbelow.\n',
	);
});

test.for([
	{
		readyNow: 6,
		want: 'Too late: pod/cart-0 in namespace shop is deleted already; deployment/storefront in namespace shop has 6/6 pods ready, not counting those that are stuck: no rescue needed.',
	},
	{
		readyNow: 5,
		want: 'Too late: pod/cart-0 in namespace shop is deleted already; deployment/storefront in namespace shop has 5/6 pods ready.',
	},
	{readyNow: null, want: 'Too late: pod/cart-0 in namespace shop is deleted already.'},
])('of stuck pods it is said first what is left: of $readyNow/6 ready "$want"', ({readyNow, want}) => {
	const stuck = [aPodForecast({verdict: 'Terminating', eviction: null})];
	const stuckOf: readonly WorkloadImpact[] = [
		{
			...{namespace: 'shop', kind: 'Deployment', name: 'storefront', desired: 6, readyNow, losses: []},
			...{lowest: {ready: readyNow, at: null}, reachesZero: false, budgets: [], services: []},
			...{endpoints: [], priority: 0, held: 0, outcomes: {}},
		},
	];
	const kept = stuck.map((forecast) => ({forecast, pod: undefined}));
	const text = formatRescue({...nobody, kept, stuck: stuck.map(stuckOn), stuckOf}).replaceAll('\n', ' ');
	expect(text.indexOf(want)).toBeGreaterThan(0);
	expect(text.indexOf(want)).toBeLessThan(text.indexOf('Stuck: 1 pod'));
});

test('a way to save a pod has its last instant in JSON where it has one, and a command where the pod is known', () => {
	const remedies: readonly Remedy[] = [
		{
			kind: 'NodeBack',
			until: now + 60_000,
			effect: 'Saves',
			eviction: null,
			change: {type: 'nodeBack', node: 'n1', at: now},
		},
		{
			kind: 'Tolerate',
			until: undefined,
			effect: 'Saves',
			eviction: null,
			change: {type: 'tolerations', pod: 'cart-0', tolerations: [], at: now},
		},
	];
	const rescueOf = (pod: Pod | undefined) => ({
		...nobody,
		pods: [{forecast: aPodForecast(), pod, remedies, endings: [], isNodeWell: false}],
	});
	const waysOf = (pod: Pod | undefined) =>
		rescueJson(rescueOf(pod), aForecast()).pods[0]?.remedies.map(({until, command}) => [
			until,
			command !== '',
		]);
	expect(waysOf(aPod('cart-0'))).toEqual([
		[now + 60_000, true],
		[null, true],
	]);
	expect(waysOf(undefined)).toEqual([
		[now + 60_000, false],
		[null, false],
	]);
	expect(formatRescue(rescueOf(undefined))).not.toMatch(/\n +\n/);
});

test('a time that is not the latest one says so', () => {
	const {remedies, ...rest} = ofCart('cart-0', 'n1', 60);
	const [back] = remedies.filter(({kind}) => kind === 'NodeBack');
	if (!back) throw new Error('its node does not come back');
	const textOf = (remedy: Remedy) => formatRescue({...nobody, pods: [{...rest, remedies: [remedy]}]});
	expect(textOf({...back, isEarly: true})).toMatch(/ 14:01:00Z at least +1m at least\n/);
	// One that is nearly over says nothing of the latest.
	expect(textOf({...back, isEarly: true, until: now + 2000})).toMatch(/ see rescue POD +-\n/);
	expect(textOf(back)).toMatch(/ 14:01:00Z +1m\n/);
	const isEarlyIn = (remedy: Remedy) =>
		rescueJson({...nobody, pods: [{...rest, remedies: [remedy]}]}, aForecast({})).pods[0]?.remedies[0]
			?.isEarly;
	expect([isEarlyIn({...back, isEarly: true}), isEarlyIn(back)]).toEqual([true, false]);
});
