import {compare} from './comparison.ts';
import {isObject} from './goText.ts';
import type {Path, PathNode} from './jsonPathNode.ts';
import {TemplateError} from './templateError.ts';

/** Options for evaluating a path. */
export type WalkOptions = {
	/** Whether a missing field is no error. */
	readonly allowsMissingKeys: boolean;
};

type Values = readonly unknown[];

/**
 * All values that a path leads to; none if it leads through null.
 *
 * @throws TemplateError if a step is not possible
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/jsonpath/jsonpath.go FindResults
 */
export function walk(values: Values, path: Path, options: WalkOptions): Values {
	return path.reduce((reached, node) => step(reached, node, options), values);
}

function step(values: Values, node: PathNode, options: WalkOptions): Values {
	switch (node.type) {
		case 'field':
			return fields(values, node.name, options);
		case 'wildcard':
			return values.flatMap(children);
		case 'recursive':
			return values.flatMap(descend);
		case 'slice':
			return values.flatMap((value) => (value === null ? [] : sliceOf(value, node)));
		case 'union':
			return node.members.flatMap((member) => walk(values, member, options));
		case 'filter':
			return values.flatMap((value) => filtered(value, node, options));
		case 'literal':
			return typeof node.value === 'string' ? [node.value] : values.map(() => node.value);
		case 'word':
			throw new TemplateError(`${node.word} must come first in its braces`);
	}
}

function fields(values: Values, name: string, {allowsMissingKeys}: WalkOptions): Values {
	if (values.length === 0) return [];
	const found = values.flatMap((value) =>
		isObject(value) && Object.hasOwn(value, name) ? [value[name]] : [],
	);
	if (found.length === 0 && !allowsMissingKeys) throw new TemplateError(`${name} is not found`);
	return found;
}

const children = (value: unknown): Values =>
	Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];

/** A value and all that it contains, from the outside to the inside. */
function descend(value: unknown): Values {
	const inside = children(value);
	return inside.length === 0 ? [] : [value, ...inside.flatMap(descend)];
}

function sliceOf(value: unknown, {from = 0, to, step, isIndex}: PathNode & {type: 'slice'}): Values {
	if (!Array.isArray(value)) throw new TemplateError(`${typeName(value)} is not array or slice`);
	const {length} = value;
	const start = from < 0 ? from + length : from;
	let end = to ?? length;
	if (end < 0 || (end === 0 && isIndex)) end += length;
	if (start === end) return [];
	if (start < 0 || start >= length) throw outOfBounds(start, length);
	if (end < 0 || end > length) throw outOfBounds(end - 1, length);
	if (start > end) throw new TemplateError(`starting index ${start} is greater than ending index ${end}`);
	return value.slice(start, end).filter((_, index) => index % step === 0);
}

const outOfBounds = (index: number, length: number) =>
	new TemplateError(`array index out of bounds: index ${index}, length ${length}`);

function filtered(
	value: unknown,
	{left, operator, right}: PathNode & {type: 'filter'},
	options: WalkOptions,
): Values {
	if (!Array.isArray(value))
		throw new TemplateError(`${typeName(value)} is not array or slice and cannot be filtered`);
	return value.filter((item) => {
		if (operator === 'exists') return walk([item], left, {allowsMissingKeys: true}).length > 0;
		const [lefts, rights] = [walk([item], left, options), walk([item], right, options)];
		if (lefts.length > 1 || rights.length > 1)
			throw new TemplateError('can only compare one element at a time');
		return lefts.length === 1 && rights.length === 1 && compare(lefts[0], rights[0], operator);
	});
}

const typeName = (value: unknown) =>
	value === null
		? 'null'
		: Array.isArray(value)
			? 'a list'
			: isObject(value)
				? 'an object'
				: `a ${typeof value}`;
