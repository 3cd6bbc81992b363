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
import {DemoMemory} from './demoMemory.ts';

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

/** The kubelets' memory management: statistics of every node, and an eviction manager on nodes with a leak. */
export class SqueezedKubelets {
	readonly #cluster: DemoCluster;
	readonly #podEvicted: (pod: Pod, message: string, at: Instant) => void;
	readonly #memories = new Map<string, DemoMemory>();
	readonly #loops = new Map<string, EvictionLoop>();

	/** @param podEvicted called for an evicted pod, which ends as Failed with this message */
	constructor(cluster: DemoCluster, podEvicted: (pod: Pod, message: string, at: Instant) => void) {
		this.#cluster = cluster;
		this.#podEvicted = podEvicted;
	}

	/** When the next pass of an eviction manager is due; infinite if none runs. */
	get nextDueAt(): Instant {
		return minOf([...this.#loops.values()].map(({nextDueAt}) => nextDueAt));
	}

	/** Starts a leak in a workload's pods on a node. */
	squeeze(node: string, app: string, mebibytesPerSecond: number, now: Instant): void {
		const memory = this.#memoryOf(node);
		for (const {pod} of this.#podsOf(node)) {
			if (pod.labels['app'] === app) memory.leak({uid: pod.uid, from: now, mebibytesPerSecond});
		}
		if (this.#loops.has(node)) return;
		const until = now + this.#cluster.random.next() * interval;
		const loop = new EvictionLoop(evictionSettings(kubeletconfig), memory, now, {
			phase: {type: 'resting', until},
		});
		this.#loops.set(node, loop);
	}

	advanceTo(target: Instant): void {
		for (const [node, loop] of this.#loops) {
			for (const effect of loop.advanceTo(target)) this.#show(node, effect);
		}
	}

	/** A kubelet's answer through its node's proxy; undefined for unknown paths. */
	answer(node: string, path: string, now: Instant): object | undefined {
		if (path === 'configz') return {kubeletconfig};
		if (path !== 'stats/summary') return undefined;
		const summary = this.#memoryOf(node).summary(now);
		const {imageFs} = summary.node;
		const stats = encodeNodeStats({...(imageFs && {containerFs: imageFs}), ...summary.node});
		return {node: {nodeName: node, ...stats}, pods: summary.pods.map(encodePodStats)};
	}

	#show(node: string, {at, effect}: TimedEvictionEffect): void {
		switch (effect.type) {
			case 'conditionChanged': {
				const status = effect.isTrue ? 'True' : 'False';
				const times = {lastHeartbeatTime: at, lastTransitionTime: at};
				this.#putCondition(node, {type: effect.condition, status, ...times});
				break;
			}
			case 'reclaimAttempted': {
				const message = `Attempting to reclaim ${effect.resource}`;
				this.#cluster.events.reportOfKubelet(node, 'EvictionThresholdMet', message, at);
				break;
			}
			case 'killed': {
				const pod = this.#cluster.simulation.state.pod(podKey(effect.pod));
				if (pod) this.#podEvicted(pod, effect.message, at);
				break;
			}
		}
	}

	#putCondition(name: string, condition: NodeCondition): void {
		const {simulation, follow} = this.#cluster;
		const node = simulation.state.node(name)?.node;
		if (!node) return;
		const conditions = [...node.conditions.filter(({type}) => type !== condition.type), condition];
		follow(simulation.observe({type: 'nodeApplied', node: {...node, conditions}}));
	}

	#memoryOf(node: string): DemoMemory {
		return kept(this.#memories, node, () => new DemoMemory(() => this.#podsOf(node)));
	}

	#podsOf(node: string): readonly DemoPod[] {
		const {simulation, workloadOf} = this.#cluster;
		return simulation.state
			.podsOnNode(node)
			.filter(({phase}) => phase === 'Running')
			.map((pod) => ({pod, workload: workloadOf(pod)}));
	}
}
