import {isReadyNode, type Node} from '../model/node.ts';
import {taintOutOfService} from '../model/taint.ts';
import {type Duration, second} from '../time/instant.ts';

/** From the end of one pass of the pod garbage collector to the next. */
export const gcCheckPeriod: Duration = 20 * second;

/**
 * How long a node must be missing before the API server is asked for it.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go discoverDeletedNodes
 */
export const quarantineTime: Duration = 40 * second;

/**
 * Whether a node's Terminating pods are deleted by force: it is not ready, and its taint declares it out of service.
 *
 * @quirk the out-of-service taint counts with any effect and value
 * @upstream kubernetes v1.36.3 pkg/controller/podgc/gc_controller.go gcTerminating
 */
export function isOutOfService(node: Node) {
	const isReady = isReadyNode(node);
	return !isReady && node.taints.some(({key}) => key === taintOutOfService);
}
