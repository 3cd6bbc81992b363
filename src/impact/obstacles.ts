import type {Node} from '../core/model/node.ts';
import {taintUnschedulable} from '../core/model/taint.ts';
import type {NodeTerms, PodTemplate} from '../core/model/workloads/related.ts';
import {hasLabels, meets} from '../core/model/workloads/selects.ts';
import {matchingTolerations} from '../core/tainteviction/tolerations.ts';

/**
 * Why a node cannot take pods of a template: it is cordoned, lacks labels that they require, has a taint that they do not
 * tolerate, or cannot reach their volumes.
 *
 * @param volumeTerms from where each of their volumes can be reached
 *
 * @quirk a term of node affinity that asks for nothing is met by no node
 * @upstream kubernetes v1.36.3 pkg/scheduler/framework/plugins/nodeaffinity/node_affinity.go Filter
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/storage/volume/helpers.go CheckNodeAffinity
 * @upstream kubernetes v1.36.3 pkg/scheduler/framework/plugins/tainttoleration/taint_toleration.go Filter
 */
export function obstacleOn(
	node: Node,
	template: PodTemplate,
	volumeTerms: readonly NodeTerms[] = [],
): string | undefined {
	const {labels, taints, unschedulable} = node;
	const isTolerated = (key: string) =>
		matchingTolerations([{key, value: '', effect: 'NoSchedule'}], template.tolerations, false) !== undefined;
	if (unschedulable && !isTolerated(taintUnschedulable)) return 'cordoned';
	if (!hasLabels(labels, template.nodeSelector)) return 'without the labels of its node selector';
	if (template.nodeTerms && !isMeant(node, template.nodeTerms)) return 'outside of its node affinity';
	if (!volumeTerms.every((terms) => isMeant(node, terms))) return 'out of reach of its volumes';
	const forbidding = taints.find(
		(taint) =>
			taint.effect !== 'PreferNoSchedule' &&
			matchingTolerations([taint], template.tolerations, false) === undefined,
	);
	return forbidding && `tainted ${forbidding.key}`;
}

/** Whether a node is meant by terms. @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go Match */
function isMeant({name, labels}: Node, terms: NodeTerms): boolean {
	const fields = {'metadata.name': name};
	return terms.some(
		(term) => term.length > 0 && term.every((one) => meets(one.isField ? fields : labels, one)),
	);
}
