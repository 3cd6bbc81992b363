import {isReadyNode, type Node, readyCondition} from '../../../core/model/node.ts';
import {isNodeLifecycleTaint, type Taint} from '../../../core/model/taint.ts';
import {noExecuteTaints} from '../../../core/tainteviction/taintEvictionController.ts';

/** The NoExecute taint that the node lifecycle controller adds to a node that is not ready. */
export const lifecycleTaint = (node: Node): Taint | undefined =>
	noExecuteTaints(node).find(isNodeLifecycleTaint);

/** Whether a node waits for that taint: it reports a Ready condition that is not True, and does not have the taint yet. */
export const waitsForTaint = ({node}: {readonly node: Node}): boolean =>
	readyCondition(node) !== undefined && !isReadyNode(node) && lifecycleTaint(node) === undefined;

/** Whether a node has lost the controller's taint. */
export const wasUntainted = (before: Node, after: Node) =>
	lifecycleTaint(before) !== undefined && !lifecycleTaint(after);

/** Whether two lists have taints of the same keys and values in the same order. */
export function isSameTaints(a: readonly Taint[], b: readonly Taint[]) {
	return (
		a.length === b.length &&
		a.every(({key, value}, index) => key === b[index]?.key && value === b[index].value)
	);
}
