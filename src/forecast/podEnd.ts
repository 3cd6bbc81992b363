import {mapBy} from '../core/collections/mapBy.ts';
import {nameOf} from '../core/model/objectName.ts';
import type {Pod} from '../core/model/pod.ts';
import {taintOutOfService, taintUnreachable} from '../core/model/taint.ts';
import {profileFor} from '../core/model/versionProfile.ts';
import {type Duration, type Instant, minute} from '../core/time/instant.ts';
import {type EndingNode, endOf, type PodEnd, runtimeFailure} from '../core/workloads/podEnd.ts';
import type {Forecast} from './forecast.ts';
import type {NodeForecast} from './nodeForecast.ts';
import type {PodForecast} from './podForecast.ts';
import {isoTime, joined} from './words.ts';

export type NodesOfRelease = Pick<Forecast, 'nodes' | 'kubernetesVersion'>;

/** Finds what removes the objects of deleted pods, as their nodes are and will be. */
export function podEnds({nodes, kubernetesVersion}: NodesOfRelease) {
	const byName = mapBy(nodes, nameOf);
	const forces = profileFor(kubernetesVersion).settings.nodeOutOfServiceVolumeDetach;

	/** The node of a pod, as far as it decides its end; undefined if it is gone, or will be. */
	function nodeOf({node: name, cause}: PodForecast): EndingNode | undefined {
		const node = byName.get(name);
		if (!node) return byName.size > 0 || cause?.kind === 'NodeDeleted' ? undefined : unknownNode;
		if (cause?.kind === 'NodeDeleted') return undefined;
		// A late node is silent if its silence evicts the pod.
		const isOfSilence = cause?.kind === 'NodeEviction' || cause?.taint?.startsWith(taintUnreachable);
		const isSilent = isDead(node) || (node.verdict === 'Late' && isOfSilence === true);
		const isTainted =
			cause?.kind === 'OutOfService' || node.node?.taints.some(({key}) => key === taintOutOfService);
		return {
			isSilent,
			isOutOfService: forces && isTainted === true && (isSilent || node.ready !== 'True'),
			failure: node.node && runtimeFailure(node.node),
		};
	}

	const of = (pod: PodForecast): PodEnd => {
		const {object, node: nodeName, phase = ''} = pod;
		return endOf({nodeName, ...object, phase}, nodeOf(pod));
	};
	return {of, nodeOf, nodeForecast: (name: string) => byName.get(name)};
}

const unknownNode: EndingNode = {isSilent: false, isOutOfService: false};

/** Whether the kubelet of a node gives no sign of life. */
const isDead = ({verdict, ready, isSilent}: NodeForecast) =>
	isSilent || verdict === 'Silent' || (ready === 'Unknown' && verdict !== 'Recovering');

/** How long after its grace period a kubelet may report that a pod has ended. */
export const reportsWithin: Duration = minute;

/** When the grace period of a deleted pod was over, if that is long ago; undefined otherwise. */
export function overdueSince(
	{object}: {readonly object?: PodForecast['object']},
	now: Instant,
): Instant | undefined {
	const end = object?.deletionTimestamp;
	return end !== undefined && end + reportsWithin < now ? end : undefined;
}

/** How long a pod stays that nobody ends, or that a finalizer holds: `until the kubelet is back, ...`. */
export function untilGone({by, failure, finalizers}: PodEnd): string {
	const [first, ...more] = finalizers;
	if (first !== undefined && by !== 'Nobody')
		return `until ${more.length > 0 ? 'the finalizers' : 'the finalizer'} ${joined(finalizers, 'and')} ${more.length > 0 ? 'are' : 'is'} removed, which a forced deletion does not do`;
	const back =
		failure === undefined
			? 'the kubelet is back'
			: `the container runtime of its node works again (it reports "${failure}", and its kubelet ends no pods meanwhile)`;
	const held = first === undefined ? '' : `; then its finalizer ${joined(finalizers, 'and')} holds it`;
	return `until ${back}, the Node object is deleted, the node is tainted out-of-service, or the pod is deleted by force${held}`;
}

/** How a deleted pod goes, for a pod that is Terminating. @param since when its grace period was over, if that is long ago */
export function endWords(end: PodEnd, since: Instant | undefined): string {
	const overdue = since === undefined ? '' : ` (its grace period was over at ${isoTime(since)})`;
	if (end.by === 'Nobody')
		return `${end.failure === undefined ? 'its kubelet is silent: ' : ''}it stays so ${untilGone(end)}${overdue}`;
	if (end.finalizers.length > 0) return `its object stays ${untilGone(end)}${overdue}`;
	switch (end.by) {
		case 'Request':
			return 'it has no grace period, and goes at once';
		case 'NodeGone':
			return `its node is gone, and pod garbage collection deletes it by force${overdue}`;
		case 'OutOfService':
			return 'its node is out of service, and pod garbage collection deletes it by force within 20s';
		case 'Kubelet':
			return since === undefined
				? 'its kubelet ends it within its grace period'
				: `its kubelet should have ended it by ${isoTime(since)}, and has not`;
		case 'Mirror':
			return since === undefined
				? 'its kubelet removes this object of a static pod, and makes it again at once'
				: `its kubelet should have made it again at once, and has not${overdue}`;
	}
}

/**
 * How a DaemonSet paces what it makes for pods that fail.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode
 */
export const failedPodsBackoff = ' (at once, then later after each failure: 1s, 2s and so on up to 15m)';

/** What becomes of the object of a pod that has ended. */
export function leftWords({owner, phase}: Pod): string {
	if (owner?.kind === 'StatefulSet') return 'its StatefulSet deletes it, and makes it again';
	if (owner?.kind !== 'DaemonSet') return 'its object stays until it is deleted';
	return `its DaemonSet deletes it, and makes another${phase === 'Failed' ? failedPodsBackoff : ''}`;
}

/** Whether a pod's object stays for a time that nothing limits. */
export const isStuck = ({by, finalizers}: PodEnd) => by === 'Nobody' || finalizers.length > 0;
