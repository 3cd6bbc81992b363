import type {Node} from '../model/node.ts';
import type {NodeReadinessRule, RepairObject} from '../model/repairObject.ts';
import {matchesTaint, type TaintIdentity} from '../model/taint.ts';
import {selects} from '../model/workloads/selects.ts';

/**
 * The rule that gives a node a taint while it lacks a condition; undefined if there is none.
 *
 * @upstream sigs.k8s.io/node-readiness-controller v0.0.0-00010101000000-00ef9cbc4f37 api/v1alpha1/nodereadinessrule_types.go NodeReadinessRuleSpec
 */
export function readinessRuleOf(
	taint: TaintIdentity,
	{labels}: Node,
	objects: Iterable<RepairObject>,
): NodeReadinessRule | undefined {
	for (const one of objects) {
		const isRule = one.kind === 'NodeReadinessRule' && !one.isDryRun;
		if (isRule && matchesTaint(one.taint, taint) && selects(one.selector, labels)) return one;
	}
	return undefined;
}

/** The conditions that a rule requires and a node does not have, as in `Ready=True`. */
export const lackedBy = ({conditions}: NodeReadinessRule, node: Node): readonly string[] =>
	conditions.flatMap(({type, status}) =>
		node.conditions.some((one) => one.type === type && one.status === status) ? [] : [`${type}=${status}`],
	);
