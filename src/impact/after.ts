import {taintOutOfService} from '../core/model/taint.ts';
import type {Related} from '../core/model/workloads/related.ts';
import type {Forecast} from '../forecast/forecast.ts';
import type {NodeForecast} from '../forecast/nodeForecast.ts';
import type {After, HeldVolume, PodForecast} from '../forecast/podForecast.ts';
import {count} from '../forecast/words.ts';
import {NewPods} from './newPods.ts';
import {type OwnerChain, ownerChainOf} from './owners.ts';
import type {Placement} from './placement.ts';
import {Volumes, volumeWords} from './volumes.ts';

/** What is prepared once for all pods of a forecast. */
type AfterContext = {
	readonly related: Related;
	readonly nodes: ReadonlyMap<string, NodeForecast>;
	/** The volumes that a pod's replacement must wait for until they are detached from its node. */
	readonly volumesOf: (pod: PodForecast) => readonly HeldVolume[];
	/** Whether a pod has its own volumes, so that its consequences may differ from those of its owner's other pods. */
	readonly hasOwnVolumes: (pod: PodForecast) => boolean;
	/** Where a replacement of a pod finds a node; undefined if its template is not known. */
	readonly placementOf: (pod: PodForecast) => Placement | undefined;
};

/** The state of a pod's node: a dead node's kubelet cannot end the pod, and a deleted node's need not. */
type Ground = 'alive' | 'dead' | 'gone' | 'out of service';

export function afterContext(
	{pods, nodes}: Pick<Forecast, 'pods' | 'nodes'>,
	related: Related,
): AfterContext {
	const newPods = new NewPods(pods, nodes, related);
	const volumes = new Volumes(related);
	return {
		related,
		nodes: new Map(nodes.map((node) => [node.name, node])),
		hasOwnVolumes: ({owner}) =>
			owner !== undefined && (related.controllers.get(owner.uid)?.claimTemplates.length ?? 0) > 0,
		volumesOf: (pod) => volumes.heldFor(pod, pod.owner && related.controllers.get(pod.owner.uid)),
		placementOf: (pod) => newPods.placementOf(pod),
	};
}

/** What happens after a pod's deletion is requested; null for a pod that is safe or about to be gone. */
export function afterOf(
	pod: PodForecast,
	context: AfterContext,
	ground = groundOf(pod, context),
): After | null {
	if (pod.verdict === 'Safe') return null;
	if (pod.verdict === 'Terminating' && ground === 'alive') return null;
	if (pod.cause?.kind === 'NodePressure') return endedByKubelet(pod, context, 'Evicted');
	if (pod.cause?.kind === 'NodeShutdown') return endedByKubelet(pod, context, 'Terminated');
	const after = withVolumes(byOwner(pod, ground, context), pod, ground, context);
	const isGhost = (ground === 'dead' || ground === 'out of service') && pod.phase === 'Running';
	return isGhost ? {...after, ghost: true} : after;
}

/** Adds the volumes that a replacement on another node must wait for, because a dead node does not unmount them. */
function withVolumes(after: After, pod: PodForecast, ground: Ground, {volumesOf}: AfterContext): After {
	const isMeant = after.outcome === 'Replaced' || after.outcome === 'Blocked';
	if (!isMeant || ground === 'alive' || ground === 'out of service') return after;
	const volumes = volumesOf(pod);
	return volumes.length === 0
		? after
		: {...after, detail: after.detail + volumeWords(volumes, pod.node), volumes};
}

/** The state of a pod's node, as far as it matters for the pod's end. */
export function groundOf({node, cause}: PodForecast, {nodes}: AfterContext): Ground {
	const known = nodes.get(node);
	if (!known) return nodes.size > 0 || cause?.kind === 'NodeDeleted' ? 'gone' : 'alive';
	if (cause?.kind === 'NodeDeleted') return 'gone';
	const isDead = known.verdict === 'Silent' || known.verdict === 'Late' || known.ready === 'Unknown';
	if (cause?.kind === 'OutOfService' && isDead) return 'out of service';
	if (!isDead) return 'alive';
	return known.node?.taints.some(({key}) => key === taintOutOfService) ? 'out of service' : 'dead';
}

const untilGone =
	'until its kubelet is back, the Node object is deleted, the node is tainted out-of-service, or it is deleted by force';

function byOwner(pod: PodForecast, ground: Ground, context: AfterContext): After {
	if (pod.verdict === 'Stays') return {outcome: 'Stays', detail: staysDetail(pod)};
	if (pod.owner?.kind === 'Node') return {outcome: 'Restarted', detail: staticDetail};
	const chain = ownerChainOf(pod, context.related);
	const {owner} = pod;
	const isDeleted = pod.verdict === 'Terminating';
	if (!owner)
		return {outcome: 'Lost', detail: `nothing owns it, so nothing makes another${leftover(ground)}`};
	switch (owner.kind) {
		case 'ReplicaSet':
		case 'ReplicationController':
			return replaced(
				`its ${owner.kind} ${isDeleted ? 'has made another' : 'makes another at once'}`,
				pod,
				ground,
				context,
			);
		case 'StatefulSet':
			return ofStatefulSet(owner.name, pod, chain, ground, context);
		case 'DaemonSet':
			return ofDaemonSet(ground);
		case 'Job':
			return ofJob(pod, chain, ground, context);
		default:
			return ofOther(owner.kind, ground);
	}
}

/** After an eviction by a kubelet: the pod ends as Failed, and its object stays until it is deleted or garbage-collected. */
function endedByKubelet(pod: PodForecast, context: AfterContext, reason: string): After {
	const end = `it ends as Failed (${reason})`;
	const {owner} = pod;
	if (!owner)
		return {outcome: 'Lost', detail: `${end}, its object stays; nothing owns it, so nothing makes another`};
	// These controllers delete failed pods; a DaemonSet's pods tolerate the pressure taints of their node.
	const remade = `${end}; its ${owner.kind} deletes it and makes another`;
	if (owner.kind === 'StatefulSet') return replaced(remade, pod, 'alive', context);
	if (owner.kind === 'DaemonSet' && reason === 'Evicted')
		return {outcome: 'Replaced', detail: `${remade} on the same node`};
	const after = byOwner(pod, 'alive', context);
	return {...after, detail: `${end}, its object stays; ${after.detail}`};
}

const staticDetail = 'static pod: its kubelet keeps running it, and shows it again when it is back';

function staysDetail({owner}: PodForecast): string {
	if (owner?.kind === 'Node') return staticDetail;
	return owner?.kind === 'DaemonSet'
		? 'the pods of a DaemonSet tolerate it forever when their node is not ready'
		: 'nothing evicts it: it runs on once its node is back';
}

const leftover = (ground: Ground): string =>
	ground === 'dead' ? `; its object stays Terminating ${untilGone}` : '';

function replaced(what: string, pod: PodForecast, ground: Ground, context: AfterContext): After {
	const placement = context.placementOf(pod);
	const detail = `${what}${placement ? `; ${placementWords(placement)}` : ''}${leftover(ground)}`;
	if (!placement) return {outcome: 'Replaced', detail};
	return {outcome: 'Replaced', detail, placement: placement.decision};
}

function placementWords({decision, nodes, obstacles, unknownFor}: Placement): string {
	const rest = obstacles.join(', ') || 'there is none';
	if (decision === 'None') return `no node takes it: ${rest}`;
	if (decision === 'Fits')
		return `it finds a node: ${count(nodes, 'node')} ${nodes === 1 ? 'has' : 'have'} room`;
	if (nodes === 0) return `no node has room (${rest}), but ${unknownFor}`;
	return `whether it finds a node is not known: ${count(nodes, 'node')} may take it, but ${unknownFor}`;
}

function ofStatefulSet(
	name: string,
	pod: PodForecast,
	chain: OwnerChain,
	ground: Ground,
	context: AfterContext,
): After {
	if (ground !== 'dead') {
		const when = ground === 'out of service' ? 'within 20 s, by force' : 'once it is gone';
		return replaced(`StatefulSet ${name} recreates it ${when}`, pod, 'alive', context);
	}
	const hasNone = chain.owner?.claimTemplates.length === 0 && chain.owner.template.claims.length === 0;
	const volumes =
		hasNone || context.volumesOf(pod).length > 0
			? ''
			: '; volumes are detached by force 6 min after that at the earliest, unless the node is out of service';
	return {outcome: 'Blocked', detail: `StatefulSet ${name} makes no other ${untilGone}${volumes}`};
}

function ofDaemonSet(ground: Ground): After {
	if (ground === 'dead') return {outcome: 'StuckTerminating', detail: `it stays Terminating ${untilGone}`};
	if (ground === 'gone') return {outcome: 'Lost', detail: 'its node is gone, and its pod with it'};
	const detail = 'its DaemonSet makes none on this node while the node has a taint that it does not tolerate';
	return {outcome: 'Blocked', detail};
}

/**
 * A deleted pod counts as a failure at once, unless the Job replaces only pods that have ended.
 *
 * @quirk the back-off of a Job counts from when the pod stopped being ready, which on a dead node is long before its deletion
 * @upstream kubernetes v1.36.3 pkg/controller/job/backoff_utils.go getFinishedTime
 * @upstream kubernetes v1.36.3 pkg/controller/job/job_controller.go isPodFailed
 */
function ofJob(pod: PodForecast, chain: OwnerChain, ground: Ground, context: AfterContext): After {
	const {limit, failed, waitsForEnd} = chain.owner?.backoff ?? {limit: undefined, failed: 0};
	if (waitsForEnd && ground === 'dead')
		return {outcome: 'Blocked', detail: `its Job makes no other: this one stays Terminating ${untilGone}`};
	// A pod being deleted is already counted as a failure.
	const others = pod.verdict === 'Terminating' ? failed - 1 : failed;
	if (limit !== undefined && others >= limit) {
		const detail = `its Job has ${others} of ${limit} allowed failures: with this one it fails${leftover(ground)}`;
		return {outcome: 'Lost', detail};
	}
	const budget = limit === undefined ? '' : ` (${failed} of ${limit} failures so far)`;
	const since = ground === 'dead' ? 'after the pod stopped being ready' : 'later';
	const what = `its Job makes another 10 s ${since}, twice as long after each failure${budget}`;
	return replaced(what, pod, ground, context);
}

function ofOther(kind: string, ground: Ground): After {
	const detail = `the controller of its ${kind} decides whether it makes another`;
	return {outcome: ground === 'dead' ? 'StuckTerminating' : 'Unknown', detail: detail + leftover(ground)};
}
