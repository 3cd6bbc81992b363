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

/** What the EKS node monitoring agent reports beside the kubelet. */
const monitored = (['StorageReady', 'NetworkingReady', 'KernelReady', 'ContainerRuntimeReady'] as const).map(
	(type) => of(type, 'False', 30 * minute),
);

/**
 * Those of all releases before v1.15, and of later ones with --legacy-node-repair.
 *
 * @upstream github.com/aws/karpenter-provider-aws v1.15.1 pkg/cloudprovider/cloudprovider.go legacyRepairPolicies
 */
const aws: readonly UnhealthyCondition[] = [
	...ready(30 * minute),
	of('AcceleratedHardwareReady', 'False', 10 * minute),
	...monitored,
];

/** What a provider has Karpenter repair. */
type KarpenterProvider = {
	readonly conditions: readonly UnhealthyCondition[];
	/** Whether it always does. Elsewhere the feature gate NodeRepair must be on, which is off by default. */
	readonly isAlwaysOn: boolean;
};

/**
 * By the API group of its node class. Other providers have policies that are not known here.
 *
 * @upstream github.com/Azure/karpenter-provider-azure v0.0.0-00010101000000-00e8938d6eb5 pkg/cloudprovider/cloudprovider.go RepairPolicies
 */
export const karpenterProviders: ReadonlyMap<string, KarpenterProvider> = new Map([
	['karpenter.k8s.aws', {conditions: aws, isAlwaysOn: false}],
	['eks.amazonaws.com', {conditions: aws, isAlwaysOn: true}],
	['karpenter.azure.com', {conditions: ready(10 * minute), isAlwaysOn: false}],
]);

/** What every provider repairs that is known, whenever that is. */
export const anyProvider: readonly UnhealthyCondition[] = ready(0);
