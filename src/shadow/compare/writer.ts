import type {Node} from '../../core/model/node.ts';
import {hasTaint} from '../../core/model/taint.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';

/** The field manager of the controllers. */
const controllerManager = 'kube-controller-manager';

/** How somebody is called whom nothing names. */
const somebody = 'somebody';

/**
 * Who changed a node's NoExecute taints, where that were certainly not the controllers: the newest write of its taints
 * names another manager, or a taint was added without the time that the controllers give theirs.
 */
export function foreignWriter(before: Node, node: Node): string | undefined {
	const known = before.taintWrites ?? [];
	const fresh = (node.taintWrites ?? []).filter(
		({manager, operation, time}) =>
			!known.some((old) => old.manager === manager && old.operation === operation && old.time === time),
	);
	const latest = Math.max(...fresh.map(({time}) => time));
	const writers = fresh.filter(({time}) => time === latest).map(({manager}) => manager);
	if (writers.length > 0) return writers.includes(controllerManager) ? undefined : writers[0];
	const old = noExecuteTaints(before);
	const added = noExecuteTaints(node).filter((taint) => !hasTaint(old, taint));
	return added.some(({timeAdded}) => timeAdded === undefined) ? somebody : undefined;
}
