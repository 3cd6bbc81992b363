import type {ConditionStatus} from '../model/node.ts';
import type {UnhealthyCondition} from '../model/repairObject.ts';
import {type Duration, minute} from '../time/instant.ts';

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
export const karpenterProviders: ReadonlyMap<string, KarpenterProvider> = new Map([
	['karpenter.k8s.aws', {conditions: aws, isAlwaysOn: false}],
	['eks.amazonaws.com', {conditions: aws, isAlwaysOn: true}],
	['karpenter.azure.com', {conditions: ready(10 * minute), isAlwaysOn: false}],
]);

/** The conditions that every known provider repairs, for a provider whose timeouts are not known. */
export const anyProvider: readonly UnhealthyCondition[] = ready(0);
