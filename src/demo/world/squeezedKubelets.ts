import {encodeNodeStats, encodePodStats} from '../../cluster/kubelet/encodeKubelet.ts';
import {minOf} from '../../core/collections/extremes.ts';
import {kept} from '../../core/collections/kept.ts';
import type {NodeCondition} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import type {TimedEvictionEffect} from '../../core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../core/nodepressure/evictionLoop.ts';
import {evictionSettings} from '../../core/nodepressure/thresholds/evictionSettings.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {DemoPod} from '../encode/workload.ts';
import type {DemoCluster} from './demoCluster.ts';
import {demoMemory} from './demoMemory.ts';

/** The configuration of the demo's kubelets, also shown at `/configz`. */
const kubeletconfig = {
	evictionHard: {
		'memory.available': '1Gi',
		'nodefs.available': '10%',
		'nodefs.inodesFree': '5%',
		'imagefs.available': '15%',
	},
	evictionSoft: {'memory.available': '4Gi'},
	evictionSoftGracePeriod: {'memory.available': '3m0s'},
	evictionMinimumReclaim: {'memory.available': '500Mi'},
	evictionMaxPodGracePeriod: 30,
	evictionPressureTransitionPeriod: '5m0s',
	// Disables the threshold for the memory of all pods, which the demo does not measure.
	enforceNodeAllocatable: [],
	localStorageCapacityIsolation: true,
	kernelMemcgNotification: false,
};

const interval: Duration = 10 * second;

/**
 * The kubelets' memory management: statistics of every node, and an eviction manager on nodes with a leak.
 *
 * @param podEvicted called for an evicted pod, which ends as Failed with this message
 */
export function squeezedKubelets(
	{simulation, random, events, follow, workloadOf}: DemoCluster,
	podEvicted: (pod: Pod, message: string, at: Instant) => void,
) {
	const memories = new Map<string, ReturnType<typeof demoMemory>>();
	const loops = new Map<string, EvictionLoop>();

	const podsOf = (node: string): readonly DemoPod[] =>
		simulation.state
			.podsOnNode(node)
			.filter(({phase}) => phase === 'Running')
			.map((pod) => ({pod, workload: workloadOf(pod)}));

	const memoryOf = (node: string) => kept(memories, node, () => demoMemory(() => podsOf(node)));

	const putCondition = (name: string, condition: NodeCondition) => {
		const node = simulation.state.node(name)?.node;
		if (!node) return;
		const conditions = [...node.conditions.filter(({type}) => type !== condition.type), condition];
		follow(simulation.observe({type: 'nodeApplied', node: {...node, conditions}}));
	};

	const show = (node: string, {at, effect}: TimedEvictionEffect) => {
		switch (effect.type) {
			case 'conditionChanged': {
				const status = effect.isTrue ? 'True' : 'False';
				putCondition(node, {type: effect.condition, status, lastHeartbeatTime: at, lastTransitionTime: at});
				break;
			}
			case 'reclaimAttempted':
				events.reportOfKubelet(node, 'EvictionThresholdMet', `Attempting to reclaim ${effect.resource}`, at);
				break;
			case 'killed': {
				const pod = simulation.state.pod(podKey(effect.pod));
				if (pod) podEvicted(pod, effect.message, at);
				break;
			}
		}
	};

	return {
		/** When the next pass of an eviction manager is due; infinite if none runs. */
		get nextDueAt(): Instant {
			return minOf([...loops.values()].map(({nextDueAt}) => nextDueAt));
		},
		/** Starts a leak in a workload's pods on a node. */
		squeeze(node: string, app: string, mebibytesPerSecond: number, now: Instant) {
			const memory = memoryOf(node);
			for (const {pod} of podsOf(node)) {
				if (pod.labels['app'] === app) memory.leak({uid: pod.uid, from: now, mebibytesPerSecond});
			}
			if (loops.has(node)) return;
			const until = now + random.next() * interval;
			const phase = {type: 'resting', until} as const;
			loops.set(node, new EvictionLoop(evictionSettings(kubeletconfig), memory.world, now, {phase}));
		},
		advanceTo(target: Instant) {
			for (const [node, loop] of loops) for (const effect of loop.advanceTo(target)) show(node, effect);
		},
		/** A kubelet's answer through its node's proxy; undefined for unknown paths. */
		answer(node: string, path: string, now: Instant): object | undefined {
			if (path === 'configz') return {kubeletconfig};
			if (path !== 'stats/summary') return undefined;
			const summary = memoryOf(node).summary(now);
			const {imageFs} = summary.node;
			const stats = encodeNodeStats({...(imageFs && {containerFs: imageFs}), ...summary.node});
			return {node: {nodeName: node, ...stats}, pods: summary.pods.map(encodePodStats)};
		},
	};
}
