import {isReadyNode, type Node} from '../../../core/model/node.ts';
import {gcCheckPeriod, quarantineTime} from '../../../core/podgc/garbage.ts';
import {type Duration, type Instant, minute, second} from '../../../core/time/instant.ts';
import {formatDuration} from '../../../dates/duration.ts';
import type {NodeRepair} from '../../nodeForecast.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isReadyAndAlive} from '../../observe/nodes/nodeLiveness.ts';
import {Range} from '../../range.ts';
import type {Simulated} from '../../simulate/simulated.ts';
import {clockTime} from '../../words.ts';
import {collectionOf} from '../collector.ts';
import {turnsUnknown} from '../nodeTurn.ts';

/** The taint of a node whose machine is shut down. */
const shutdown = 'node.cloudprovider.kubernetes.io/shutdown';

/** Providers without a cloud that could delete a machine. */
const notClouds: ReadonlySet<string> = new Set(['docker', 'fake', 'k3s', 'kind', 'kwok', 'minikube', 'rke2']);

/**
 * How long after a node stops being ready its cloud's controller has surely looked: it does so every 5 s, until v1.36 at one node
 * after the other, and each look is a call to the cloud.
 */
const looksWithin: Duration = minute;

/**
 * The end of a Node that is still there, by somebody who deletes it from an instant on: the pod garbage collector takes its pods.
 *
 * @param last when it has surely taken them; null if unknown
 */
export function nodeEnd(
	from: Instant,
	now: Instant,
	last: Instant | null = null,
): Pick<NodeRepair, 'at' | 'endsPods' | 'endsNode'> {
	const first = Math.max(from, now - second) + quarantineTime;
	return {at: new Range(first, first + gcCheckPeriod, last), endsPods: true, endsNode: true};
}

export const podsFollow = 'its pods are deleted 40 to 80 s after the Node, whatever they tolerate';

/**
 * What its cloud does to the Node of a machine that may be gone; undefined if nothing suggests it. Once its controller has looked,
 * the Node that is still there shows that the machine was too.
 *
 * @param busyFor how long the pod garbage collector needs for all nodes that may go
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/cloud-provider/controllers/nodelifecycle/node_lifecycle_controller.go MonitorNodes
 */
export function cloudDeletion(
	one: NodeEvidence,
	situation: Simulated,
	busyFor: () => Duration,
): NodeRepair | undefined {
	const {node} = one;
	const {evidence, now} = situation;
	const by = "its cloud's controller";
	const said = evidence.events.last('DeletingNode', node.name);
	if (said && said.at.hi >= node.createdAt) {
		const why = `its cloud's controller said at ${clockTime(said.at.lo)} that it deletes the Node, as its machine does not exist: ${podsFollow}`;
		return {by, ...nodeEnd(said.at.lo, now), isSure: true, why};
	}
	if (isReadyAndAlive(one, now) && !isOnlyLate(one, now)) return undefined;
	const doubtful = (why: string, end: Partial<NodeRepair> = {}): NodeRepair => ({
		by,
		at: null,
		isSure: false,
		endsPods: true,
		...end,
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
	if (turn.end + looksWithin > now) {
		const last = collectionOf(turn.end + looksWithin, [], true, busyFor())?.range.hi;
		const looks = `${first}, for which it looks every 5s, from ${clockTime(turn.earliest)} on`;
		return doubtful(looks, nodeEnd(turn.earliest, now, last));
	}
	const stays = formatDuration(now - turn.end);
	return doubtful(
		` (${cloud}), once its machine is gone, which was there: the Node still is ${stays} after it stopped being ready at ${clockTime(turn.end)}`,
	);
}

/** The cloud that a providerID names, as in `aws:///eu-west-1a/i-0123`. */
function cloudOf({providerId = ''}: Node): string | undefined {
	const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//.exec(providerId) ?? [];
	return scheme === undefined || notClouds.has(scheme) ? undefined : scheme;
}
