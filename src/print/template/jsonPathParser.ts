import {isComparison} from './comparison.ts';
import {unquote} from './goQuote.ts';
import type {Path, PathNode, Piece} from './jsonPathNode.ts';
import {JsonPathScanner} from './jsonPathScanner.ts';
import {TemplateError} from './templateError.ts';

/**
 * Parses a template of kubectl's JSONPath, text with paths in braces: `{range .items[*]}{.metadata.name}{"\n"}{end}`.
 *
 * @throws TemplateError if it is invalid
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/client-go/util/jsonpath/parser.go Parse
 */
export function parseJsonPath(text: string): readonly Piece[] {
	const scanner = new JsonPathScanner(text);
	const {pieces, hasEnd} = readPieces(scanner);
	if (hasEnd) throw new TemplateError('not in range, nothing to end');
	return pieces;
}

function readPieces(scanner: JsonPathScanner): {readonly pieces: readonly Piece[]; readonly hasEnd: boolean} {
	const pieces: Piece[] = [];
	while (!scanner.isAtEnd) {
		const {text, isFound} = scanner.upTo('{');
		if (text !== '') pieces.push({type: 'text', text});
		if (!isFound) break;
		const path = readPath(scanner);
		const [first, ...over] = path;
		if (first?.type !== 'word') {
			pieces.push({type: 'path', path});
		} else if (first.word === 'end') {
			return {pieces, hasEnd: true};
		} else {
			// A range without an `end` extends to the end of the template.
			pieces.push({type: 'range', over, body: readPieces(scanner).pieces});
		}
	}
	return {pieces, hasEnd: false};
}

/** Parses a path up to its closing brace. */
function readPath(scanner: JsonPathScanner): Path {
	const path: PathNode[] = [];
	while (!scanner.skip('}')) {
		if (scanner.take(/[ @$]/) !== undefined) continue;
		path.push(...readNodes(scanner, path.at(-1)));
	}
	return path;
}

/** Parses a whole text as a path, for a side of a filter or a member of a union. */
const pathOf = (text: string) => readPath(new JsonPathScanner(`${text}}`));

function readNodes(scanner: JsonPathScanner, before: PathNode | undefined): Path {
	if (scanner.skip('[?(')) return [readFilter(scanner)];
	if (scanner.skip('..')) {
		if (before?.type === 'recursive') throw new TemplateError('invalid multiple recursive descent');
		return /[\p{L}\p{N}_*]/u.test(scanner.next)
			? [{type: 'recursive'}, readField(scanner)]
			: [{type: 'recursive'}];
	}
	if (scanner.skip('[')) return readBrackets(scanner);
	if (scanner.skip('.')) return [readField(scanner)];
	if (scanner.next === '"' || scanner.next === "'")
		return [{type: 'literal', value: unquote(scanner.quoted())}];
	const number = scanner.take(/[-+]?[\d.]*\d[\d.]*/);
	if (number !== undefined) return [readNumber(number)];
	if (/[\p{L}_]/u.test(scanner.next)) return [readWord(scanner.name())];
	if (scanner.isAtEnd || /[\r\n]/.test(scanner.next)) throw new TemplateError('unclosed action');
	throw new TemplateError(`unrecognized character in action: ${JSON.stringify([...scanner.rest][0])}`);
}

function readField(scanner: JsonPathScanner): PathNode {
	const name = scanner.name();
	return name === '*' ? {type: 'wildcard'} : {type: 'field', name};
}

function readNumber(text: string): PathNode {
	const value = Number(text);
	if (Number.isNaN(value)) throw new TemplateError(`cannot parse number ${text}`);
	return {type: 'literal', value};
}

function readWord(word: string): PathNode {
	if (word === 'true' || word === 'false') return {type: 'literal', value: word === 'true'};
	if (word === 'range' || word === 'end') return {type: 'word', word};
	throw new TemplateError(`unrecognized identifier ${word}`);
}

// `[*]`, `[0]`, `[1:3]`, `['name']`, `[0,2]`.
function readBrackets(scanner: JsonPathScanner): Path {
	const {text, isFound} = scanner.upTo(']');
	if (!isFound || text.includes('\n')) throw new TemplateError('unterminated array');
	const members = text.split(',');
	if (members.length > 1) {
		return [{type: 'union', members: members.map((member) => pathOf(`[${member.replace(/^ +| +$/g, '')}]`))}];
	}
	const [, key] = /^'([^']*)'$/.exec(text) ?? [];
	return key === undefined ? [readSlice(text)] : pathOf(`.${key}`);
}

const slice = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/;

function readSlice(text: string): PathNode {
	const parts = slice.exec(text === '*' ? ':' : text);
	if (!parts) throw new TemplateError(`invalid array index ${text}`);
	const [from, to, step] = parts
		.slice(1)
		.map((part) => (part === undefined || part === '' ? undefined : number(part)));
	if (step !== undefined && step <= 0) throw new TemplateError('step must be > 0');
	const isIndex = parts[2] === undefined;
	return {type: 'slice', from, to: isIndex ? (from ?? 0) + 1 : to, step: step ?? 1, isIndex};
}

function number(text: string): number {
	const value = Number(text);
	if (Number.isInteger(value)) return value;
	throw new TemplateError(`array index ${text} is not a number`);
}

const comparison = /^([^!<>=]+)([!<>=]+)(.+)$/s;

// `[?(@.a=="b")]`, or `[?(@.a)]` for items that have the field.
function readFilter(scanner: JsonPathScanner): PathNode {
	const text = scanner.take(/(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^"')\n])*\)/);
	if (text === undefined) throw new TemplateError('unterminated filter');
	if (!scanner.skip(']')) throw new TemplateError('unclosed array expect ]');
	const inside = text.slice(0, -1);
	const [, left, operator, right] = comparison.exec(inside) ?? [];
	if (left === undefined || operator === undefined || right === undefined) {
		return {type: 'filter', left: pathOf(inside), operator: 'exists', right: []};
	}
	if (!isComparison(operator)) throw new TemplateError(`unrecognized filter operator ${operator}`);
	return {type: 'filter', left: pathOf(left), operator, right: pathOf(right)};
}
