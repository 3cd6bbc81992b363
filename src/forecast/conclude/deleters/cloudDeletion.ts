import {mostBeforeDeletion} from '../../../core/model/clusterEvent.ts';
import {isReadyNode, type Node} from '../../../core/model/node.ts';
import {cloudController} from '../../../core/noderepair/nodeRepair.ts';
import {gcCheckPeriod, quarantineTime} from '../../../core/podgc/garbage.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import type {NodeRepair} from '../../nodeForecast.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isReadyAndAlive, isSilent} from '../../observe/nodes/nodeLiveness.ts';
import {Range} from '../../range.ts';
import type {Simulated} from '../../simulate/simulated.ts';
import {clockTime} from '../../words.ts';
import {turnsUnknown} from '../nodeTurn.ts';

/** The taint of a node whose machine is shut down. */
const shutdown = 'node.cloudprovider.kubernetes.io/shutdown';

/** Providers without a cloud that could delete a machine. */
const notClouds: ReadonlySet<string> = new Set(['docker', 'fake', 'k3s', 'kind', 'kwok', 'minikube', 'rke2']);

/**
 * How long after a machine may have gone its cloud's controller has mostly looked, once the node is not ready: it does so every 5 s,
 * until v1.36 at one node after the other, and each look is a call to the cloud.
 */
const looksWithin: Duration = minute;

/** The end of a Node that is still there, by somebody who deletes it from an instant on: the pod garbage collector takes its pods. */
export function nodeEnd(from: Instant, now: Instant): Pick<NodeRepair, 'at' | 'endsPods' | 'endsNode'> {
	const first = Math.max(from, now - second) + quarantineTime;
	return {at: new Range(first, first + gcCheckPeriod, null), endsPods: true, endsNode: true};
}

export const podsFollow = 'its pods are deleted 40 to 80 s after the Node, whatever they tolerate';

/**
 * What its cloud does to the Node of a machine that may be gone; undefined if nothing suggests it. Until the Node goes, nothing in
 * the cluster shows that: it is told without a time. A Node that is still there once its cloud's controller has looked had a machine.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/cloud-provider/controllers/nodelifecycle/node_lifecycle_controller.go MonitorNodes
 */
export function cloudDeletion(one: NodeEvidence, situation: Simulated): NodeRepair | undefined {
	const {node} = one;
	const {evidence, now} = situation;
	const by = cloudController;
	if (isReadyAndAlive(one, now) && !isOnlyLate(one, now)) return undefined;
	const said = evidence.events.last('DeletingNode', node.name);
	if (said && said.at.hi >= Math.max(node.createdAt, now - mostBeforeDeletion)) {
		const why = `its cloud's controller said at ${clockTime(said.at.lo)} that it deletes the Node, as its machine does not exist: ${podsFollow}`;
		return {by, ...nodeEnd(said.at.lo, now), isSure: true, why};
	}
	const doubtful = (why: string): NodeRepair => ({
		by,
		at: null,
		isSure: false,
		endsPods: true,
		why: `node ${node.name} may be deleted first, by its cloud${why}: ${podsFollow}`,
	});
	if (node.taints.some(({key}) => key === shutdown))
		return doubtful(', once its machine, which is shut down, is deleted');
	const cloud = cloudOf(node);
	if (cloud === undefined) return undefined;
	const since = isReadyNode(node) ? undefined : (one.notReadySince ?? one.readyChangedAt);
	const turn = since ? Range.over(since) : turnsUnknown(one, situation)?.range;
	const first = ` (${cloud}), if its machine is gone`;
	if (!turn) return doubtful(first);
	const lastSign = isSilent(one, now) ? (one.renewedAt ?? one.heartbeatAt)?.hi : undefined;
	if (Math.max(turn.end, lastSign ?? turn.end) + looksWithin < now) return undefined;
	return doubtful(`${first}, for which it looks every 5s, from ${clockTime(turn.earliest)} on`);
}

/** The cloud that a providerID names, as in `aws:///eu-west-1a/i-0123`. */
function cloudOf({providerId = ''}: Node): string | undefined {
	const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//.exec(providerId) ?? [];
	return scheme === undefined || notClouds.has(scheme) ? undefined : scheme;
}
