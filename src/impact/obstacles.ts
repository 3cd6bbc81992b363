import type {Node} from '../core/model/node.ts';
import type {PodTemplate} from '../core/model/related.ts';
import {taintUnschedulable} from '../core/model/taint.ts';
import {matchingTolerations} from '../core/tainteviction/tolerations.ts';
import {hasLabels, meets} from './selectors.ts';

/**
 * What keeps a node from taking pods of a template: it is cordoned, lacks labels that they ask for, or has a taint that
 * they do not tolerate.
 *
 * @quirk a term of node affinity that asks for nothing is met by no node
 * @upstream kubernetes v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go Filter
 * @upstream kubernetes v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go Filter
 */
export function obstacleOn(node: Node, template: PodTemplate): string | undefined {
	const {labels, taints, unschedulable} = node;
	const isTolerated = (key: string) =>
		matchingTolerations([{key, value: '', effect: 'NoSchedule'}], template.tolerations, false) !== undefined;
	if (unschedulable && !isTolerated(taintUnschedulable)) return 'cordoned';
	if (!hasLabels(labels, template.nodeSelector)) return 'without the labels of its node selector';
	const isMet = (term: NonNullable<PodTemplate['nodeTerms']>[number]) =>
		term.length > 0 && term.every((one) => meets(labels, one));
	if (template.nodeTerms && !template.nodeTerms.some(isMet)) return 'outside of its node affinity';
	const forbidding = taints.find(
		(taint) =>
			taint.effect !== 'PreferNoSchedule' &&
			matchingTolerations([taint], template.tolerations, false) === undefined,
	);
	return forbidding && `tainted ${forbidding.key}`;
}
