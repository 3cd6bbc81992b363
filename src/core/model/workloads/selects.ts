import type {TextMap} from '../../../text/textMap.ts';
import type {LabelSelector, NodeTerms, Requirement} from './related.ts';

type Labels = TextMap;

/** Whether labels match a selector. An empty selector matches everything. */
export function selects({matchLabels, matchExpressions}: LabelSelector, labels: Labels): boolean {
	return hasLabels(labels, matchLabels) && matchExpressions.every((one) => meets(labels, one));
}

/** Whether labels contain all of the given ones. */
export const hasLabels = (labels: Labels, wanted: Labels) =>
	Object.entries(wanted).every(([key, value]) => labels[key] === value);

/**
 * Whether terms select a node.
 *
 * @quirk a term that asks for nothing selects none
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/component-helpers/scheduling/corev1/nodeaffinity/nodeaffinity.go Match
 */
export function selectsNode(
	terms: NodeTerms,
	{name, labels}: {readonly name: string; readonly labels: Labels},
): boolean {
	const fields = {'metadata.name': name};
	return terms.some(
		(term) =>
			term.length > 0 &&
			term.every((requirement) => meets(requirement.isField ? fields : labels, requirement)),
	);
}

/**
 * Whether labels meet one requirement. A missing label is in no list.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/labels/selector.go Matches
 */
export function meets(labels: Labels, {key, operator, values}: Requirement): boolean {
	const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
	switch (operator) {
		case 'In':
			return value !== undefined && values.includes(value);
		case 'NotIn':
			return value === undefined || !values.includes(value);
		case 'Exists':
			return value !== undefined;
		case 'DoesNotExist':
			return value === undefined;
		case 'Gt':
			return value !== undefined && Number(value) > Number(values[0]);
		case 'Lt':
			return value !== undefined && Number(value) < Number(values[0]);
		default:
			return false;
	}
}
