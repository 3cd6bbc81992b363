import type {Pod} from '../../core/model/pod.ts';
import type {Decoder} from '../codec/decoder.ts';
import {podsNamed, podsOf, podsOnNode, type Resource} from '../transport/resource.ts';
import type {PodScope, Selection} from '../transport/selection.ts';
import type {Query} from '../transport/transport.ts';

/**
 * Above this share of all nodes, all pods are listed together. Listing one node costs the API server as much as some 20 pods
 * in a page of 500: measured, see docs/performance.md.
 */
const shareToListAll = 1 / 2;

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

/** The collections of these nodes' pods: one for each node, or one for all of the `nodeCount` nodes. */
export function collectionsOf(
	names: readonly string[],
	nodeCount: number,
	labels: Query,
	decoder: Decoder,
): readonly Resource<Pod>[] {
	if (names.length > shareToListAll * nodeCount) return [podsOf(undefined, decoder, labels)];
	return names.map((name) => podsOnNode(name, decoder, labels));
}
