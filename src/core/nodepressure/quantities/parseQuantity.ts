import {
	binarySuffixes,
	compareQuantities,
	decimalSuffixes,
	newQuantity,
	type Quantity,
	type QuantityFormat,
	roundUp,
} from './quantity.ts';

const wrongFormat =
	"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const wrongNumber = 'unable to parse numeric part of quantity';
const wrongSuffix = "unable to parse quantity's suffix";

const maxInt64 = 2n ** 63n - 1n;
const nano = -9;

type Suffix = {readonly base: 2 | 10; readonly exponent: number; readonly format: QuantityFormat};

const suffixes: ReadonlyMap<string, Suffix> = new Map([
	...binarySuffixes.map((name, index): [string, Suffix] => [
		name,
		{base: 2, exponent: 10 * index, format: 'BinarySI'},
	]),
	// A number without a suffix is decimal.
	...decimalSuffixes.map((name, index): [string, Suffix] => [
		name,
		{base: 10, exponent: 3 * index - 9, format: 'DecimalSI'},
	]),
]);

/** The parts of a quantity's text; `number` is all of it without the suffix, `whole` and `fraction` are digits only. */
type QuantityParts = Readonly<{
	isNegative: boolean;
	whole: string;
	fraction: string;
	number: string;
	suffix: string;
}>;

/**
 * Parses a quantity as Kubernetes does: `100Mi`, `1.5G`, `12e6`, `100m`.
 *
 * @throws Error with apimachinery's message
 * @quirk a suffix without a number is zero
 * @quirk what is finer than a nano is rounded up to one
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go ParseQuantity
 */
export function parseQuantity(text: string): Quantity {
	if (text === '0') return {...newQuantity(0n, 'DecimalSI'), text};
	const parts = split(text);
	const suffix = interpretSuffix(parts.suffix);
	return parseShort(text, parts, suffix) ?? parseLong(parts, suffix);
}

/** A quantity's text such as `250m` as a number, as exact as that can be; undefined for a text without one. */
export function numberOfQuantity(text: string): number | undefined {
	if (!/^[+-]?\.?\d/.test(text)) return undefined;
	try {
		const {unscaled, exponent} = parseQuantity(text);
		return Number(`${unscaled}e${exponent}`);
	} catch {
		return undefined;
	}
}

/**
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go parseQuantityString
 */
function split(text: string): QuantityParts {
	const [matched, sign = '', zeroes = '', whole = '', point = '', fraction = '', suffix = ''] =
		/^([+-]?)(0*)(\d*)(\.?)(\d*)([eEinumkKMGTP]*[-+]?\d*)$/.exec(text) ?? [];
	if (matched === undefined || text === '') throw new Error(wrongFormat);
	const number = `${sign}${zeroes}${whole}${point}${fraction}`;
	return {isNegative: sign === '-', whole: whole === '' ? '0' : whole, fraction, number, suffix};
}

/**
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/api/resource/suffix.go interpret
 */
function interpretSuffix(text: string): Suffix {
	const known = suffixes.get(text);
	if (known) return known;
	const exponent = /^[eE]([-+]?\d+)$/.exec(text)?.[1];
	if (exponent === undefined || BigInt.asIntN(64, BigInt(exponent)) !== BigInt(exponent)) {
		throw new Error(wrongSuffix);
	}
	return {base: 10, exponent: Number(BigInt.asIntN(32, BigInt(exponent))), format: 'DecimalExponent'};
}

/** A quantity that upstream keeps as a scaled int64; undefined if it does not fit. Only such a quantity keeps its text. */
function parseShort(
	text: string,
	parts: QuantityParts,
	{base, exponent, format}: Suffix,
): Quantity | undefined {
	const {isNegative, whole, fraction} = parts;
	const digits = whole + fraction;
	const room = base === 10 ? 18 - digits.length : 14 - whole.length - Math.trunc((exponent * 3) / 10);
	const scale = (base === 10 ? exponent : 0) - fraction.length;
	if (room < 0 || scale < nano || (base === 2 && fraction !== '')) return undefined;
	const value = BigInt(digits);
	const amount = base === 2 ? value << BigInt(exponent) : value;
	if (amount > maxInt64) return undefined;
	const isCanonical =
		base === 2 ? (value & 7n) !== 0n : scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
	return {
		unscaled: isNegative ? -amount : amount,
		exponent: scale,
		format,
		...(isCanonical && {text}),
	};
}

function parseLong(
	{isNegative, whole, fraction, number}: QuantityParts,
	{base, exponent, format}: Suffix,
): Quantity {
	if (!/\d/.test(number)) throw new Error(wrongNumber);
	const factor = base === 2 ? 2n ** BigInt(exponent) : 1n;
	const exact: Quantity = {
		unscaled: BigInt(whole + fraction) * factor,
		exponent: (base === 10 ? exponent : 0) - fraction.length,
		format,
	};
	const amount = exact.exponent < nano ? {...exact, unscaled: roundUp(exact, nano), exponent: nano} : exact;
	const most = newQuantity(maxInt64, format);
	const capped = format === 'BinarySI' && compareQuantities(amount, most) > 0 ? most : amount;
	const isSmall = compareQuantities(capped, newQuantity(1n, format)) < 0 && capped.unscaled > 0n;
	return {
		...capped,
		unscaled: isNegative ? -capped.unscaled : capped.unscaled,
		format: format === 'BinarySI' && isSmall ? 'DecimalSI' : format,
	};
}
