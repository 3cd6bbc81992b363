import type {Node} from '../model/node.ts';

const reconciledLabels = [
	{primary: 'kubernetes.io/os', secondary: 'beta.kubernetes.io/os'},
	{primary: 'kubernetes.io/arch', secondary: 'beta.kubernetes.io/arch'},
];

/**
 * The beta os and arch labels that differ from the stable ones, with the values they are to get; undefined where
 * nothing is to be done.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go reconcileNodeLabels
 */
export function labelsToReconcile({labels}: Node): Readonly<Record<string, string>> | undefined {
	const changes = reconciledLabels.flatMap(({primary, secondary}) => {
		const value = labels[primary];
		return value === undefined || labels[secondary] === value ? [] : [[secondary, value] as const];
	});
	return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

const excludeDisruptionLabel = 'node.kubernetes.io/exclude-disruption';

/**
 * Whether a node is left out when the nodes of its zone are counted. Its own pods are evicted like all others.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go isNodeExcludedFromDisruptionChecks
 */
export function isExcludedFromDisruptionChecks({labels}: Node): boolean {
	return Object.hasOwn(labels, excludeDisruptionLabel);
}
