import {
	binarySuffixes,
	compareQuantities,
	decimalSuffixes,
	isWhole,
	newQuantity,
	type Quantity,
	roundUp,
} from './quantity.ts';

/**
 * Formats a quantity in canonical form: no fraction, the largest suffix without loss.
 *
 * @quirk a quantity that was parsed in canonical form is written as it came: `+5Gi`, `1e+3`
 * @quirk a binary quantity below 1024 is written in powers of ten: 1000 is 1k
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go CanonicalizeBytes
 */
export function formatQuantity(quantity: Quantity): string {
	if (quantity.text !== undefined) return quantity.text;
	if (quantity.unscaled === 0n) return '0';
	if (quantity.format === 'BinarySI' && !isBelow1024(quantity) && isWhole(quantity)) {
		const [amount, times] = withoutFactors(roundUp(quantity, 0), 1024n);
		return `${amount}${binarySuffixes[times] ?? ''}`;
	}
	const [stripped, times] = withoutFactors(quantity.unscaled, 10n);
	const excess = (((quantity.exponent + times) % 3) + 3) % 3;
	const amount = stripped * 10n ** BigInt(excess);
	const exponent = quantity.exponent + times - excess;
	return `${amount}${decimalSuffix(quantity, exponent)}`;
}

function decimalSuffix({format}: Quantity, exponent: number): string {
	if (format === 'DecimalExponent') return exponent === 0 ? '' : `e${exponent}`;
	return decimalSuffixes[exponent / 3 + 3] ?? '';
}

const isBelow1024 = (quantity: Quantity) =>
	compareQuantities(quantity, newQuantity(1024n, 'BinarySI')) < 0 &&
	compareQuantities(quantity, newQuantity(-1024n, 'BinarySI')) > 0;

function withoutFactors(value: bigint, factor: bigint): [amount: bigint, times: number] {
	let [amount, times] = [value, 0];
	while (amount % factor === 0n) {
		amount /= factor;
		times += 1;
	}
	return [amount, times];
}
