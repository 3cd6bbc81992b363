import {TemplateError} from './templateError.ts';

type Basic = string | number | boolean;

const comparisons = {
	'==': (left: Basic, right: Basic) => left === right,
	'!=': (left: Basic, right: Basic) => left !== right,
	'<': (left: Basic, right: Basic) => left < right,
	'<=': (left: Basic, right: Basic) => left <= right,
	'>': (left: Basic, right: Basic) => left > right,
	'>=': (left: Basic, right: Basic) => left >= right,
};

/** A comparison in a template; both values must be strings, numbers or booleans. */
export type ComparisonOperator = keyof typeof comparisons;

export const isComparison = (operator: string): operator is ComparisonOperator =>
	Object.hasOwn(comparisons, operator);

/**
 * Compares two values of one type.
 *
 * @throws TemplateError if their types differ or have no order
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/third_party/forked/golang/template/funcs.go Equal, Less
 */
export function compare(left: unknown, right: unknown, operator: ComparisonOperator): boolean {
	if (!isBasic(left) || !isBasic(right)) throw new TemplateError('invalid type for comparison');
	if (typeof left !== typeof right) throw new TemplateError('incompatible types for comparison');
	if (typeof left === 'boolean' && /[<>]/.test(operator))
		throw new TemplateError('invalid type for comparison');
	return comparisons[operator](left, right);
}

const isBasic = (value: unknown): value is Basic => ['string', 'number', 'boolean'].includes(typeof value);
