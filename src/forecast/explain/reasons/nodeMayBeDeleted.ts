import type {Node} from '../../../core/model/node.ts';
import type {Problem} from '../../../core/model/problem.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isReadyAndAlive} from '../../observe/nodes/nodeLiveness.ts';
import type {Situation} from '../situation.ts';

/** Taints that mark a node for deletion, or its machine as shut down. */
const marks: ReadonlyMap<string, string> = new Map([
	['ToBeDeletedByClusterAutoscaler', 'the cluster autoscaler is about to delete it'],
	['node.cloudprovider.kubernetes.io/shutdown', 'its machine is shut down'],
]);

/** Providers without a cloud that could delete a machine. */
const notClouds: ReadonlySet<string> = new Set(['docker', 'fake', 'k3s', 'kind', 'kwok', 'minikube', 'rke2']);

/**
 * Why a Node may be deleted before its pods are evicted: it is marked for that, or belongs to a cloud, whose controller
 * deletes the Nodes of machines that no longer exist. Undefined if nothing suggests it.
 */
export function mayBeDeleted(one: NodeEvidence, situation: Situation): string | undefined {
	const {node} = one;
	const mark = markOf(node);
	if (mark) return `${mark}: ${follows}`;
	const isWell = isReadyAndAlive(one, situation.now);
	const cloud = cloudOf(node);
	if (isWell || cloud === undefined) return undefined;
	return `its providerID names a cloud (${cloud}), whose controller deletes the Node of a machine that is gone: ${follows}`;
}

const follows = 'its pods are deleted 40 to 80 s after the Node, whatever they tolerate';

/** A problem that names the affected nodes that are marked for deletion. */
export function nodesMayBeDeleted({affected}: Situation): readonly Problem[] {
	const marked = affected.nodes.flatMap(({node}) => {
		const mark = markOf(node);
		return mark === undefined ? [] : [`${node.name} (${mark})`];
	});
	if (marked.length === 0) return [];
	const message = `a node may be deleted before its pods are evicted, which go 40 to 80 s after it then: ${marked.join(', ')}`;
	return [{reason: 'NodeMayBeDeleted', message}];
}

const markOf = ({taints}: Node): string | undefined =>
	taints.map(({key}) => marks.get(key)).find((mark) => mark !== undefined);

/** The cloud that a providerID names, as in `aws:///eu-west-1a/i-0123`. */
function cloudOf({providerId = ''}: Node): string | undefined {
	const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//.exec(providerId) ?? [];
	return scheme === undefined || notClouds.has(scheme) ? undefined : scheme;
}
