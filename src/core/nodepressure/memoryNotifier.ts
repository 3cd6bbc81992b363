import {addQuantities, int64Of, newQuantity, subtractQuantities} from './quantity.ts';
import type {NodeStats} from './summary.ts';
import {type Threshold, thresholdQuantity} from './threshold.ts';

/**
 * At which usage of memory the kernel (cgroup v1, kernelMemcgNotification) calls for a pass: where the working set
 * reaches the capacity less the threshold. Undefined where the summary does not say enough, and for other signals.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/memory_threshold_notifier_others.go UpdateThreshold
 */
export function notifiedUsage(threshold: Threshold, node: NodeStats): bigint | undefined {
	const stats = statsOf(threshold, node);
	const {usageBytes, workingSetBytes, availableBytes} = stats ?? {};
	if (usageBytes === undefined || workingSetBytes === undefined || availableBytes === undefined)
		return undefined;
	const bytes = (amount: bigint) => newQuantity(BigInt.asIntN(64, amount), 'BinarySI');
	const capacity = bytes(availableBytes + workingSetBytes);
	const atThreshold = subtractQuantities(capacity, thresholdQuantity(threshold.value, int64Of(capacity)));
	return int64Of(addQuantities(atThreshold, bytes(usageBytes - workingSetBytes)));
}

function statsOf({signal}: Threshold, node: NodeStats) {
	if (signal === 'memory.available') return node.memory;
	return signal === 'allocatableMemory.available' ? node.podsMemory : undefined;
}
