import {mapBy} from '../collections/mapBy.ts';
import type {ConditionStatus, Node} from '../model/node.ts';
import {nameOf} from '../model/objectName.ts';
import type {NodeClaim, UnhealthyCondition} from '../model/repairObject.ts';
import {type Duration, minute, second} from '../time/instant.ts';
import type {Repairer} from './repairer.ts';
import {karpenterLimit} from './repairLimit.ts';

const of = (type: string, status: ConditionStatus, timeout: Duration): UnhealthyCondition => ({
	type,
	status,
	timeout,
});

const ready = (timeout: Duration): readonly UnhealthyCondition[] => [
	of('Ready', 'False', timeout),
	of('Ready', 'Unknown', timeout),
];

/** Conditions that the EKS node monitoring agent sets, beside the kubelet's. */
const monitored = (['StorageReady', 'NetworkingReady', 'KernelReady', 'ContainerRuntimeReady'] as const).map(
	(type) => of(type, 'False', 30 * minute),
);

/**
 * The policies of all releases before v1.15, and of later ones with --legacy-node-repair.
 *
 * @upstream github.com/aws/karpenter-provider-aws v1.15.1 pkg/cloudprovider/cloudprovider.go legacyRepairPolicies
 */
const aws: readonly UnhealthyCondition[] = [
	...ready(30 * minute),
	of('AcceleratedHardwareReady', 'False', 10 * minute),
	...monitored,
];

type KarpenterProvider = {
	readonly conditions: readonly UnhealthyCondition[];
	/** Whether node repair is always on. Elsewhere it needs the feature gate NodeRepair, which is off by default. */
	readonly isAlwaysOn: boolean;
};

/**
 * By the API group of the node class. Other providers have policies that are not known here.
 *
 * @upstream github.com/Azure/karpenter-provider-azure v0.0.0-00010101000000-00e8938d6eb5 pkg/cloudprovider/cloudprovider.go RepairPolicies
 */
const karpenterProviders: ReadonlyMap<string, KarpenterProvider> = new Map([
	['karpenter.k8s.aws', {conditions: aws, isAlwaysOn: false}],
	['eks.amazonaws.com', {conditions: aws, isAlwaysOn: true}],
	['karpenter.azure.com', {conditions: ready(10 * minute), isAlwaysOn: false}],
]);

/** The conditions that every known provider repairs, for a provider whose timeouts are not known. */
const anyProvider: readonly UnhealthyCondition[] = ready(0);

/** Karpenter's label on its nodes. */
export const poolLabel = 'karpenter.sh/nodepool';

/**
 * Karpenter's release cannot be observed. From v1.15 on, unless --legacy-node-repair is set, node repair is a
 * disruption: one node at a time, within the budgets of its NodePool, once a replacement has started.
 *
 * @upstream sigs.k8s.io/karpenter v1.15.0 pkg/controllers/disruption/repair.go computeCommands
 */
const karpenterDelays =
	'since v1.15 of Karpenter a disruption budget, a replacement that does not start, or other nodes may delay it, and the annotation karpenter.sh/do-not-repair prevents it';

/** Matches NodeClaims to nodes by the provider ID, if it was recorded, else by name. */
export function claimedNodes(
	claims: readonly NodeClaim[],
	nodes: readonly Node[],
): ReadonlyMap<NodeClaim, Node> {
	if (claims.length === 0) return new Map();
	const byName = mapBy(nodes, nameOf);
	const byProvider = mapBy(nodes, (node) => node.providerId);
	return new Map(
		claims.flatMap((claim) => {
			const {providerId, nodeName} = claim;
			const node = providerId === '' ? byName.get(nodeName) : byProvider.get(providerId);
			return node ? [[claim, node]] : [];
		}),
	);
}

/**
 * One repairer per NodePool, and one for claims without a pool, whose limit counts all nodes. A node with two claims
 * is ignored.
 *
 * @upstream sigs.k8s.io/karpenter v1.14.1 pkg/controllers/node/health/controller.go Reconcile
 * @upstream sigs.k8s.io/karpenter v1.14.1 pkg/utils/node/node.go NodeClaimForNode
 */
export function karpenterRepairers(
	claims: readonly NodeClaim[],
	nodes: readonly Node[],
): readonly Repairer[] {
	const nodeOf = claimedNodes(claims, nodes);
	const claimants = Map.groupBy(nodeOf.keys(), (claim) => nodeOf.get(claim)?.name);
	const groups = Map.groupBy(claims, ({pool, provider}) => `${provider} ${pool}`);
	return [...groups.values()].map((group): Repairer => {
		const {pool = '', provider = ''} = group[0] ?? {};
		const known = karpenterProviders.get(provider);
		const counted = pool === '' ? nodes : nodes.filter(({labels}) => labels[poolLabel] === pool);
		const gate =
			'whether the feature gate NodeRepair of Karpenter is on cannot be seen (it is off by default)';
		const times = `how long the provider ${provider || 'of Karpenter'} waits is not known`;
		const doubts = [...(known?.isAlwaysOn ? [] : [gate]), ...(known ? [] : [times])];
		return {
			name: pool === '' ? 'Karpenter' : `Karpenter (NodePool ${pool})`,
			nodes: new Set(
				group.flatMap((claim) => {
					const name = nodeOf.get(claim)?.name;
					return name !== undefined && claimants.get(name)?.length === 1 ? [name] : [];
				}),
			),
			counted: new Set(counted.map(nameOf)),
			unhealthyAnyway: 0,
			conditions: known?.conditions ?? anyProvider,
			allows: karpenterLimit,
			limit: 'more than 20% of its nodes',
			looksAgainAfter: 5 * minute,
			slack: second,
			delays: karpenterDelays,
			...(doubts.length > 0 && {doubt: doubts.join(', and ')}),
			isTimeUnknown: !known,
			endsPods: true,
			action: 'deletes its NodeClaim: its pods are deleted, then its machine and the Node',
		};
	});
}
