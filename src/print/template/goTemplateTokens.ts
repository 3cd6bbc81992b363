import {unquote} from './goQuote.ts';
import {TemplateError} from './templateError.ts';

/** A token of an action. `.name` and `$name` keep their sign; a space separates arguments. */
export type TemplateToken =
	| {readonly type: 'space' | 'symbol' | 'field' | 'variable' | 'word'; readonly text: string}
	| {readonly type: 'literal'; readonly text: string; readonly value: string | number};

/** Text between actions, or the tokens of one action. */
export type Segment = {readonly text: string} | {readonly tokens: readonly TemplateToken[]};

const left = /\{\{(- )?/g;

/**
 * Splits a Go template into text and actions. A dash inside the braces trims the white space outside.
 *
 * @throws TemplateError if an action does not end or has an invalid token
 */
export function segmentsOf(template: string): readonly Segment[] {
	const segments: Segment[] = [];
	let at = 0;
	let trims = false;
	for (;;) {
		left.lastIndex = at;
		const opening = left.exec(template);
		const text = template.slice(at, opening?.index);
		const trimmed = trims ? text.trimStart() : text;
		segments.push({text: opening?.[1] === undefined ? trimmed : trimmed.trimEnd()});
		if (!opening) return segments;
		const action = readAction(template, left.lastIndex);
		if (action.tokens.length > 0) segments.push({tokens: action.tokens});
		at = action.end;
		trims = action.trims;
	}
}

type TemplateAction = {
	readonly tokens: readonly TemplateToken[];
	readonly end: number;
	readonly trims: boolean;
};

const comment = /\/\*[\s\S]*?\*\/( -)?\}\}/y;
const closing = /( -)?\}\}/y;

function readAction(template: string, start: number): TemplateAction {
	comment.lastIndex = start;
	const commented = comment.exec(template);
	if (commented) return {tokens: [], end: comment.lastIndex, trims: commented[1] !== undefined};
	const tokens: TemplateToken[] = [];
	for (let at = start; ; ) {
		closing.lastIndex = at;
		const end = closing.exec(template);
		if (end) return {tokens: withoutOuterSpace(tokens), end: closing.lastIndex, trims: end[1] !== undefined};
		const {token, next} = readToken(template, at);
		tokens.push(token);
		at = next;
	}
}

const patterns = {
	space: /\s+/y,
	literal:
		/"(?:\\.|[^"\\\n])*"|`[^`]*`|'(?:\\.|[^'\\\n])+'|[-+]?(?:0[xX][0-9a-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)/y,
	field: /\.[\p{L}_][\p{L}\p{N}_]*/uy,
	variable: /\$[\p{L}\p{N}_]*/uy,
	word: /[\p{L}_][\p{L}\p{N}_]*/uy,
	symbol: /:=|[=|(),.]/y,
} as const;

function readToken(template: string, at: number): {readonly token: TemplateToken; readonly next: number} {
	for (const [type, pattern] of Object.entries(patterns) as [keyof typeof patterns, RegExp][]) {
		pattern.lastIndex = at;
		const [text] = pattern.exec(template) ?? [];
		if (text === undefined) continue;
		const token: TemplateToken = type === 'literal' ? {type, text, value: literal(text)} : {type, text};
		return {token, next: pattern.lastIndex};
	}
	if (at >= template.length) throw new TemplateError('unclosed action');
	throw new TemplateError(`unexpected ${JSON.stringify(template.charAt(at))} in an action`);
}

function literal(text: string): string | number {
	if (text.startsWith('`')) return text.slice(1, -1);
	if (text.startsWith("'")) return unquote(text).codePointAt(0) ?? 0;
	return text.startsWith('"') ? unquote(text) : Number(text.replaceAll('_', ''));
}

function withoutOuterSpace(tokens: readonly TemplateToken[]): readonly TemplateToken[] {
	const isSpace = (token: TemplateToken | undefined) => token?.type === 'space';
	return tokens.slice(isSpace(tokens[0]) ? 1 : 0, isSpace(tokens.at(-1)) ? -1 : undefined);
}
