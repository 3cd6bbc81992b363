import type {V1Pod} from '@kubernetes/client-node';
import type {Node} from '../../core/model/node.ts';
import {nameOf} from '../../core/model/objectName.ts';
import type {Pod} from '../../core/model/pod.ts';
import type {Decoder} from '../codec/decoder.ts';
import {partsOf, textOf} from '../codec/rawJson.ts';
import {podsNamed, podsOf, podsOnNode, type Resource} from '../transport/resource.ts';
import type {PodScope, Selection} from '../transport/selection.ts';
import type {Query} from '../transport/transport.ts';

/** Listing one node costs the API server as much as so many pods in a page of 500: measured, see docs/performance.md. */
const podsOfOneList = 20;

export const labelsOf = ({labelSelector}: Selection): Query => (labelSelector ? {labelSelector} : {});

/** The collections of a scope that does not change. */
export function fixedCollections(scope: PodScope, labels: Query, decoder: Decoder): readonly Resource<Pod>[] {
	switch (scope.type) {
		case 'all':
			return [podsOf(undefined, decoder, labels)];
		case 'namespace':
			return [podsOf(scope.namespace, decoder, labels)];
		case 'nodes':
			return scope.nodes.map((name) => podsOnNode(name, decoder, labels));
		case 'chosen':
			return (scope.named ?? []).map((name) => podsNamed(name, decoder));
	}
}

/**
 * The collections of these nodes' pods: one for each node, or one of all pods if that costs less. Of it, pods of the other nodes
 * are not decoded.
 *
 * @param podCount how many pods there are; if that is not known, as many as cost what the list of their node does
 */
export function collectionsOf(
	names: readonly string[],
	nodes: readonly Node[],
	podCount = podsOfOneList * nodes.length,
	labels: Query,
	decoder: Decoder,
): readonly Resource<Pod>[] {
	const ofOthers = podCount * (nodes.length - names.length);
	if (ofOthers >= podsOfOneList * names.length * nodes.length)
		return names.map((name) => podsOnNode(name, decoder, labels));
	const others = new Set(nodes.map(nameOf));
	for (const name of names) others.delete(name);
	const pods = podsOf(undefined, decoder, labels);
	const nodeOf = (raw: unknown) => textOf(partsOf<V1Pod>(raw).spec.nodeName);
	return [{...pods, decode: (raw) => (others.has(nodeOf(raw)) ? undefined : pods.decode(raw))}];
}
