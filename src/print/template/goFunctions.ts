import {type ComparisonOperator, compare} from './comparison.ts';
import {goPrintf} from './goPrintf.ts';
import {goTextOfFloats, isObject} from './goText.ts';
import {TemplateError} from './templateError.ts';

/** A function of templates. `and` and `or` are not among them, because they evaluate their arguments one by one. */
type GoFunction = (...values: readonly unknown[]) => unknown;

const functions: ReadonlyMap<string, GoFunction> = new Map<string, GoFunction>([
	['not', (value) => !isTrue(value)],
	['len', (value) => lengthOf(value)],
	['index', (value, ...keys) => keys.reduce(indexOf, value)],
	['slice', sliceOf],
	['print', (...values) => print(values)],
	['println', (...values) => `${values.map(textOf).join(' ')}\n`],
	['printf', (format, ...values) => goPrintf(text(format, 'printf'), values)],
	['eq', (first, ...others) => others.some((other) => compare(first, other, '=='))],
	...(['ne', 'lt', 'le', 'gt', 'ge'] as const).map((name): [string, GoFunction] => [
		name,
		(a, b) => compare(a, b, operators[name]),
	]),
	// kubectl's own functions.
	['exists', (value, ...keys) => keys.reduce(stepInto, value) !== undefined],
	['base64decode', (value) => Buffer.from(text(value, 'base64decode'), 'base64').toString('utf8')],
]);

const operators = {ne: '!=', lt: '<', le: '<=', gt: '>', ge: '>='} as const satisfies Record<
	string,
	ComparisonOperator
>;

/** The minimum and maximum number of arguments; other functions take any number. */
const arities: Readonly<Record<string, readonly [least: number, most: number]>> = {
	not: [1, 1],
	len: [1, 1],
	index: [1, Number.POSITIVE_INFINITY],
	slice: [1, 3],
	printf: [1, Number.POSITIVE_INFINITY],
	eq: [2, Number.POSITIVE_INFINITY],
	ne: [2, 2],
	lt: [2, 2],
	le: [2, 2],
	gt: [2, 2],
	ge: [2, 2],
	exists: [1, Number.POSITIVE_INFINITY],
	base64decode: [1, 1],
	and: [1, Number.POSITIVE_INFINITY],
	or: [1, Number.POSITIVE_INFINITY],
};

export const isFunction = (name: string): boolean => name === 'and' || name === 'or' || functions.has(name);

/** Calls a function. @throws TemplateError if it does not accept these arguments */
export function call(name: string, values: readonly unknown[]): unknown {
	checkArity(name, values.length);
	return functions.get(name)?.(...values);
}

/** @throws TemplateError if a function does not accept this number of arguments */
export function checkArity(name: string, count: number): void {
	const [least, most] = arities[name] ?? [0, Number.POSITIVE_INFINITY];
	if (count < least || count > most) {
		throw new TemplateError(
			`wrong number of args for ${name}: want ${least === most ? least : `at least ${least}`} got ${count}`,
		);
	}
}

/** The truth value in `if`: false for nothing, zero and empty values. */
export function isTrue(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0;
	return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** The text of a value in a template's output. */
export const textOf = (value: unknown): string =>
	value === null || value === undefined ? '<no value>' : goTextOfFloats(value);

// Puts a space only between two values that are both not strings.
function print(values: readonly unknown[]): string {
	return values
		.map((value, index) => {
			const before = values[index - 1];
			const isParted = index > 0 && typeof value !== 'string' && typeof before !== 'string';
			return `${isParted ? ' ' : ''}${goTextOfFloats(value)}`;
		})
		.join('');
}

function text(value: unknown, name: string): string {
	if (typeof value === 'string') return value;
	throw new TemplateError(`${name} takes a text first`);
}

function lengthOf(value: unknown): number {
	if (typeof value === 'string') return Buffer.byteLength(value);
	if (Array.isArray(value)) return value.length;
	if (isObject(value)) return Object.keys(value).length;
	throw new TemplateError(
		`error calling len: len of ${value === null || value === undefined ? 'nil pointer' : `type ${typeof value}`}`,
	);
}

function indexOf(value: unknown, key: unknown): unknown {
	if (Array.isArray(value)) {
		if (typeof key !== 'number' || !Number.isInteger(key))
			throw new TemplateError('cannot index a list with this');
		if (key < 0 || key >= value.length)
			throw new TemplateError(`error calling index: index out of range: ${key}`);
		return value[key];
	}
	if (value === null || value === undefined)
		throw new TemplateError('error calling index: index of untyped nil');
	if (isObject(value) && typeof key === 'string') return Object.hasOwn(value, key) ? value[key] : undefined;
	throw new TemplateError("error calling index: can't index item of this type");
}

function stepInto(value: unknown, key: unknown): unknown {
	if (Array.isArray(value) && typeof key === 'number') return value[key];
	return isObject(value) && typeof key === 'string' && Object.hasOwn(value, key) ? value[key] : undefined;
}

function sliceOf(value: unknown, ...bounds: readonly unknown[]): unknown {
	if (typeof value !== 'string' && !Array.isArray(value))
		throw new TemplateError("can't slice item of this type");
	const [from, to] = [bounds[0] ?? 0, bounds[1] ?? value.length];
	if (typeof from !== 'number' || typeof to !== 'number') throw new TemplateError('cannot slice with this');
	if (from < 0 || to > value.length || from > to)
		throw new TemplateError('error calling slice: index out of range');
	return value.slice(from, to);
}
