import type {Taint} from './taint.ts';

/** A core/v1 Toleration with the API's defaults filled in: an absent string is empty. */
export type Toleration = Readonly<{
	/** Empty matches every key; only with the operator Exists. */
	key: string;
	/** Empty means Equal. Unknown operators match nothing. */
	operator: string;
	value: string;
	/** Empty matches every effect. */
	effect: string;
	/** In seconds, as in the API. Absent means forever; zero or less means at once. */
	tolerationSeconds?: number;
}>;

/** Whether two lists hold the same tolerations in the same order. */
export function isSameTolerations(a: readonly Toleration[], b: readonly Toleration[]) {
	return a === b || (a.length === b.length && a.every((toleration, index) => isEqual(toleration, b[index])));
}

const isEqual = (a: Toleration, b: Toleration | undefined) =>
	a.key === b?.key &&
	a.operator === b.operator &&
	a.value === b.value &&
	a.effect === b.effect &&
	a.tolerationSeconds === b.tolerationSeconds;

/**
 * Whether a toleration tolerates a taint. An empty effect or key matches all, an empty operator means Equal, an
 * unknown operator matches nothing.
 *
 * @param comparisonOperators whether Lt and Gt count (feature gate TaintTolerationComparisonOperators)
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/api/core/v1/toleration.go ToleratesTaint
 */
export function toleratesTaint(
	toleration: Toleration,
	taint: Pick<Taint, 'key' | 'value'> & {readonly effect: string},
	comparisonOperators: boolean,
): boolean {
	if (toleration.effect !== '' && toleration.effect !== taint.effect) return false;
	if (toleration.key !== '' && toleration.key !== taint.key) return false;
	switch (toleration.operator) {
		case '':
		case 'Equal':
			return toleration.value === taint.value;
		case 'Exists':
			return true;
		case 'Lt':
		case 'Gt':
			return comparisonOperators && compares(taint.value, toleration.operator, toleration.value);
		default:
			return false;
	}
}

/**
 * @quirk Gt asks whether the taint's value is greater than the toleration's, not the other way round
 */
function compares(taintValue: string, operator: 'Lt' | 'Gt', tolerationValue: string): boolean {
	const [taint, toleration] = [parseDecimal(taintValue), parseDecimal(tolerationValue)];
	if (taint === undefined || toleration === undefined) return false;
	return operator === 'Gt' ? taint > toleration : taint < toleration;
}

const maxInt64 = 2n ** 63n - 1n;

/** A decimal int64 without leading zeros or plus sign; undefined for anything else. */
function parseDecimal(text: string): bigint | undefined {
	if (!/^(?:0|-?[1-9][0-9]*)$/.test(text)) return undefined;
	const value = BigInt(text);
	return value > maxInt64 || value < -maxInt64 - 1n ? undefined : value;
}
