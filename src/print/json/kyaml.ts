import {isUnsafe} from '../../text/escape.ts';
import type {TextMap} from '../../text/textMap.ts';
import {isObject, sortedEntries} from '../template/goText.ts';

const indentation = '  ';

/**
 * KYAML: YAML with braces and quoted strings. Clients read the same data from it as from YAML.
 *
 * @upstream kubernetes v1.36.3 vendor/sigs.k8s.io/yaml/kyaml/kyaml.go FromObject
 */
export const formatKyaml = (value: unknown) => `---\n${node(value, 0)}\n`;

function node(value: unknown, depth: number): string {
	if (typeof value === 'string') return text(value, depth + 1);
	if (Array.isArray(value)) return list(value, depth);
	return isObject(value) ? mapping(value, depth) : String(value ?? null);
}

// In lists of objects or lists, the brackets of list and items share a line.
function list(items: readonly unknown[], depth: number): string {
	if (items.length === 0) return '[]';
	if (items.every((item) => typeof item === 'object' && item !== null)) {
		return `[${items.map((item) => node(item, depth)).join(', ')}]`;
	}
	return `[${linesOf(
		items.map((item) => node(item, depth + 1)),
		depth,
	)}]`;
}

function mapping(value: Readonly<Record<string, unknown>>, depth: number): string {
	const entries = sortedEntries(value).filter(([, item]) => item !== undefined);
	if (entries.length === 0) return '{}';
	const texts = entries.map(([key, item]) => `${keyText(key)}: ${node(item, depth + 1)}`);
	return `{${linesOf(texts, depth)}}`;
}

/** What stands between brackets: a line each. */
function linesOf(texts: readonly string[], depth: number): string {
	const outer = indentation.repeat(depth);
	return `\n${texts.map((text) => `${outer}${indentation}${text},\n`).join('')}${outer}`;
}

const plainKey = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_./-]*[\p{L}\p{N}_])?$/u;

const keyText = (key: string) =>
	plainKey.test(key) && !isAmbiguous(key)
		? key
		: `"${[...key].map(escaped).join('').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;

// Whether some YAML reader takes a bare key for null, a boolean, a number or a time.
function isAmbiguous(key: string) {
	const bare = key.replaceAll('_', '');
	return (
		/^(null|true|t|y|yes|on|false|f|n|no|off|inf|infinity|nan)$/i.test(key) ||
		/^(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|\d+)$/.test(bare) ||
		/^(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(bare) ||
		/^\d{4}-\d{1,2}-\d{1,2}$/.test(key)
	);
}

/** A quoted string; one of several lines is folded, with a line each. */
function text(value: string, depth: number): string {
	if (!value.includes('\n')) return `"${[...value].map(escaped).join('')}"`;
	const inner = indentation.repeat(depth);
	const lines = value.split('\n').map((line, index, all) => {
		if (line === '' && index === all.length - 1) return '';
		// A backslash keeps white space at the start, which would be dropped; a space aligns the other lines with it.
		const start = /^\s/u.test(line) ? '\\' : ' ';
		const end = index < all.length - 1 ? '\\n\\\n' : '\\\n';
		return `${inner}${line === '' ? ' ' : start}${[...line].map(escaped).join('')}${end}`;
	});
	return `"\\\n${lines.join('')}${inner}"`;
}

const named: TextMap = {
	'"': '\\"',
	'\\': '\\\\',
	'\x07': '\\a',
	'\b': '\\b',
	'\f': '\\f',
	'\r': '\\r',
	'\v': '\\v',
	'\0': '\\0',
	'\x1b': '\\e',
	'\x85': '\\N',
	'\xa0': '\\_',
	'\u2028': '\\L',
	'\u2029': '\\P',
};

function escaped(character: string): string {
	if (character === '\t' || character === '\n') return character;
	const known = named[character];
	if (known !== undefined) return known;
	if (!isUnsafe(character) && /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.test(character)) return character;
	const code = character.codePointAt(0) ?? 0;
	const hex = code.toString(16);
	if (code < 0x20 || code === 0x7f) return `\\x${hex.padStart(2, '0')}`;
	return code < 0x1_00_00 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
