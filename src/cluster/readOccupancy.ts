import type {V1ObjectMeta, V1OwnerReference, V1Pod, V1PodSpec, V1PodStatus} from '@kubernetes/client-node';
import {type Occupancy, occupancyOf, type PlacedPod} from '../core/model/occupancy.ts';
import {decodeRequests} from './decodeRequests.ts';
import {list} from './list.ts';
import {keepsAway} from './otherRules.ts';
import {entriesOf, fieldsOf, numberOf, textOf} from './rawJson.ts';
import {hasStatus} from './requestError.ts';
import type {Timing} from './timing.ts';
import type {Transport} from './transport.ts';
import {UserError} from './userError.ts';
import {placedPodMessage} from './wireRelated.ts';

/** Of more nodes, what runs on all of them is not read: for one sentence about a pod that would cost the server too much. */
const mostNodes = 200;

/** Those that have ended take nothing. */
const living = 'status.phase!=Succeeded,status.phase!=Failed';

/**
 * Reads what runs on all nodes, where those are not too many.
 *
 * @returns in words why it is not known, where it is not
 */
export async function readOccupancy(
	transport: Transport,
	nodeCount: number,
	timing: Timing,
): Promise<Occupancy | string> {
	if (nodeCount > mostNodes) return `what runs on more than ${mostNodes} nodes is not read`;
	const resource = {
		path: '/api/v1/pods',
		query: {fieldSelector: living},
		message: placedPodMessage,
		decode: decodePlacedPod,
	};
	try {
		return occupancyOf((await list(transport, resource, timing)).objects);
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		return hasStatus(error, 403) ? 'what runs on them may not be read' : 'what runs on them cannot be read';
	}
}

/** Reads a pod as it counts for its node; undefined where it has ended. */
export function decodePlacedPod(value: unknown): PlacedPod | undefined {
	const pod = fieldsOf<V1Pod>(value);
	const spec = fieldsOf<V1PodSpec>(pod.spec);
	const phase = textOf(fieldsOf<V1PodStatus>(pod.status).phase);
	if (phase === 'Succeeded' || phase === 'Failed') return undefined;
	const owner = entriesOf(fieldsOf<V1ObjectMeta>(pod.metadata).ownerReferences)
		.map((entry) => fieldsOf<V1OwnerReference>(entry))
		.find(({controller}) => controller === true);
	return {
		node: textOf(spec.nodeName),
		requests: decodeRequests(spec),
		priority: numberOf(spec.priority) ?? 0,
		keepsOthersAway: keepsAway(spec),
		owner: owner && textOf(owner.uid),
	};
}
