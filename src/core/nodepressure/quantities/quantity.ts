import {compareValues} from '../../collections/compareValues.ts';

/** How a quantity is written: `12e6`, `12Mi` or `12M`. */
export type QuantityFormat = 'DecimalExponent' | 'BinarySI' | 'DecimalSI';

/** The suffixes of powers of 1000, from a nano on, and of powers of 1024, from one on. */
export const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
export const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** An exact amount, like resource.Quantity: `unscaled * 10 ** exponent`. Immutable plain data. */
export type Quantity = Readonly<{
	unscaled: bigint;
	/** Power of ten; negative for fractions. */
	exponent: number;
	format: QuantityFormat;
	/** The text it was parsed from, if upstream keeps it and writes it back unchanged. */
	text?: string;
}>;

export function newQuantity(value: bigint, format: QuantityFormat): Quantity {
	return {unscaled: value, exponent: 0, format};
}

/**
 * Negative, zero or positive if `a` is less than, equal to or greater than `b`.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go Cmp
 */
export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
	if (a.exponent === b.exponent) return compareValues(a.unscaled, b.unscaled);
	const [signA, signB] = [signOf(a), signOf(b)];
	if (signA !== signB || signA === 0) return compareValues(BigInt(signA), BigInt(signB));
	// A parsed exponent can be huge, so amounts of different magnitude are compared without writing out their digits.
	const [digitsA, digitsB] = [magnitude(a), magnitude(b)];
	if (digitsA !== digitsB) return digitsA > digitsB === signA > 0 ? 1 : -1;
	const exponent = Math.min(a.exponent, b.exponent);
	return compareValues(scaledTo(a, exponent), scaledTo(b, exponent));
}

/**
 * The sum. If `a` is zero, it has the format of `b`.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go Add
 */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
	const exponent = Math.min(a.exponent, b.exponent);
	return {
		unscaled: scaledTo(a, exponent) + scaledTo(b, exponent),
		exponent,
		format: a.unscaled === 0n ? b.format : a.format,
	};
}

/**
 * The difference `a - b`. If `a` is zero, it has the format of `b`.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go Sub
 */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
	return addQuantities(a, {unscaled: -b.unscaled, exponent: b.exponent, format: b.format});
}

export function signOf(quantity: Quantity): -1 | 0 | 1 {
	return compareValues(quantity.unscaled, 0n);
}

/**
 * The amount as an int64, rounded away from zero. Beyond int64 upstream is wrong in several ways; this reproduces
 * one.
 *
 * @quirk a decimal quantity beyond int64 wraps: 2^64 has the value 0
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go Value
 */
export function int64Of(quantity: Quantity): bigint {
	return BigInt.asIntN(64, roundUp(quantity, 0));
}

/** The amount in units of `10 ** exponent`, rounded away from zero. */
export function roundUp(quantity: Quantity, exponent: number): bigint {
	if (quantity.exponent >= exponent) return scaledTo(quantity, exponent);
	if (magnitude(quantity) <= exponent) return BigInt(signOf(quantity));
	const divisor = 10n ** BigInt(exponent - quantity.exponent);
	const [whole, rest] = [quantity.unscaled / divisor, quantity.unscaled % divisor];
	return rest === 0n ? whole : whole + BigInt(signOf(quantity));
}

/** Whether the amount is a whole number. */
export const isWhole = ({unscaled, exponent}: Quantity) =>
	exponent >= 0 || unscaled % 10n ** BigInt(-exponent) === 0n;

const scaledTo = ({unscaled, exponent}: Quantity, target: number): bigint =>
	exponent === target ? unscaled : unscaled * 10n ** BigInt(exponent - target);

const magnitude = ({unscaled, exponent}: Quantity): number =>
	(unscaled < 0n ? -unscaled : unscaled).toString().length + exponent;
