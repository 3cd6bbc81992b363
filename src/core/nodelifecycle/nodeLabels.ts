import type {TextMap} from '../../text/textMap.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {Node} from '../model/node.ts';
import {zoneKey} from '../model/zone.ts';

const reconciledLabels = [
	{stable: 'kubernetes.io/os', beta: 'beta.kubernetes.io/os'},
	{stable: 'kubernetes.io/arch', beta: 'beta.kubernetes.io/arch'},
];

/**
 * The changes that make the beta os and arch labels equal to the stable ones; undefined if they agree.
 *
 * @quirk until 1.18 the beta os and arch labels lead, and the stable ones follow
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go reconcileNodeLabels
 */
export function labelsToReconcile(
	{labels}: Node,
	{stableLabelsLead}: ControllerSettings,
): TextMap | undefined {
	const changes = reconciledLabels.flatMap(({stable, beta}) => {
		const [primary, secondary] = stableLabelsLead ? [stable, beta] : [beta, stable];
		const value = labels[primary];
		return value === undefined || labels[secondary] === value ? [] : [[secondary, value] as const];
	});
	return changes.length > 0 ? Object.fromEntries(changes) : undefined;
}

const excludeDisruptionLabel = 'node.kubernetes.io/exclude-disruption';

/** The rules by which a node may be excluded from its zone's count. */
export type ExclusionRules = Pick<ControllerSettings, 'nodeDisruptionExclusion' | 'legacyNodeRoleBehavior'>;

/**
 * Whether a node is excluded from the count of its zone. Its own pods are evicted like all others.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/nodelifecycle/node_lifecycle_controller.go isNodeExcludedFromDisruptionChecks
 */
export function isExcludedFromDisruptionChecks(
	{name, labels}: Node,
	{nodeDisruptionExclusion, legacyNodeRoleBehavior}: ExclusionRules,
) {
	if (legacyNodeRoleBehavior && isNamedAsMaster(name)) return true;
	return nodeDisruptionExclusion && Object.hasOwn(labels, excludeDisruptionLabel);
}

/** Whether two versions of a node count for the same zone, or both for none. */
export const countsAlike = (a: Node, b: Node, rules: ExclusionRules): boolean =>
	zoneKey(a) === zoneKey(b) &&
	isExcludedFromDisruptionChecks(a, rules) === isExcludedFromDisruptionChecks(b, rules);

/**
 * Whether a node is named like a control plane node of old setup scripts.
 *
 * @quirk until 1.20 a node counts for no zone where its name ends in master, or in master- and three more
 * @upstream kubernetes v1.16.15 pkg/controller/nodelifecycle/node_lifecycle_controller.go legacyIsMasterNode
 */
export function isNamedAsMaster(name: string) {
	// Upstream counts bytes; node names are ASCII.
	return name.endsWith('master') || (name.length >= 10 && name.slice(0, -3).endsWith('master-'));
}
