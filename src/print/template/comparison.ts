import {TemplateError} from './templateError.ts';

/** A comparison in a template; both values must be strings, numbers or booleans. */
export type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * Compares two values of one type.
 *
 * @throws TemplateError if their types differ or have no order
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/third_party/forked/golang/template/funcs.go Equal, Less
 */
export function compare(left: unknown, right: unknown, operator: ComparisonOperator): boolean {
	if (!isBasic(left) || !isBasic(right)) throw new TemplateError('invalid type for comparison');
	if (typeof left !== typeof right) throw new TemplateError('incompatible types for comparison');
	switch (operator) {
		case '==':
			return left === right;
		case '!=':
			return left !== right;
		default:
			if (typeof left === 'boolean') throw new TemplateError('invalid type for comparison');
			return isOrdered(left, right, operator);
	}
}

type Basic = string | number | boolean;

const isBasic = (value: unknown): value is Basic => ['string', 'number', 'boolean'].includes(typeof value);

function isOrdered(left: Basic, right: Basic, operator: '<' | '<=' | '>' | '>='): boolean {
	switch (operator) {
		case '<':
			return left < right;
		case '<=':
			return left <= right;
		case '>':
			return left > right;
		case '>=':
			return left >= right;
	}
}
