import type {V1Pod} from '@kubernetes/client-node';
import {mapWithConcurrency} from '../../async/mapWithConcurrency.ts';
import type {Timing} from '../../async/timing.ts';
import {isPodTerminal} from '../../core/model/pod.ts';
import {type Occupancy, occupancyOf, type PlacedPod} from '../../core/model/workloads/occupancy.ts';
import type {NodesOfMany} from '../../core/model/workloads/related.ts';
import {UserError} from '../../text/userError.ts';
import {countOf} from '../codec/objectOf.ts';
import {decodeOwner, partsOf, textOf} from '../codec/rawJson.ts';
import {placedPodMessage} from '../codec/wire/related.ts';
import {list} from '../transport/list.ts';
import {hasStatus} from '../transport/requestError.ts';
import type {Transport} from '../transport/transport.ts';
import {decodeRequests, keepsAway} from './schedulingRules.ts';

/** Of more nodes, what runs on all of them is not read: for one sentence about a pod that would cost the server too much. */
export const mostNodes = 200;
/** Of so many it is read node by node then. */
const mostOfMany = 60;

/** Those that have ended take nothing. */
const living = 'status.phase!=Succeeded,status.phase!=Failed';

const podsBy = (fieldSelector: string) => ({
	path: '/api/v1/pods',
	query: {fieldSelector},
	message: placedPodMessage,
	decode: decodePlacedPod,
});

/**
 * The pods of one node, as the API server has them in memory, by node: for the newest, one before 1.31 would read all pods
 * of the cluster each time. Of that memory it makes no pages.
 */
function podsOn(node: string) {
	const resource = podsBy(`spec.nodeName=${node},${living}`);
	return {...resource, query: {...resource.query, resourceVersion: '0'}};
}

/**
 * Reads what runs on all nodes.
 *
 * @returns in words why it is not known, where it is not
 */
export const readOccupancy = (transport: Transport, timing: Timing): Promise<Occupancy | string> =>
	orWhy(async () => occupancyOf((await list(transport, podsBy(living), timing)).objects));

/**
 * Reads what runs on some of many nodes, and what waits for one: each node by itself, so that the size of the cluster
 * does not matter.
 *
 * @returns in words why it is not known, where it is not
 */
export async function readOccupancyOfMany(
	transport: Transport,
	timing: Timing,
	{candidates, troubled}: NodesOfMany = {candidates: [], troubled: []},
): Promise<Occupancy | string> {
	if (candidates.length === 0) return `what runs on more than ${mostNodes} nodes is not read`;
	if (troubled.length > mostOfMany)
		return `what the pods of more than ${mostOfMany} nodes in trouble ask for is not read`;
	const read = new Set(candidates.slice(0, mostOfMany));
	const nodes = ['', ...new Set([...troubled, ...read])];
	return orWhy(async () => {
		const lists = await mapWithConcurrency(nodes, (node) => list(transport, podsOn(node), timing));
		return occupancyOf(
			lists.flatMap(({objects}) => objects),
			read,
		);
	});
}

async function orWhy(read: () => Promise<Occupancy>): Promise<Occupancy | string> {
	try {
		return await read();
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		return hasStatus(error, 403) ? 'what runs on them may not be read' : 'what runs on them cannot be read';
	}
}

/** Reads a pod as it counts for its node; undefined where it has ended. */
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
	};
}
