import type {V1Pod, V1PodStatus} from '@kubernetes/client-node';
import {mapWithConcurrency} from '../../async/mapWithConcurrency.ts';
import {isPodTerminal} from '../../core/model/pod.ts';
import {type Occupancy, occupancyOf, type PlacedPod} from '../../core/model/workloads/occupancy.ts';
import type {NodesOfMany} from '../../core/model/workloads/related.ts';
import {type Duration, minute} from '../../core/time/instant.ts';
import {UserError} from '../../text/userError.ts';
import {countOf} from '../codec/objectOf.ts';
import {decodeOwner, decodeTime, entriesOf, type Fields, partsOf, textOf} from '../codec/rawJson.ts';
import {placedPodMessage} from '../codec/wire/objects.ts';
import {list} from '../transport/list.ts';
import {hasStatus} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';
import {decodeRequests, keepsAway} from './schedulingRules.ts';

/** With more nodes, the pods of all nodes are not read: the result is one sentence about a pod. */
export const mostNodes = 200;
/** Maximum number of nodes that are then read one by one. */
const maxNodesOneByOne = 60;

/** Pods that have ended use no resources. */
const activePods = 'status.phase!=Succeeded,status.phase!=Failed';

const podsBy = (fieldSelector: string) => ({
	path: '/api/v1/pods',
	query: {fieldSelector},
	message: placedPodMessage,
	decode: decodePlacedPod,
});

/** The pods of one node from the API server's cache (resourceVersion 0): for the newest state, old servers read all pods. */
function podsOn(node: string) {
	const resource = podsBy(`spec.nodeName=${node},${activePods}`);
	return {...resource, query: {...resource.query, resourceVersion: '0'}};
}

/**
 * Reads what runs on all nodes.
 *
 * @returns a text with the reason if that is unknown
 */
export const readOccupancy = (transport: Transport): Promise<Occupancy | string> =>
	orReason(async () => occupancyOf((await list(transport, podsBy(activePods))).objects));

/**
 * Reads what runs on some of many nodes, and the unscheduled pods: node by node, so that the size of the cluster does not
 * matter.
 *
 * @returns a text with the reason if that is unknown
 */
export async function readOccupancyOfMany(
	transport: Transport,
	{candidates, troubled}: NodesOfMany = {candidates: [], troubled: []},
): Promise<Occupancy | string> {
	if (candidates.length === 0) return `what runs on more than ${mostNodes} nodes is not read`;
	if (troubled.length > maxNodesOneByOne)
		return `what the pods of more than ${maxNodesOneByOne} nodes in trouble ask for is not read`;
	const read = new Set(candidates.slice(0, maxNodesOneByOne));
	const nodes = ['', ...new Set([...troubled, ...read])];
	return orReason(async () => {
		const lists = await mapWithConcurrency(nodes, (node) => list(transport, podsOn(node)));
		return occupancyOf(
			lists.flatMap(({objects}) => objects),
			read,
		);
	});
}

async function orReason(read: () => Promise<Occupancy>): Promise<Occupancy | string> {
	try {
		return await read();
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		return hasStatus(error, 403) ? 'what runs on them may not be read' : 'what runs on them cannot be read';
	}
}

/** Decodes what a pod occupies on its node; undefined if it has ended. */
export function decodePlacedPod(value: unknown): PlacedPod | undefined {
	const {metadata, spec, status} = partsOf<V1Pod>(value);
	const phase = textOf(status.phase);
	if (isPodTerminal({phase})) return undefined;
	return {
		node: textOf(spec.nodeName),
		requests: decodeRequests(spec),
		priority: countOf(spec.priority),
		keepsOthersAway: keepsAway(spec),
		owner: decodeOwner(metadata.ownerReferences)?.uid,
		start: startOf(status),
	};
}

/** Longer than that after a pod had its node, Ready has rather turned once more, as with a node that came back, than come first. */
const longestStart: Duration = 10 * minute;

function startOf({conditions}: Fields<V1PodStatus>): Duration | undefined {
	const trueSince = (type: string) =>
		decodeTime(
			entriesOf(conditions).find((one) => one?.type === type && one.status === 'True')?.lastTransitionTime,
		);
	const [from, to] = [trueSince('PodScheduled'), trueSince('Ready')];
	const start = from === undefined || to === undefined ? undefined : to - from;
	return start === undefined || start < 0 || start > longestStart ? undefined : start;
}
