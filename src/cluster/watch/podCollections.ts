import type {Pod} from '../../core/model/pod.ts';
import type {Decoder} from '../codec/decoder.ts';
import {namedPod, podsOf, podsOnNode, type Resource} from '../transport/resource.ts';
import type {PodScope, Selection} from '../transport/selection.ts';
import type {Query} from '../transport/transport.ts';

/**
 * From which share of all nodes on their pods are listed with all others. The list of one node costs the API server as
 * much more as some 20 pods in a page of 500 do: measured, see docs/scale.md.
 */
const shareOfMost = 1 / 2;

/** What the label selector of a selection adds to a query. */
export const labelsOf = ({labelSelector}: Selection): Query => (labelSelector ? {labelSelector} : {});

/** The collections that hold the pods of a scope which does not change. */
export function fixedCollections(scope: PodScope, labels: Query, decoder: Decoder): readonly Resource<Pod>[] {
	switch (scope.type) {
		case 'all':
			return [podsOf(undefined, decoder, labels)];
		case 'namespace':
			return [podsOf(scope.namespace, decoder, labels)];
		case 'nodes':
			return scope.nodes.map((name) => podsOnNode(name, decoder, labels));
		case 'chosen':
			return (scope.named?.names ?? []).map((name) => namedPod(scope.named?.namespace, name, decoder));
	}
}

/** The collections that hold the pods of these nodes, of so many: one for each, or one for all. */
export function collectionsOf(
	names: readonly string[],
	nodeCount: number,
	labels: Query,
	decoder: Decoder,
): readonly Resource<Pod>[] {
	if (names.length > shareOfMost * nodeCount) return [podsOf(undefined, decoder, labels)];
	return names.map((name) => podsOnNode(name, decoder, labels));
}
