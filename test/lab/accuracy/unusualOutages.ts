import {setTimeout as sleep} from 'node:timers/promises';
import {type PodKinds, tolerate} from '../../e2e/workload.ts';
import type {Experiment, Laboratory} from './laboratory.ts';

const forSeconds = (tolerationSeconds: number) => tolerate({operator: 'Exists', tolerationSeconds});
const pods: PodKinds = {
	default: [],
	brief: forSeconds(20),
	long: forSeconds(60),
	patient: tolerate({operator: 'Exists'}),
};
const ofNode = (count: number): PodKinds => ({
	...Object.fromEntries(Array.from({length: count - 1}, (_, i) => [`default-${i}`, []])),
	brief: forSeconds(20),
});
const second = 1000;
const enough = 200 * second;
const of = (zone: string, from: number, to: number) =>
	Array.from({length: to - from + 1}, (_, i) => `${zone}-${from + i}`);
const unreachable = 'node.kubernetes.io/unreachable';
const podPath = (pod: string) => `/api/v1/namespaces/shop/pods/${pod}`;
const nodePath = (node: string) => `/api/v1/nodes/${node}`;
const leasePath = (node: string) => `/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/${node}`;

const firstUnknown = async (laboratory: Laboratory) => {
	const begun = () =>
		laboratory.cluster.recorder.changes.some(
			({what, at}) => what === 'Ready=Unknown' && at > (laboratory.steps[0]?.at ?? 0),
		);
	await laboratory.until(begun, 120 * second);
};

/** Creates a pod on a node; the API server adds the default tolerations. */
const create = (laboratory: Laboratory, node: string, name: string, tolerations: readonly object[] = []) =>
	laboratory.write(
		'label',
		[node],
		'POST',
		'/api/v1/namespaces/shop/pods',
		{
			metadata: {name: `${node}-${name}`},
			spec: {nodeName: node, tolerations, containers: [{name: 'main', image: 'registry.example/none'}]},
		},
		'application/json',
	);

type Played = Omit<Experiment, 'takesLong'>;

const played: readonly Played[] = [
	...[
		{name: 'hidden-qps', qps: 5, burst: 10, hides: true},
		{name: 'hidden-qps-3', qps: 3, burst: 6, hides: true},
	].map(
		({name, qps, burst, hides}): Played => ({
			name: `unusual-${name}`,
			title: `A zone of 60 nodes dies; the client's limit of ${qps} is hidden`,
			cluster: {
				layout: {a: 60, b: 4, c: 4},
				podKinds: ofNode(8),
				flags: [`--kube-api-qps=${qps}`, `--kube-api-burst=${burst}`],
			},
			hidesFlags: hides,
			lookEvery: 10 * second,
			play: async (laboratory) => {
				laboratory.stop(...of('a', 1, 60));
				await sleep(420 * second);
			},
		}),
	),
	{
		name: 'unusual-restart-in-pass',
		title: 'The controller manager is killed in the middle of a throttled pass',
		cluster: {
			layout: {a: 50, b: 4, c: 4},
			podKinds: ofNode(10),
			flags: ['--kube-api-qps=8', '--kube-api-burst=10', '--large-cluster-size-threshold=20'],
		},
		settings: {kubeApiQps: 8, kubeApiBurst: 10, largeClusterSizeThreshold: 20},
		lookEvery: 10 * second,
		play: async (laboratory) => {
			laboratory.stop(...of('a', 1, 45));
			await firstUnknown(laboratory);
			await sleep(25 * second);
			await laboratory.restartControllers();
			await sleep(330 * second);
		},
	},
	{
		name: 'unusual-leader-with-other-flags',
		title: 'A zone stops; the next leader takes it for a large one, and has a grace of 40 s',
		cluster: {layout: {a: 10, b: 4, c: 4}, podKinds: pods},
		hidesFlags: true,
		play: async (laboratory) => {
			laboratory.stop(...of('a', 1, 7));
			await firstUnknown(laboratory);
			await sleep(30 * second);
			await laboratory.restartControllers([
				'--large-cluster-size-threshold=5',
				'--secondary-node-eviction-rate=0.05',
				'--node-monitor-grace-period=40s',
			]);
			await sleep(250 * second);
		},
	},
	{
		name: 'unusual-leader-with-a-smaller-threshold',
		title: 'A large zone is evicted slowly; the next leader stops it',
		cluster: {
			layout: {a: 12, b: 4, c: 4},
			podKinds: pods,
			flags: ['--large-cluster-size-threshold=5', '--secondary-node-eviction-rate=0.05'],
		},
		hidesFlags: true,
		play: async (laboratory) => {
			laboratory.stop(...of('a', 1, 8));
			await firstUnknown(laboratory);
			await sleep(70 * second);
			await laboratory.restartControllers(['--large-cluster-size-threshold=50']);
			await sleep(150 * second);
		},
	},
	...[35, 80].map(
		(away): Played => ({
			name: `unusual-api-away-${away}`,
			title: `The API server stands still for ${away} s in the middle of a throttled pass`,
			cluster: {
				layout: {a: 40, b: 4, c: 4},
				podKinds: ofNode(8),
				flags: ['--kube-api-qps=8', '--kube-api-burst=10'],
			},
			settings: {kubeApiQps: 8, kubeApiBurst: 10},
			lookEvery: 5 * second,
			play: async (laboratory) => {
				laboratory.stop(...of('a', 1, 40));
				await firstUnknown(laboratory);
				await sleep(12 * second);
				await laboratory.loseApiServer(away * second);
				await sleep(240 * second);
			},
		}),
	),
	{
		name: 'unusual-flapping',
		title: 'Nodes are silent for about the grace period, again and again',
		cluster: {layout: {a: 5, b: 4, c: 4}, podKinds: pods},
		play: async (laboratory) => {
			const flap = async (node: string, pauses: readonly number[]) => {
				for (const pause of pauses) {
					laboratory.stop(node);
					await sleep(pause * second);
					await laboratory.start(node);
					await sleep((2 + 6 * Math.random()) * second);
				}
			};
			await Promise.all([
				flap('a-1', [44, 47, 50, 53, 56]),
				flap('b-1', [49, 51, 48, 52, 62]),
				flap('c-1', [57, 70, 46, 66]),
				flap('a-2', [90, 64, 75]),
			]);
			await sleep(40 * second);
		},
	},
	{
		name: 'unusual-registered-anew',
		title: 'Dead nodes are deleted and registered anew by the same name, some healthy, some not',
		cluster: {layout: {a: 6, b: 4, c: 4}, podKinds: pods},
		play: async (laboratory) => {
			const {fleet} = laboratory.cluster;
			const kubelet = (name: string) => fleet.kubelets.find((one) => one.name === name);
			laboratory.stop('a-1', 'a-2', 'a-3', 'b-1');
			await laboratory.until(() => laboratory.taintedAt('a-1') !== undefined, 120 * second);
			await sleep(6 * second);
			await laboratory.deleteNode('a-1');
			await sleep(2 * second);
			await laboratory.write(
				'start',
				laboratory.everyNode,
				'POST',
				'/api/v1/nodes',
				{
					metadata: {
						name: 'a-1',
						labels: {'topology.kubernetes.io/region': 'eu', 'topology.kubernetes.io/zone': 'a'},
					},
				},
				'application/json',
			);
			await sleep(3 * second);
			await laboratory.deleteNode('a-2');
			await sleep(second);
			await kubelet('a-2')?.register();
			await laboratory.start('a-2');
			await laboratory.deleteNode('c-1');
			await sleep(12 * second);
			await kubelet('c-1')?.register();
			await laboratory.start('c-1');
			await sleep(20 * second);
			laboratory.stop('c-1');
			await sleep(150 * second);
		},
	},
	{
		name: 'unusual-moved-zone',
		title: 'Nodes of a stopped zone are moved to a healthy one, and back',
		cluster: {layout: {a: 8, b: 5, c: 4}, podKinds: pods},
		play: async (laboratory) => {
			laboratory.stop(...of('a', 1, 6));
			await firstUnknown(laboratory);
			await sleep(25 * second);
			const move = (node: string, zone: string) =>
				laboratory.label(node, {'topology.kubernetes.io/zone': zone}, true);
			await move('a-5', 'b');
			await sleep(20 * second);
			await move('a-6', 'c');
			await move('a-1', 'd');
			await sleep(45 * second);
			await move('b-1', 'a');
			await sleep(15 * second);
			await move('b-2', 'a');
			await move('b-3', 'a');
			await sleep(120 * second);
		},
	},
	{
		name: 'unusual-all-down',
		title: 'All zones go down, one after another, and come back so',
		cluster: {layout: {a: 4, b: 4, c: 4}, podKinds: pods},
		play: async (laboratory) => {
			for (const zone of ['a', 'b', 'c']) {
				laboratory.stop(...of(zone, 1, 4));
				await sleep(18 * second);
			}
			await sleep(75 * second);
			for (const zone of ['b', 'c']) {
				await laboratory.start(...of(zone, 1, 2));
				await sleep(35 * second);
			}
			await laboratory.start('a-1', 'b-3', 'c-3', 'c-4');
			await sleep(110 * second);
		},
	},
	{
		name: 'unusual-full-then-partial',
		title: 'One zone goes down, then most of another, then a node of each returns',
		cluster: {
			layout: {a: 6, b: 9, c: 5},
			podKinds: pods,
			flags: [
				'--node-eviction-rate=0.2',
				'--large-cluster-size-threshold=8',
				'--secondary-node-eviction-rate=0.04',
			],
		},
		settings: {nodeEvictionRate: 0.2, largeClusterSizeThreshold: 8, secondaryNodeEvictionRate: 0.04},
		play: async (laboratory) => {
			laboratory.stop(...of('a', 1, 6));
			await sleep(40 * second);
			laboratory.stop(...of('b', 1, 6));
			await sleep(55 * second);
			await laboratory.start('a-1');
			await sleep(30 * second);
			await laboratory.start('b-6');
			await sleep(150 * second);
		},
	},
	{
		name: 'unusual-user-taints',
		title: 'Users add and remove NoExecute taints beside nodes that fail',
		cluster: {
			layout: {a: 5, b: 4, c: 4},
			podKinds: {
				...pods,
				both: [
					...forSeconds(50),
					{key: 'maintenance', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 35},
				],
				user: [
					...tolerate({operator: 'Exists'}),
					{key: 'maintenance', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 25},
				],
			},
		},
		play: async (laboratory) => {
			const taint = {key: 'maintenance', value: 'now', effect: 'NoExecute'};
			laboratory.stop('a-1', 'a-2', 'b-1');
			await sleep(30 * second);
			await laboratory.taint('a-1', [taint]);
			await laboratory.taint('c-1', [taint]);
			await sleep(15 * second);
			await laboratory.write('taint', ['c-1'], 'PATCH', nodePath('c-1'), {
				spec: {taints: [{...taint, $patch: 'delete'}]},
			});
			await sleep(5 * second);
			await laboratory.taint('c-1', [taint]);
			await laboratory.until(() => laboratory.taintedAt('b-1') !== undefined, 60 * second);
			await sleep(4 * second);
			await laboratory.taint('b-1', [taint]);
			await sleep(12 * second);
			await laboratory.write('taint', ['b-1'], 'PATCH', nodePath('b-1'), {
				spec: {taints: [{...taint, $patch: 'delete'}]},
			});
			await sleep(3 * second);
			await laboratory.start('a-2');
			await laboratory.taint('a-2', [taint]);
			await sleep(110 * second);
		},
	},
	{
		name: 'unusual-tolerations',
		title: 'Tolerations change while countdowns run, and before; pods are created on dead nodes',
		cluster: {layout: {a: 5, b: 4, c: 4}, podKinds: pods},
		play: async (laboratory) => {
			const tolerate = (pod: string, seconds: number) => {
				laboratory.editedPods.push(`shop/${pod}`);
				return laboratory.write(
					'label',
					[pod.replace(/-\w+$/, '')],
					'PATCH',
					podPath(pod),
					{spec: {tolerations: forSeconds(seconds)}},
					'application/merge-patch+json',
				);
			};
			laboratory.stop('a-1', 'b-1', 'c-1');
			await sleep(20 * second);
			await create(laboratory, 'a-1', 'early');
			await tolerate('b-1-long', 90);
			await firstUnknown(laboratory);
			await create(laboratory, 'b-1', 'later');
			await create(laboratory, 'b-1', 'fragile', [
				{key: unreachable, effect: 'NoExecute', value: 'no'},
				{key: 'node.kubernetes.io/not-ready', effect: 'NoExecute', value: 'no'},
			]);
			await laboratory.until(() => laboratory.taintedAt('a-1') !== undefined, 60 * second);
			await sleep(8 * second);
			await create(laboratory, 'a-1', 'late');
			await create(laboratory, 'a-1', 'lately', forSeconds(25));
			await tolerate('a-1-long', 30);
			await tolerate('a-1-brief', 60);
			await sleep(22 * second);
			await create(laboratory, 'a-1', 'last', forSeconds(10));
			await create(laboratory, 'b-1', 'last');
			await tolerate('b-1-long', 20);
			await sleep(130 * second);
		},
	},
	{
		name: 'unusual-clocks-and-leases',
		title: 'Kubelets with wrong clocks die, and leases are deleted',
		cluster: {
			layout: {a: 5, b: 4, c: 4},
			podKinds: pods,
			clockOffsets: {'a-1': 120_000, 'a-2': -95_000, 'b-1': 35_000, 'c-2': -50_000},
		},
		play: async (laboratory) => {
			const drop = (node: string) =>
				laboratory.write('start', laboratory.everyNode, 'DELETE', leasePath(node));
			laboratory.stop('a-1', 'b-1');
			await sleep(15 * second);
			await drop('b-1');
			await drop('c-1');
			laboratory.stop('a-2');
			await sleep(20 * second);
			await drop('a-3');
			laboratory.stop('c-2', 'a-3');
			await sleep(40 * second);
			await drop('a-2');
			await drop('c-2');
			await sleep(140 * second);
		},
	},
	{
		name: 'unusual-taint-removed-by-hand',
		title: 'Taints of the controllers are removed and added by hand',
		cluster: {layout: {a: 5, b: 4, c: 4}, podKinds: pods},
		play: async (laboratory) => {
			const take = (node: string, effect: string) =>
				laboratory.write(
					'taint',
					of('abc'.includes(node[0] ?? '') ? (node[0] ?? '') : 'a', 1, 5),
					'PATCH',
					nodePath(node),
					{spec: {taints: [{key: unreachable, effect, $patch: 'delete'}]}},
				);
			laboratory.stop('a-1', 'a-2', 'b-1');
			await laboratory.until(
				() => laboratory.taintedAt('a-1') !== undefined && laboratory.taintedAt('b-1') !== undefined,
				120 * second,
			);
			await sleep(7 * second);
			await take('b-1', 'NoExecute');
			await sleep(9 * second);
			await take('a-1', 'NoSchedule');
			await sleep(4 * second);
			await take('a-1', 'NoExecute');
			await laboratory.write('taint', ['c-1'], 'PATCH', nodePath('c-1'), {
				spec: {taints: [{key: unreachable, effect: 'NoExecute'}]},
			});
			await laboratory.write('taint', ['c-2'], 'PATCH', nodePath('c-2'), {
				spec: {
					taints: [
						{
							key: 'node.kubernetes.io/not-ready',
							effect: 'NoExecute',
							timeAdded: `${new Date(Date.now() - 20_000).toISOString().slice(0, 19)}Z`,
						},
					],
				},
			});
			await sleep(25 * second);
			await take('b-1', 'NoExecute');
			await sleep(130 * second);
		},
	},
	{
		name: 'unusual-hidden-rates',
		title: 'A zone dies with a hidden rate of 1, a period of 2 s and a grace of 25 s',
		cluster: {
			layout: {a: 24, b: 4, c: 4},
			podKinds: pods,
			flags: [
				'--node-eviction-rate=1',
				'--node-monitor-period=2s',
				'--node-monitor-grace-period=25s',
				'--large-cluster-size-threshold=10',
			],
		},
		hidesFlags: true,
		play: async (laboratory) => {
			laboratory.stop(...of('a', 1, 9));
			await sleep(55 * second);
			laboratory.stop(...of('a', 10, 20));
			await sleep(130 * second);
		},
	},
	{
		name: 'unusual-not-ready',
		title: 'Kubelets report NotReady, and die or return then',
		cluster: {
			layout: {a: 6, b: 4, c: 4},
			podKinds: {
				...pods,
				uneven: [
					{key: unreachable, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 70},
					{
						key: 'node.kubernetes.io/not-ready',
						operator: 'Exists',
						effect: 'NoExecute',
						tolerationSeconds: 30,
					},
				],
			},
		},
		play: async (laboratory) => {
			const report = (node: string, status: string) => {
				const now = `${new Date().toISOString().slice(0, 19)}Z`;
				return laboratory.write('start', laboratory.everyNode, 'PATCH', `${nodePath(node)}/status`, {
					status: {
						conditions: [
							{
								type: 'Ready',
								status,
								reason: 'KubeletNotReady',
								lastHeartbeatTime: now,
								lastTransitionTime: now,
							},
						],
					},
				});
			};
			await report('a-1', 'False');
			await sleep(3 * second);
			await report('a-2', 'False');
			await report('b-1', 'False');
			await sleep(8 * second);
			laboratory.stop('a-1');
			await report('b-1', 'True');
			await sleep(4 * second);
			await report('b-1', 'False');
			await sleep(25 * second);
			laboratory.stop('a-2', 'a-3');
			await sleep(160 * second);
		},
	},
	{
		name: 'unusual-two-restarts',
		title: 'Two leaders end in the middle of countdowns; the API server is restarted between',
		cluster: {layout: {a: 6, b: 4, c: 4}, podKinds: pods, flags: ['--node-monitor-grace-period=30s']},
		hidesFlags: true,
		play: async (laboratory) => {
			laboratory.stop('a-1', 'a-2', 'b-1');
			await laboratory.until(() => laboratory.taintedAt('a-1') !== undefined, 120 * second);
			await sleep(5 * second);
			await laboratory.restartControllers(['--node-monitor-grace-period=60s']);
			await sleep(45 * second);
			await laboratory.loseApiServer(20 * second);
			await sleep(200 * second);
		},
	},
	{
		name: 'unusual-slow-api',
		title: 'The API server answers slowly while a zone is marked',
		cluster: {layout: {a: 20, b: 4, c: 4}, podKinds: pods},
		play: async (laboratory) => {
			laboratory.stop(...of('a', 1, 20));
			await firstUnknown(laboratory);
			for (let turn = 0; turn < 12; turn += 1) {
				await laboratory.pause('apiserver', 2500);
				await sleep(1500);
			}
			await sleep(enough);
		},
	},
];

/** Outages of kinds that are seldom drawn. */
export const unusualOutages: readonly Experiment[] = played.map((one) => ({...one, takesLong: true}));
