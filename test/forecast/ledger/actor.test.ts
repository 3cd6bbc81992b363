import {expect, test} from 'vitest';
import type {ClusterEvent} from '../../../src/core/model/clusterEvent.ts';
import type {Node} from '../../../src/core/model/node.ts';
import type {Observation} from '../../../src/core/model/observation.ts';
import type {Pod} from '../../../src/core/model/pod.ts';
import type {NodeClaim, NodeReadinessRule} from '../../../src/core/model/repairObject.ts';
import {taintUnreachable} from '../../../src/core/model/taint.ts';
import {second} from '../../../src/core/time/instant.ts';
import type {Actor} from '../../../src/forecast/ledger/actor.ts';
import {PredictionLedger} from '../../../src/forecast/ledger/predictionLedger.ts';
import {formatScore} from '../../../src/print/score.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aForecast} from '../../print/forecasts.ts';
import {aNode, aPod, aTaint, tolerates} from '../../support/builders.ts';

const web = aPod('web');
const gone: Observation = {type: 'nodeDeleted', name: 'n1'};

/** Plays what a watch brings, a second apart, after a node with a pod; the pod's end comes last. */
function play(
	node: Partial<Node>,
	seen: readonly Observation[],
	end: Partial<Pod>,
	release = 'v1.36.3',
	after: readonly Observation[] = [],
) {
	const store = new ClusterStore();
	const actors: (Actor | undefined)[] = [];
	const ledger = new PredictionLedger(store, ({actor}) => actors.push(actor));
	ledger.add(aForecast({kubernetesVersion: release}));
	const all: readonly Observation[] = [
		{type: 'nodeApplied', node: aNode('n1', node)},
		{type: 'podApplied', pod: web},
		...seen,
		{type: 'podApplied', pod: {...web, ...end, deletionTimestamp: 100 * second}},
		{type: 'podDeleted', namespace: 'shop', name: 'web'},
	];
	for (const [index, one] of [...all, ...after].entries()) ledger.take(store.apply([one], index * second));
	// By then no event will tell more of it.
	ledger.add(aForecast({kubernetesVersion: release, observedAt: (all.length + after.length + 3) * second}));
	return {actors, ledger};
}

const deletingNode: Observation = {
	type: 'eventApplied',
	event: {
		...{namespace: 'default', name: 'n1.1', reason: 'DeletingNode', about: 'n1'},
		...{first: {at: 0, precision: 0}, last: {at: 0, precision: 0}, createdAt: 0},
	} satisfies ClusterEvent,
};

const claim: NodeClaim = {
	...{kind: 'NodeClaim', name: 'c1', nodeName: 'n1', providerId: '', pool: 'default'},
	...{provider: 'karpenter.k8s.aws', deletionTimestamp: 0},
};

const rule: NodeReadinessRule = {
	...{kind: 'NodeReadinessRule', name: 'network', isDryRun: false, conditions: []},
	taint: {key: 'readiness.k8s.io/network', effect: 'NoExecute'},
	selector: {matchLabels: {}, matchExpressions: []},
};

const unreachable = aTaint(taintUnreachable, {timeAdded: 0});
const evicted = {isDisruptionTarget: true, evictedAt: 0} as const;
const byApi = {isDisruptionTarget: true, disruptedBy: 'EvictionByEvictionAPI'} as const;
const collected = {isDisruptionTarget: true, isCollected: true, phase: 'Failed'} as const;
const write = (manager: string, time: number) => ({manager, operation: 'Update', time});

const owner = {kind: 'ReplicaSet', name: 'web', uid: 'web'} as const;
const byOwner = {kind: 'Owner', by: 'ReplicaSet web'} as const;
const scaledDown: Observation = {
	type: 'eventApplied',
	event: {
		...{namespace: 'shop', name: 'web.1', reason: 'SuccessfulDelete', about: 'shop/web'},
		...{first: {at: 0, precision: 0}, last: {at: 0, precision: 0}, createdAt: 0},
	},
};

test.for<{
	name: string;
	node?: Partial<Node>;
	seen?: readonly Observation[];
	end: Partial<Pod>;
	actor: Actor | undefined;
	release?: string;
	/** What a watch brings after it. */
	after?: readonly Observation[];
}>([
	{
		name: 'a taint of the controllers',
		node: {taints: [unreachable], taintWrites: [write('kube-controller-manager', 0)]},
		end: evicted,
		actor: {kind: 'TaintEviction'},
	},
	{
		name: 'a taint of a person',
		node: {
			taints: [aTaint('gpu')],
			taintWrites: [write('kube-controller-manager', 0), write('kubectl-taint', 9000)],
		},
		end: evicted,
		actor: {kind: 'TaintEviction', by: 'kubectl-taint'},
	},
	{
		name: 'a rule of the node readiness controller',
		node: {taints: [aTaint('readiness.k8s.io/network')]},
		seen: [{type: 'repairApplied', object: rule}],
		end: evicted,
		actor: {kind: 'TaintEviction', by: 'NodeReadinessRule network'},
	},
	{
		name: 'the taint of a device',
		end: {isDisruptionTarget: true, deviceEvictedAt: 0},
		actor: {kind: 'DeviceTaintEviction'},
	},
	{
		name: 'preemption',
		end: {isDisruptionTarget: true, disruptedBy: 'PreemptionByScheduler'},
		actor: {kind: 'Scheduler'},
	},
	{name: 'its kubelet', end: {disruptedBy: 'TerminationByKubelet'}, actor: {kind: 'Kubelet'}},
	{
		name: 'the shutdown of its node',
		end: {disruptedBy: 'TerminationByKubelet', isShutDown: true},
		actor: {kind: 'Kubelet', by: 'the shutdown of its node'},
	},
	{
		name: 'the shutdown of its node, whoever deletes it then',
		seen: [
			{
				type: 'podApplied',
				pod: {...web, phase: 'Failed', disruptedBy: 'TerminationByKubelet', isShutDown: true},
			},
		],
		end: {...evicted, phase: 'Failed', isShutDown: true},
		actor: {kind: 'Kubelet', by: 'the shutdown of its node'},
	},
	{
		name: 'a taint, and the shutdown of its node only after that',
		node: {taints: [unreachable]},
		seen: [{type: 'podApplied', pod: {...web, ...evicted, deletionTimestamp: 100 * second}}],
		end: {...evicted, phase: 'Failed', isShutDown: true},
		actor: {kind: 'TaintEviction'},
	},
	{name: 'somebody by the Eviction API', end: byApi, actor: {kind: 'EvictionAPI'}},
	{name: 'a drain', node: {unschedulable: true}, end: byApi, actor: {kind: 'EvictionAPI', by: 'a drain'}},
	{
		name: 'the cluster autoscaler',
		node: {unschedulable: true, taints: [aTaint('ToBeDeletedByClusterAutoscaler')]},
		end: byApi,
		actor: {kind: 'EvictionAPI', by: 'the cluster autoscaler'},
	},
	{
		name: 'Karpenter, by its taint',
		node: {taints: [aTaint('karpenter.sh/disrupted')]},
		end: byApi,
		actor: {kind: 'EvictionAPI', by: 'Karpenter'},
	},
	{
		name: 'Karpenter, by the deletion of its NodeClaim',
		seen: [{type: 'repairApplied', object: claim}],
		end: byApi,
		actor: {kind: 'EvictionAPI', by: 'Karpenter'},
	},
	{
		name: 'whoever asked, where a NodeClaim of no machine is deleted',
		seen: [{type: 'repairApplied', object: {...claim, nodeName: ''}}],
		end: byApi,
		actor: {kind: 'EvictionAPI'},
	},
	{
		name: 'the cloud that deleted its Node',
		seen: [deletingNode, gone],
		end: collected,
		actor: {kind: 'PodGarbageCollection', by: "its cloud's controller"},
	},
	{
		name: 'the cloud, whose event comes later',
		seen: [gone, deletingNode],
		end: collected,
		actor: {kind: 'PodGarbageCollection', by: "its cloud's controller"},
	},
	{
		name: 'the cluster autoscaler that deleted its Node',
		node: {taints: [aTaint('ToBeDeletedByClusterAutoscaler')]},
		seen: [gone],
		end: collected,
		actor: {kind: 'PodGarbageCollection', by: 'the cluster autoscaler'},
	},
	{
		name: 'whoever deleted its Node',
		seen: [gone],
		end: collected,
		actor: {kind: 'PodGarbageCollection'},
	},
	{
		name: 'nobody known, of another Node of that name',
		seen: [deletingNode, gone, {type: 'nodeApplied', node: aNode('n1', {uid: 'young'})}, gone],
		end: collected,
		actor: {kind: 'PodGarbageCollection'},
	},
	{
		name: 'whoever deleted a Node that is younger than what a cloud said of its name',
		node: {createdAt: second},
		seen: [deletingNode, gone],
		end: collected,
		actor: {kind: 'PodGarbageCollection'},
	},
	{
		name: 'a person whose taint it does not tolerate, while a countdown runs',
		node: {
			taints: [unreachable, aTaint('out-of-service')],
			taintWrites: [write('kube-controller-manager', 0), write('kubectl-taint', 9000)],
		},
		end: {...evicted, tolerations: [tolerates(taintUnreachable, 300)]},
		actor: {kind: 'TaintEviction', by: 'kubectl-taint'},
	},
	{name: 'whoever asked for its deletion', end: {}, actor: {kind: 'DeleteRequest'}},
	{name: 'nobody known, before conditions', end: {}, actor: undefined, release: 'v1.24.0'},
	{name: 'nobody known, as its owner may have', end: {owner}, actor: undefined},
	{name: 'its owner, which says so', end: {owner}, after: [scaledDown], actor: byOwner},
	{name: 'its owner, which said so before', seen: [scaledDown], end: {owner}, actor: byOwner},
	{
		name: 'whoever asked for it, as its owner replaces it',
		end: {owner},
		after: [{type: 'podApplied', pod: {...aPod('web-2'), owner}}],
		actor: {kind: 'DeleteRequest'},
	},
	{
		name: 'nobody known, as a StatefulSet replaces what it deletes',
		end: {owner: {...owner, kind: 'StatefulSet'}},
		after: [{type: 'podApplied', pod: {...aPod('web-2'), owner: {...owner, kind: 'StatefulSet'}}}],
		actor: undefined,
	},
	{name: 'nobody known of a static pod', end: {isMirror: true}, actor: undefined},
])('the end of a pod has its actor: $name', ({node = {}, seen = [], end, actor, release, after = []}) => {
	const {actors, ledger} = play(node, seen, end, release, after);
	expect(actors).toEqual([actor]);
	expect(ledger.score.ends).toEqual({all: 1, named: actor ? 1 : 0});
	expect(formatScore(ledger.score).includes('1 unexplained')).toBe(actor === undefined);
});

test('before conditions, the event of an eviction names the controller', () => {
	const marking: ClusterEvent = {
		...{namespace: 'shop', name: 'web.1', reason: 'MarkingForDeletion', about: 'shop/web'},
		...{first: {at: 0, precision: 0}, last: {at: 0, precision: 0}, createdAt: 0},
	};
	const seen = [{type: 'eventApplied', event: marking}] as const;
	expect(play({taints: [unreachable]}, seen, {}, 'v1.24.0').actors).toEqual([{kind: 'TaintEviction'}]);
});

test.for([
	['late', [{kind: 'DeleteRequest'}]],
	['historyLost', [undefined]],
] as const)('who asked for a deletion is told unless a gap may hide who announced it: %s', ([type, told]) => {
	const store = new ClusterStore();
	const actors: (Actor | undefined)[] = [];
	const ledger = new PredictionLedger(store, ({actor}) => actors.push(actor));
	ledger.add(aForecast({}));
	ledger.take(store.apply([{type: 'podApplied', pod: web}], 0));
	ledger.take(store.apply([{type: 'podDeleted', namespace: 'shop', name: 'web'}], second, {type, since: 0}));
	expect(actors).toEqual([]);
	ledger.end();
	expect(actors).toEqual(told);
});
