import type {TextMap} from '../../../text/textMap.ts';
import {parseGoDuration} from '../../model/goValues.ts';
import type {Duration} from '../../time/instant.ts';
import {formatQuantity} from '../quantities/formatQuantity.ts';
import {parsePercentage} from '../quantities/parsePercentage.ts';
import {parseQuantity} from '../quantities/parseQuantity.ts';
import {signOf} from '../quantities/quantity.ts';
import {isSignal, type Signal} from './signal.ts';
import {isHard, type Threshold, type ThresholdValue} from './threshold.ts';

/** Texts by signal, as in KubeletConfiguration. */
export type Statements = TextMap;

/** The threshold fields of KubeletConfiguration. */
export type ThresholdConfig = Readonly<{
	enforceNodeAllocatable?: readonly string[];
	evictionHard?: Statements;
	evictionSoft?: Statements;
	evictionSoftGracePeriod?: Statements;
	evictionMinimumReclaim?: Statements;
}>;

/**
 * Parses a kubelet's thresholds. If several entries of one map are invalid, upstream reports any one of them; this
 * reports the first.
 *
 * @throws Error with the kubelet's message; a kubelet with such a configuration does not start
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go ParseThresholdConfig
 */
export function parseThresholds(config: ThresholdConfig): readonly Threshold[] {
	const hard = parseStatements(config.evictionHard);
	const soft = parseStatements(config.evictionSoft);
	const gracePeriods = parseEach(config.evictionSoftGracePeriod, parseGracePeriod);
	const minimumReclaims = parseEach(config.evictionMinimumReclaim, parseMinimumReclaim);
	const graced = soft.map((threshold) => {
		const gracePeriod = gracePeriods.get(threshold.signal);
		if (gracePeriod !== undefined) return {...threshold, gracePeriod};
		throw new Error(`grace period must be specified for the soft eviction threshold ${threshold.signal}`);
	});
	const thresholds = [...hard, ...graced].map((threshold): Threshold => {
		const minReclaim = minimumReclaims.get(threshold.signal);
		return minReclaim ? {...threshold, minReclaim} : threshold;
	});
	return config.enforceNodeAllocatable?.includes('pods')
		? [...thresholds, ...allocatableThresholds(thresholds)]
		: thresholds;
}

/**
 * If pods are limited to the node's allocatable memory, each hard threshold for memory also applies to that.
 *
 * @quirk soft thresholds are not copied to the allocatable memory
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go addAllocatableThresholds
 */
function allocatableThresholds(thresholds: readonly Threshold[]): readonly Threshold[] {
	return thresholds
		.filter((threshold) => threshold.signal === 'memory.available' && isHard(threshold))
		.map((threshold) => ({...threshold, signal: 'allocatableMemory.available'}));
}

/** Texts by signal, each parsed. @throws Error for an unknown signal */
const parseEach = <Value>(
	statements: Statements = {},
	parse: (signal: Signal, text: string) => Value,
): ReadonlyMap<Signal, Value> =>
	new Map(
		Object.entries(statements).map(([signal, text]) => {
			if (isSignal(signal)) return [signal, parse(signal, text)];
			throw new Error(`unsupported eviction signal ${signal}`);
		}),
	);

const parseStatements = (statements: Statements | undefined): readonly Threshold[] =>
	[...parseEach(statements, parseValue)].flatMap(([signal, value]) =>
		value ? [{signal, operator: 'LessThan', value, gracePeriod: 0}] : [],
	);

/**
 * @quirk exactly 0% and 100% switch a threshold off, 0.0% keeps one that is never met
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go parseThresholdStatement
 */
function parseValue(signal: Signal, text: string): ThresholdValue | undefined {
	if (text.endsWith('%')) {
		if (text === '0%' || text === '100%') return undefined;
		const percentage = parsePercentage(text);
		if (percentage < 0) {
			throw new Error(`eviction percentage threshold ${signal} must be >= 0%: ${text}`);
		}
		if (percentage > 1) {
			throw new Error(`eviction percentage threshold ${signal} must be <= 100%: ${text}`);
		}
		return {percentage};
	}
	const quantity = parseQuantity(text);
	if (signOf(quantity) <= 0) {
		throw new Error(`eviction threshold ${signal} must be positive: ${formatQuantity(quantity)}`);
	}
	return {quantity};
}

/**
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go parseGracePeriods
 */
function parseGracePeriod(_: Signal, text: string): Duration {
	const period = parseGoDuration(text);
	if (period >= 0) return period;
	throw new Error(`invalid eviction grace period specified: ${text}, must be a positive value`);
}

/**
 * @quirk a minimum reclaim in percent may be more than 100%
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/helpers.go parseMinimumReclaims
 */
function parseMinimumReclaim(signal: Signal, text: string): ThresholdValue {
	if (text.endsWith('%')) {
		const percentage = parsePercentage(text);
		if (percentage > 0 || Number.isNaN(percentage)) return {percentage};
		throw new Error(`eviction percentage minimum reclaim ${signal} must be positive: ${text}`);
	}
	const quantity = parseQuantity(text);
	if (signOf(quantity) >= 0) return {quantity};
	throw new Error(`negative eviction minimum reclaim specified for ${signal}`);
}
