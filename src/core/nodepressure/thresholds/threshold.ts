import type {Duration} from '../../time/instant.ts';
import {compareQuantities, newQuantity, type Quantity} from '../quantities/quantity.ts';
import type {Signal} from './signal.ts';

/** An amount, or a share of the capacity (0.1 for 10%; a float32). */
export type ThresholdValue = {readonly quantity: Quantity} | {readonly percentage: number};

/** A minimum that must remain available. Thresholds are compared by object identity. */
export type Threshold = Readonly<{
	signal: Signal;
	/** A threshold without an operator is never met. */
	operator: 'LessThan' | '';
	value: ThresholdValue;
	/** How long it must be met before pods are evicted; 0 for a hard one. */
	gracePeriod: Duration;
	/** How much must be free beyond the threshold before it counts as resolved. */
	minReclaim?: ThresholdValue;
}>;

/**
 * @quirk a soft threshold with a grace period of zero is a hard one
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go isHardEvictionThreshold
 */
export function isHard({gracePeriod}: Threshold) {
	return gracePeriod === 0;
}

/**
 * The amount of a threshold's value, for a capacity.
 *
 * @quirk a percentage is a float32: 10% of 10000000000 is 1000000014
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/api/types.go GetThresholdQuantity
 */
export function thresholdQuantity(value: ThresholdValue, capacity: bigint): Quantity {
	if ('quantity' in value) return value.quantity;
	return newQuantity(goInt64(Number(capacity) * value.percentage), 'BinarySI');
}

/**
 * Whether two values are the same amount, in whatever format.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go compareThresholdValue
 */
export function isSameValue(a: ThresholdValue, b: ThresholdValue) {
	if ('quantity' in a) return 'quantity' in b && compareQuantities(a.quantity, b.quantity) === 0;
	return !('quantity' in b) && a.percentage === b.percentage;
}

const leastInt64 = -(2n ** 63n);

/** Go's conversion from float64 on amd64: a value that does not fit becomes the smallest int64. */
function goInt64(value: number): bigint {
	if (!Number.isFinite(value) || value >= 2 ** 63 || value < -(2 ** 63)) return leastInt64;
	return BigInt(Math.trunc(value));
}
