import type {Path} from './jsonPathNode.ts';
import {parseJsonPath} from './jsonPathParser.ts';
import {walk} from './jsonPathWalk.ts';
import {TemplateError} from './templateError.ts';

/** Finds the values of a path; finding nothing is no error. */
export type Finder = (value: unknown) => readonly unknown[];

/**
 * Parses the path of a column or an order, with or without braces and a leading dot: `{.a.b}`, `.a.b`, `a.b`.
 *
 * @throws TemplateError if it is invalid
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/kubectl/pkg/cmd/get/customcolumn.go RelaxedJSONPathExpression
 */
export function relaxedPath(text: string): {readonly path: string; readonly find: Finder} {
	const [, braced, bare] = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(text) ?? [];
	const inside = braced ?? bare;
	if (inside === undefined) {
		throw new TemplateError(
			"unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
		);
	}
	const path = `{.${inside}}`;
	const nodes = onlyPath(path);
	return {path, find: (value) => walk([value], nodes, {allowsMissingKeys: true})};
}

function onlyPath(text: string): Path {
	const [piece, ...more] = parseJsonPath(text);
	if (piece?.type !== 'path' || more.length > 0) throw new TemplateError(`${text} is not one path`);
	return piece.path;
}
