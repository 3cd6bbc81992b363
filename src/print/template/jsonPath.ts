import {escapeForTerminal, escapeInsideQuotes} from '../../text/escape.ts';
import {goJson, goText} from './goText.ts';
import type {Piece} from './jsonPathNode.ts';
import {parseJsonPath} from './jsonPathParser.ts';
import {type WalkOptions, walk} from './jsonPathWalk.ts';

/** Formats a value as text. */
export type Template = (value: unknown) => string;

/** A template of which the values of each pair of braces are formatted together. */
const templateOf =
	(format: (values: readonly Result[]) => string) =>
	(text: string, options: WalkOptions): Template => {
		const pieces = parseJsonPath(text);
		return (value) => results(pieces, value, options).map(format).join('');
	};

/**
 * A template of kubectl's JSONPath: the values of each pair of braces are joined with spaces.
 *
 * @throws TemplateError if it is invalid; the returned function throws one if it does not fit a value
 */
export const jsonPathTemplate = templateOf((values) => values.map(formatResult).join(' '));

/** The same, but each pair of braces gives a JSON array of its values. */
export const jsonPathAsJsonTemplate = templateOf(
	(values) => `${escapeInsideQuotes(goJson(values.map(unescaped), 4))}\n`,
);

/** The result of one part; text of the template itself needs no escaping. */
type Result = {readonly text: string} | {readonly value: unknown};

function results(
	pieces: readonly Piece[],
	value: unknown,
	options: WalkOptions,
): readonly (readonly Result[])[] {
	return pieces.flatMap((piece) => resultsOf(piece, value, options));
}

function resultsOf(piece: Piece, value: unknown, options: WalkOptions): readonly (readonly Result[])[] {
	switch (piece.type) {
		case 'text':
			return [[{text: piece.text}]];
		case 'range':
			return walk([value], piece.over, options).flatMap((item) => results(piece.body, item, options));
		case 'path': {
			const [literal] = piece.path.length === 1 ? piece.path : [];
			if (literal?.type === 'literal') return [[{text: String(literal.value)}]];
			return [walk([value], piece.path, options).map((found) => ({value: found}))];
		}
	}
}

const unescaped = (result: Result) => ('text' in result ? result.text : result.value);

function formatResult(result: Result): string {
	if ('text' in result) return result.text;
	const {value} = result;
	if (value === null) return 'null';
	return escapeForTerminal(typeof value === 'object' ? goJson(value) : goText(value));
}
