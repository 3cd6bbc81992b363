import type {VersionedNode} from '../client/clusterApi.ts';
import {done, first, type Next} from '../client/routines.ts';
import {ascending} from '../collections/ascending.ts';
import type {Node} from '../model/node.ts';
import {zoneKey} from '../model/zone.ts';
import type {Instant} from '../time/instant.ts';
import type {DeletePodsStep} from './deleteNodePods.ts';
import {cancelEviction} from './evictionByTimeout.ts';
import type {LifecycleContext} from './lifecycleContext.ts';
import {MonitorPass} from './monitorPass.ts';
import {checkNode, type NodeCheckStep} from './nodeCheck.ts';
import type {PodReadinessStep} from './podReadiness.ts';
import {markReachable, type ReachableStep} from './reachable.ts';
import type {TaintWriteStep} from './taintWrites.ts';

/** The frame of a monitor pass: register new nodes, check all nodes with several workers, then judge the zones. */
export type PassStep =
	| {readonly do: 'beginPass' | 'checkNext' | 'handleDisruption' | 'stopEvictions' | 'endPass'}
	| {readonly do: 'register' | 'markReachable'; readonly node: Node}
	| {readonly do: 'forget'; readonly nodes: readonly string[]}
	| {readonly do: 'checkNodes'; readonly nodes: readonly VersionedNode[]; readonly startedAt: Instant};

/** What a monitor pass needs in addition. */
export type PassContext = LifecycleContext &
	Readonly<{
		/** The nodes that a pass has registered. */
		knownNodes: Set<string>;
		listsNodesInRandomOrder: boolean;
		/** Makes a pass the current one and starts this many workers on it. */
		beginChecks: (pass: MonitorPass, workers: number) => void;
		/** Called when all nodes are checked, before the zones are judged. */
		endChecks: () => void;
		endPass: () => void;
	}>;

type PassFollowUp =
	| PassStep
	| DeletePodsStep
	| NodeCheckStep
	| TaintWriteStep
	| ReachableStep
	| PodReadinessStep;

/**
 * Does one step of the pass.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go monitorNodeHealth
 */
export function runPass(step: PassStep, context: PassContext): Next<PassFollowUp> {
	switch (step.do) {
		case 'beginPass':
			return beginPass(context);
		case 'register':
			return register(step.node, context);
		case 'forget':
			for (const name of step.nodes) {
				context.record({reason: 'RemovingNode', about: name});
				context.knownNodes.delete(name);
			}
			return done;
		case 'checkNodes': {
			const workers = Math.max(1, Math.min(context.settings.monitorWorkers, step.nodes.length));
			context.beginChecks(
				new MonitorPass(step.nodes, context.api.otherNodes, workers, step.startedAt),
				workers,
			);
			return done;
		}
		case 'checkNext':
			return checkNext(context);
		case 'handleDisruption':
			return handleDisruption(context);
		case 'markReachable':
			return first(release(step.node, context));
		case 'stopEvictions':
			context.zones.stopAll(context.now);
			return done;
		case 'endPass':
			context.endPass();
			return done;
	}
}

/**
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go classifyNodes
 */
function beginPass(context: PassContext): Next<PassStep> {
	const {api, zones, knownNodes, now} = context;
	const nodes = context.listsNodesInRandomOrder ? inAnyOrder(api.nodes(), context) : api.nodes();
	const added: VersionedNode[] = [];
	for (const seen of nodes) {
		if (knownNodes.has(seen.node.name)) zones.add(seen.zone);
		else added.push(seen);
	}
	for (const zone of api.otherNodes.keys()) zones.add(zone);
	const steps: PassStep[] = added.map(({node}) => ({do: 'register', node}));
	if (knownNodes.size + added.length !== nodes.length) {
		const present = new Set(nodes.map(({node}) => node.name));
		steps.push({do: 'forget', nodes: [...knownNodes].filter((name) => !present.has(name))});
	}
	return first([...steps, {do: 'checkNodes', nodes, startedAt: now}]);
}

const inAnyOrder = (nodes: readonly VersionedNode[], {random}: PassContext): readonly VersionedNode[] =>
	nodes
		.map((node) => ({node, ticket: random.lotOf(node.node.name)}))
		.toSorted(ascending(({ticket}) => ticket))
		.map(({node}) => node);

/**
 * Removes a new node's NoExecute taints. To a controller that has just started, all nodes are new.
 *
 * @quirk a start of the controller takes the NoExecute taints off all nodes, so every countdown starts again
 */
function register(node: Node, context: PassContext): Next<PassFollowUp> {
	context.record({reason: 'RegisteredNode', about: node.name});
	context.knownNodes.add(node.name);
	context.zones.add(zoneKey(node));
	return first(release(node, context));
}

/** Cancels the eviction of a node's pods: its taints are removed, or it leaves the queue. */
function release(node: Node, context: PassContext): readonly (TaintWriteStep | ReachableStep)[] {
	if (context.settings.taintBasedEvictions) return markReachable(node, context);
	cancelEviction(node, context);
	return [];
}

/** A worker checks nodes until one makes it wait; the last worker that finds no more nodes ends the checks. */
function checkNext(context: PassContext): Next<PassFollowUp> {
	const {pass} = context;
	if (!pass) return done;
	for (let seen = pass.take(); seen; seen = pass.take()) {
		const steps = checkNode(seen, 1, context);
		if (steps.length > 0) return first([...steps, {do: 'checkNext'}]);
	}
	if (!pass.workerEnds()) return done;
	context.endChecks();
	return first([{do: 'handleDisruption'}, {do: 'endPass'}]);
}

/**
 * @quirk entering master disruption takes the NoExecute taints off the nodes as they were listed when the pass began
 * @quirk leaving it gives every node a fresh probe timestamp, which nodes that are Unknown already do not wait for
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go handleDisruption
 */
function handleDisruption({pass, zones, health, now}: PassContext): Next<PassStep> {
	if (!pass) return done;
	const disruption = zones.count(pass.counts);
	switch (disruption) {
		case 'still all down':
			return done;
		case 'entering master disruption': {
			const steps = pass.nodes.map(({node}): PassStep => ({do: 'markReachable', node}));
			return first([...steps, {do: 'stopEvictions'}]);
		}
		case 'leaving master disruption':
			for (const {node} of pass.nodes) {
				const remembered = health.get(node.name);
				if (remembered)
					health.set(node.name, {...remembered, probeTimestamp: now, readyTransitionTimestamp: now});
			}
			zones.apply(pass.counts, true, now);
			return done;
		case 'some zones work':
			zones.apply(pass.counts, false, now);
			return done;
	}
}
