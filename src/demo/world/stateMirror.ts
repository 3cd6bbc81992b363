import type {Node} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {type Instant, minute} from '../../core/time/instant.ts';
import {encodeDemoNode} from '../encode/encodeNode.ts';
import {type DemoEviction, encodeDemoPod} from '../encode/encodePod.ts';
import {encodeWorkload, type PodCounts} from '../encode/encodeWorkload.ts';
import type {DemoWorkload} from '../encode/workload.ts';
import type {DemoCluster} from './demoCluster.ts';

const day = 24 * 60 * minute;

/** Copies changes of the simulated cluster into the store. The simulation replaces objects and never edits them. */
export function stateMirror(
	{simulation: {state}, store, workloadOf}: DemoCluster,
	kubeletVersion: string,
	startedAt: Instant,
) {
	const nodes = new Map<string, Node>();
	const pods = new Map<string, Pod>();
	/** The eviction messages of pods that kubelets evicted, by UID. */
	const evictions = new Map<string, DemoEviction>();
	/** Maintained, because counting all pods for each change is slow in a large cluster. */
	const counts = new Map<DemoWorkload, PodCounts>();

	const syncNode = (name: string) => {
		const node = state.node(name)?.node;
		if (nodes.get(name) === node) return;
		if (node) {
			nodes.set(name, node);
			store.put('nodes', encodeDemoNode(node, kubeletVersion));
		} else {
			nodes.delete(name);
			store.delete('nodes', name);
		}
	};

	const countsOf = (workload: DemoWorkload) => counts.get(workload) ?? {total: 0, ready: 0};

	const count = (pod: Pod, change: 1 | -1) => {
		const {deletionTimestamp, ready, phase} = pod;
		if (deletionTimestamp !== undefined || phase === 'Failed') return;
		const workload = workloadOf(pod);
		const {total, ready: wereReady} = countsOf(workload);
		counts.set(workload, {
			total: total + change,
			ready: ready === 'True' ? wereReady + change : wereReady,
		});
	};

	const syncPod = (key: string): readonly Pod[] => {
		const pod = state.pod(key);
		const before = pods.get(key);
		if (before === pod) return [];
		if (before) count(before, -1);
		if (pod) {
			count(pod, 1);
			pods.set(key, pod);
			store.put('pods', encodeDemoPod(pod, workloadOf(pod), evictions.get(pod.uid)));
		} else if (before) {
			pods.delete(key);
			store.delete('pods', before.name, before.namespace);
		}
		return [before, pod].filter((version) => version !== undefined);
	};

	return {
		/** A pod as it was last written; it may have been deleted since. */
		pod: (key: string): Pod | undefined => pods.get(key),
		/** Marks a pod as evicted by its kubelet in all later writes. */
		evicted({uid}: Pod, message: string, at: Instant) {
			evictions.set(uid, {at, message});
		},
		/** Brings the store up to date. */
		sync() {
			const changes = state.takeChanges();
			for (const name of [...changes.nodes].toSorted()) syncNode(name);
			for (const workload of new Set([...changes.pods].flatMap(syncPod).map(workloadOf))) {
				const objects = encodeWorkload(workload, countsOf(workload), startedAt - 5 * day);
				for (const {resource, object} of objects) store.put(resource, object);
			}
		},
	};
}
