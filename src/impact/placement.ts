import {kept} from '../core/collections/kept.ts';
import type {Node} from '../core/model/node.ts';
import {taintUnschedulable} from '../core/model/taint.ts';
import type {Demand, Occupancy} from '../core/model/workloads/occupancy.ts';
import type {NodeTerms, PodTemplate} from '../core/model/workloads/related.ts';
import type {Resources} from '../core/model/workloads/resources.ts';
import {hasLabels, selectsNode} from '../core/model/workloads/selects.ts';
import {matchingTolerations} from '../core/tainteviction/tolerations.ts';
import {isWellNode, type NodeForecast} from '../forecast/nodeForecast.ts';
import {effortEnough, effortToFill, fits, roomOf} from './room.ts';
import type {VolumeWishes} from './volumes.ts';

/** Whether a new pod of a workload finds a node. */
export type Placement = Readonly<{
	/** Fits: in any scheduling order of pending pods. None: no node takes it now. */
	decision: 'Fits' | 'None' | 'Unknown';
	/** The number of nodes known to take it now. */
	nodes: number;
	/** Why other nodes do not take it, the most frequent reason first. */
	obstacles: readonly string[];
	/** Why it is Unknown; absent otherwise. */
	unknownFor?: string;
}>;

/** A new pod, with its template, and its actual requests if they are known. */
export type NewPod = Readonly<{
	template: PodTemplate;
	requests: Resources;
	priority: number;
	volumes: VolumeWishes;
}>;

/** The nodes that fit a template regardless of room, and why others do not. */
type FittingNodes = {readonly nodes: readonly Node[]; readonly obstacles: ReadonlyMap<string, number>};

/** The fitting nodes: those large enough when empty, and those with room now. */
type Open = Readonly<{
	fitting: FittingNodes;
	large: readonly Node[];
	roomy: readonly Node[];
	/** The number of large nodes whose pods were read. */
	read: number;
	/** Caches `#contest`: why others may leave no room, by their requests. */
	contests: Map<string, string | undefined>;
}>;

/** Finds nodes for new pods. Equal templates are evaluated once. */
export class Placements {
	readonly #well: readonly Node[];
	readonly #inTrouble: number;
	readonly #occupancy: Occupancy | string;
	readonly #rooms: ReadonlyMap<Node, ReturnType<typeof roomOf>>;
	readonly #fitting = new Map<string, FittingNodes>();
	readonly #open = new Map<string, Open>();

	/** @param occupancy what runs on the nodes, or a text with the reason why it is not known */
	constructor(nodes: readonly NodeForecast[], occupancy: Occupancy | string) {
		this.#well = nodes.filter(isWellNode).flatMap(({node}) => node ?? []);
		this.#inTrouble = nodes.filter((one) => one.node && !isWellNode(one)).length;
		this.#occupancy = occupancy;
		this.#rooms = new Map(
			typeof occupancy === 'string' ? [] : this.#well.map((node) => [node, roomOf(node, occupancy)]),
		);
	}

	/** Finds where a new pod can run. @param others the requests of pods that may be scheduled before it; undefined if unknown */
	of(pod: NewPod, others: Demand | undefined): Placement {
		const open = this.#nodesFor(pod);
		const {fitting, large, roomy, read} = open;
		const obstacles = new Map(fitting.obstacles);
		if (large.length < fitting.nodes.length) obstacles.set('too small', fitting.nodes.length - large.length);
		if (roomy.length < read) obstacles.set('without room', read - roomy.length);
		const sorted = [...obstacles].toSorted((a, b) => b[1] - a[1]);
		const found = {nodes: roomy.length, obstacles: sorted.map(([what, count]) => `${count} ${what}`)};
		if (this.#isHopelessOn(open, pod)) return {...found, decision: 'None'};
		const unknownFor =
			roomy.length > 0
				? this.#doubtAbout(pod, open, others)
				: read < large.length
					? `what runs on ${large.length - read} others is not read`
					: 'it may preempt pods of a lower priority';
		return unknownFor === undefined
			? {...found, decision: 'Fits'}
			: {...found, decision: 'Unknown', unknownFor};
	}

	/** Whether no node takes it, even if no other pod waits. */
	isHopeless(pod: NewPod) {
		return this.#isHopelessOn(this.#nodesFor(pod), pod);
	}

	#isHopelessOn({large, roomy, read}: Open, pod: NewPod) {
		return roomy.length === 0 && read === large.length && !this.#mayPushOut(large, pod);
	}

	/** Whether the pods of a node were read; if none were read at all, every node counts as having room. */
	#isRead({name}: Node) {
		return typeof this.#occupancy === 'string' || (this.#occupancy.read?.has(name) ?? true);
	}

	#nodesFor({template, requests, volumes}: NewPod): Open {
		const wishes = wishesOf(template) + JSON.stringify(volumes.terms);
		const kind = `${wishes} ${requests.cpu} ${requests.memory}`;
		return kept(this.#open, kind, () =>
			this.#openTo(
				requests,
				kept(this.#fitting, wishes, () => this.#find(template, volumes)),
			),
		);
	}

	#openTo(requests: NewPod['requests'], fitting: FittingNodes): Open {
		const {cpu, memory} = requests;
		const large = fitting.nodes.filter(
			({allocatable: all}) => !all || (cpu <= all.cpu && memory <= all.memory),
		);
		const read = large.filter((node) => this.#isRead(node));
		const isKnown = typeof this.#occupancy !== 'string';
		const roomy = isKnown ? read.filter((node) => this.#takes(node, requests)) : large;
		return {fitting, large, roomy, read: read.length, contests: new Map()};
	}

	#takes(node: Node, requests: Resources): boolean {
		const room = this.#rooms.get(node);
		return !room || fits(requests, room.free);
	}

	#mayPushOut(nodes: readonly Node[], {priority}: NewPod) {
		return nodes.some((node) => (this.#rooms.get(node)?.lowestPriority ?? priority) < priority);
	}

	#doubtAbout(pod: NewPod, open: Open, others: Demand | undefined): string | undefined {
		if (typeof this.#occupancy === 'string') return this.#occupancy;
		const rules = new Set([...pod.template.otherRules, ...(pod.volumes.isAll ? [] : ['its volumes'])]);
		if (rules.size > 0) return `it depends on ${[...rules].join(', ')}`;
		if (!others) return 'the requests of other new pods are not known';
		const {contests} = open;
		const key = `${others.cpu} ${others.memory} ${others.pods}`;
		if (!contests.has(key)) contests.set(key, this.#contest(pod.requests, open, others));
		return contests.get(key);
	}

	/** Why other waiting pods may leave no room in some scheduling order; undefined if they cannot. */
	#contest(requests: Resources, {roomy}: Open, others: Demand): string | undefined {
		let effort = 0;
		let isKeptAway = false;
		for (const node of roomy) {
			const room = this.#rooms.get(node);
			if (room?.keepsOthersAway) isKeptAway = true;
			if (!room || room.keepsOthersAway) continue;
			effort += effortToFill(requests, room.free, others);
			if (effort >= effortEnough) return undefined;
		}
		return isKeptAway ? 'pods there may keep it away' : 'others that wait may take the room';
	}

	#find(template: PodTemplate, {terms}: VolumeWishes): FittingNodes {
		const obstacles = new Map<string, number>(this.#inTrouble > 0 ? [['not ready', this.#inTrouble]] : []);
		const nodes: Node[] = [];
		for (const node of this.#well) {
			const obstacle = obstacleOn(node, template, terms);
			if (obstacle === undefined) nodes.push(node);
			else obstacles.set(obstacle, (obstacles.get(obstacle) ?? 0) + 1);
		}
		return {nodes, obstacles};
	}
}

/** A text that is equal for templates whose pods fit the same nodes. */
export const wishesOf = ({tolerations, nodeSelector, nodeTerms, nodeName}: PodTemplate) =>
	JSON.stringify([tolerations, nodeSelector, nodeTerms, nodeName]);

/**
 * Why a node cannot take pods of a template: it is cordoned, lacks required labels, has a taint that they do not
 * tolerate, or cannot reach their volumes. Pods whose template names a node never see the scheduler: that node's kubelet
 * takes them, cordoned or not, unless a NoExecute taint or their selectors forbid it.
 *
 * @param volumeTerms the nodes that can reach each of their volumes
 * @upstream kubernetes v1.36.3 pkg/kubelet/lifecycle/predicate.go generalFilter
 * @upstream kubernetes v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go Filter
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/storage/volume/helpers.go CheckNodeAffinity
 * @upstream kubernetes v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go Filter
 */
export function obstacleOn(
	node: Node,
	template: PodTemplate,
	volumeTerms: readonly NodeTerms[] = [],
): string | undefined {
	const {labels, taints, unschedulable} = node;
	const {nodeName} = template;
	if (nodeName !== undefined && nodeName !== node.name) return 'not the one that its template names';
	const isTolerated = (key: string) =>
		matchingTolerations([{key, value: '', effect: 'NoSchedule'}], template.tolerations, false) !== undefined;
	if (unschedulable && nodeName === undefined && !isTolerated(taintUnschedulable)) return 'cordoned';
	if (!hasLabels(labels, template.nodeSelector)) return 'without the labels of its node selector';
	if (template.nodeTerms && !selectsNode(template.nodeTerms, node)) return 'outside of its node affinity';
	if (!volumeTerms.every((terms) => selectsNode(terms, node))) return 'out of reach of its volumes';
	const forbidding = taints.find(
		(taint) =>
			(taint.effect === 'NoExecute' || (taint.effect === 'NoSchedule' && nodeName === undefined)) &&
			matchingTolerations([taint], template.tolerations, false) === undefined,
	);
	return forbidding && `tainted ${forbidding.key}`;
}
