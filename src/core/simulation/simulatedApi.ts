import type {TextMap} from '../../text/textMap.ts';
import type {ClusterApi, RecordedEvent, VersionedNode, WriteResult} from '../client/clusterApi.ts';
import type {ConditionStatus, Node, NodeCondition} from '../model/node.ts';
import type {Pod} from '../model/pod.ts';
import type {Taint} from '../model/taint.ts';
import {type Instant, second} from '../time/instant.ts';
import type {ClusterState} from './clusterState.ts';
import {type ClusterEffect, nodeEffects} from './effect.ts';
import type {Kubelets} from './kubelets.ts';
import type {SimulationOptions} from './simulationOptions.ts';

/** Callbacks of the simulated API server. */
type ApiPorts = Readonly<{
	now: () => Instant;
	emit: (effect: ClusterEffect) => void;
	putNode: (node: Node) => void;
	putPod: (pod: Pod, key?: string) => void;
	removePod: (pod: Pod) => void;
	eventPosted: (event: RecordedEvent) => void;
}>;

const terminationGracePeriod = 30_000;

/** The API server as the controllers see it: their writes change the cluster. */
export class SimulatedApi implements ClusterApi {
	readonly #state: ClusterState;
	readonly #kubelets: Kubelets;
	readonly #patchesCutTimes: boolean;
	readonly #ports: ApiPorts;

	constructor(
		state: ClusterState,
		kubelets: Kubelets,
		{patchesCutTimes = false}: SimulationOptions,
		ports: ApiPorts,
	) {
		this.#state = state;
		this.#kubelets = kubelets;
		this.#patchesCutTimes = patchesCutTimes;
		this.#ports = ports;
	}

	nodes(): readonly VersionedNode[] {
		return this.#state.nodes();
	}

	node(name: string): VersionedNode | undefined {
		return this.#state.node(name);
	}

	get otherNodes(): ClusterState['otherNodes'] {
		return this.#state.otherNodes;
	}

	podsOnNode(name: string): readonly Pod[] {
		return this.#state.podsOnNode(name);
	}

	pod(key: string): Pod | undefined {
		return this.#state.pod(key);
	}

	leaseRenewTime(node: string, now: Instant): Instant | undefined {
		return this.#kubelets.renewTime(node, now) ?? this.#state.leaseRenewTime(node);
	}

	leaseTouchedAt(node: string): Instant | undefined {
		return this.#state.leaseTouchedAt(node);
	}

	writeConditions(name: string, version: number, conditions: readonly NodeCondition[]): WriteResult {
		return this.#writeNode(name, version, (node) => ({...node, conditions}));
	}

	writeTaints(name: string, version: number, taints: readonly Taint[]): WriteResult {
		const write = {manager: 'kube-controller-manager', operation: 'Update', time: this.#ports.now()};
		const taintWrites = taints.length > 0 ? [write] : [];
		return this.#writeNode(name, version, (node) => this.#patched({...node, taints, taintWrites}));
	}

	writeLabels(name: string, labels: TextMap): WriteResult {
		const result = this.#writeNode(name, undefined, (node) =>
			this.#patched({...node, labels: {...node.labels, ...labels}}),
		);
		if (result === 'written') this.#ports.emit({type: 'labelsChanged', node: name});
		return result;
	}

	writePodReady(key: string, ready: ConditionStatus): WriteResult {
		return this.#writePod(key, ({readySince: _, ...pod}) => {
			if (pod.ready !== ready) this.#ports.emit({type: 'podCondition', pod: key, node: pod.nodeName, ready});
			return {...pod, ready, readyChangedAt: this.#ports.now()};
		});
	}

	markDisruptionTarget(key: string): WriteResult {
		return this.#writePod(key, (pod) => ({
			...pod,
			isDisruptionTarget: true,
			evictedAt: this.#ports.now(),
		}));
	}

	/** A pod on a running kubelet disappears at once; otherwise it stays Terminating. */
	deletePod(key: string): WriteResult {
		const pod = this.#state.pod(key);
		if (!pod) return 'notFound';
		const again = pod.deletionTimestamp !== undefined;
		this.#ports.emit({type: 'podDeleted', pod: key, node: pod.nodeName, again});
		if (this.#kubelets.isAlive(pod.nodeName)) this.#ports.removePod(pod);
		else if (!again)
			this.#ports.putPod({
				...pod,
				deletionTimestamp: this.#ports.now() + terminationGracePeriod,
				deletionGracePeriodSeconds: terminationGracePeriod / second,
			});
		return 'written';
	}

	markNodeLost(key: string): WriteResult {
		return this.#writePod(key, (pod) => ({...pod, isNodeLost: true}));
	}

	nodeEvicted(node: string) {
		this.#ports.emit({type: 'nodeEvicted', node});
	}

	eventPosted(event: RecordedEvent) {
		this.#ports.eventPosted(event);
	}

	#writeNode(name: string, version: number | undefined, change: (node: Node) => Node): WriteResult {
		const current = this.#state.node(name);
		if (!current) return 'notFound';
		if (version !== undefined && version !== current.version) return 'conflict';
		const changed = change(current.node);
		for (const effect of nodeEffects(current.node, changed)) this.#ports.emit(effect);
		this.#ports.putNode(changed);
		return 'written';
	}

	#patched(node: Node): Node {
		return this.#patchesCutTimes ? inWholeSeconds(node) : node;
	}

	#writePod(key: string, change: (pod: Pod) => Pod): WriteResult {
		const pod = this.#state.pod(key);
		if (!pod) return 'notFound';
		const changed = change(pod);
		this.#ports.putPod(changed, key);
		return 'written';
	}
}

const cutOff = (at: Instant): Instant => Math.floor(at / second) * second;

const inWholeSeconds = (node: Node): Node => ({
	...node,
	createdAt: cutOff(node.createdAt),
	conditions: node.conditions.map((condition) => ({
		...condition,
		lastHeartbeatTime: cutOff(condition.lastHeartbeatTime),
		lastTransitionTime: cutOff(condition.lastTransitionTime),
	})),
});
