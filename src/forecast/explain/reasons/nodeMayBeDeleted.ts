import type {Node} from '../../../core/model/node.ts';
import type {NodeEvidence} from '../../observe/nodes/nodeEvidence.ts';
import {isReadyAndAlive} from '../../observe/nodes/nodeLiveness.ts';
import type {Situation} from '../situation.ts';

/** The taint of a node whose machine is shut down. */
const shutdown = 'node.cloudprovider.kubernetes.io/shutdown';

/** Providers without a cloud that could delete a machine. */
const notClouds: ReadonlySet<string> = new Set(['docker', 'fake', 'k3s', 'kind', 'kwok', 'minikube', 'rke2']);

/**
 * Why a Node may be deleted before its pods are evicted: its machine is shut down, or belongs to a cloud, whose controller
 * deletes the Nodes of machines that no longer exist. Undefined if nothing suggests it.
 */
export function mayBeDeleted(one: NodeEvidence, situation: Situation): string | undefined {
	const {node} = one;
	if (node.taints.some(({key}) => key === shutdown)) return `its machine is shut down: ${follows}`;
	const isWell = isReadyAndAlive(one, situation.now);
	const cloud = cloudOf(node);
	if (isWell || cloud === undefined) return undefined;
	return `its providerID names a cloud (${cloud}), whose controller deletes the Node of a machine that is gone: ${follows}`;
}

const follows = 'its pods are deleted 40 to 80 s after the Node, whatever they tolerate';

/** The cloud that a providerID names, as in `aws:///eu-west-1a/i-0123`. */
function cloudOf({providerId = ''}: Node): string | undefined {
	const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//.exec(providerId) ?? [];
	return scheme === undefined || notClouds.has(scheme) ? undefined : scheme;
}
