import {constants} from 'node:buffer';
import {CORE_SCHEMA, load, YAMLException} from 'js-yaml';
import {messageOf, UserError} from '../../text/userError.ts';
import {deepest, documentsOfYaml, tooDeep} from '../../text/yaml.ts';
import {binary, decodeText, dumpCommand} from '../format/dumpBytes.ts';
import {mayHoldObjects as mayHoldKinds} from '../format/dumpedObjects.ts';

/**
 * Parses a dump: JSON documents in sequence, or YAML ones. Text around them, such as a warning of kubectl, is skipped.
 *
 * @throws UserError if it is neither, or empty; names the line
 */
export function parseDocuments(bytes: Buffer, file: string): readonly unknown[] {
	if (bytes.length > constants.MAX_STRING_LENGTH) return parseLargeJson(bytes, file);
	const text = decodeText(bytes);
	if (text.trim() === '') {
		throw new UserError(`${file} is empty`, `write it with: ${dumpCommand}`);
	}
	if (text.includes('\0')) throw binary(file);
	const documents = partsOf(withoutMargin(text)).flatMap((part) =>
		jsonBegin.test(part.text) ? parseJson(part, file) : parseYaml(part, file),
	);
	const [failed] = documents.length === 0 ? (kubectlError.exec(text) ?? []) : [];
	if (failed !== undefined)
		throw new UserError(
			`${file} has no objects, but an error of kubectl: ${failed}`,
			`write it again with: ${dumpCommand}`,
		);
	if (documents.length === 0 && forPeople.test(text))
		throw new UserError(
			`${file} has no objects, but what kubectl prints for people: \`get\` without -o, or \`describe\``,
			`write it with kubectl get ... -o yaml, best all at once: ${dumpCommand}`,
		);
	return documents;
}

/** The head of a table, or of a description. */
const forPeople = /^[ \t>]*(?:(?:NAMESPACE +)?(?:NAME|LAST SEEN) {2,}[A-Z]|Name: {2,}\S)/m;

const kubectlError = /^(?:Error from server|error:|Unable to connect|The connection to the server) ?.*$/m;

/** What a list or a quote of Markdown sets before each line of code, if no object begins where its line does. */
function withoutMargin(text: string): string {
	if (/^(?:```|[[{]|["']?(?:- )?(?:apiVersion|kind|metadata|items)["']?:)/m.test(text)) return text;
	const [margin] = /^[ \t>]+(?=```|apiVersion:|[[{]\s*$)/m.exec(text) ?? [];
	if (margin === undefined) return text;
	const inside = (line: string) =>
		line.startsWith(margin) ? line.slice(margin.length) : line.replace(/^[\s>]+$/, '');
	return text.split('\n').map(inside).join('\n');
}

/** A part of a text, and how many lines stand before it: counted only for a message. */
type TextPart = {readonly text: string; readonly linesBefore: () => number};

const lineBreaksIn = (text: string): number => text.split('\n').length - 1;

const fence = '```';

/** What stands between lines of `---`, or within Markdown's code. YAML of several commands has none, but begins alike. */
function partsOf(text: string): readonly TextPart[] {
	const parts: TextPart[] = [];
	let from = 0;
	let hasBegun = false;
	// What is said around code is no object.
	const hasCode = /^```/m.test(text);
	let isCode = false;
	let counted = {at: 0, lines: 0};
	const linesUntil = (at: number): number => {
		const {at: last, lines} = at < counted.at ? {at: 0, lines: 0} : counted;
		counted = {at, lines: lines + lineBreaksIn(text.slice(last, at))};
		return counted.lines;
	};
	const end = (at: number) => {
		const begin = from;
		if (isCode || !hasCode) parts.push({text: text.slice(begin, at), linesBefore: () => linesUntil(begin)});
		from = at;
		hasBegun = false;
	};
	for (const {0: begin, index} of text.matchAll(/^(?:---(?=\s|$)|```|apiVersion:)/gm)) {
		const isSeparator = begin !== 'apiVersion:';
		if (isSeparator || hasBegun) end(index);
		if (isSeparator) from += begin.length;
		if (begin === fence) isCode = !isCode;
		hasBegun = !isSeparator;
	}
	end(text.length);
	return parts;
}

/** The begin of JSON on a line of its own; a line of a log may begin with a bracket too. */
const jsonBegin = /^(?:\{\s*(?:["}]|$)|\[\s*(?:[{\]]|$))/m;

/** Whether a file may contain relevant objects: most files of a must-gather need not be parsed. */
export const mayHoldObjects = (bytes: Buffer) =>
	bytes.length > constants.MAX_STRING_LENGTH || mayHoldKinds(decodeText(bytes));

function parseJson({text, linesBefore}: TextPart, file: string): readonly unknown[] {
	const documents: unknown[] = [];
	let begin = 0;
	try {
		for (const {part, at} of splitJson(text, linesBefore)) {
			begin = at;
			documents.push(JSON.parse(part));
		}
		return documents;
	} catch (error) {
		throw notJson(file, error, linesBefore() + lineBreaksIn(text.slice(0, begin)) + 1);
	}
}

/** @param begin the line of the file at which the document begins */
function notJson(file: string, error: unknown, begin = 1): UserError {
	const shown = messageOf(error)
		// Node.js quotes some letters around the place, which may be a part of a secret.
		.replace(/, (?:\.{3})?".*"(?:\.{3})? is not valid JSON$/s, '')
		.replace(
			/ at position \d+ \(line (\d+) column (\d+)\)/,
			(_, line: string, column: string) => ` at line ${begin + Number(line) - 1}, column ${column}`,
		);
	return new UserError(
		`${file} is not valid JSON${begin > 1 ? ` from line ${begin} on` : ''}: ${shown}`,
		`it may have been cut off; write it again with: ${dumpCommand}`,
	);
}

function parseYaml(part: TextPart, file: string): readonly unknown[] {
	const begin = part.text.search(yamlBegin);
	if (begin < 0) return [];
	const linesBefore = () => part.linesBefore() + lineBreaksIn(part.text.slice(0, begin));
	try {
		return readYaml(part.text.slice(begin, endOfYaml(part.text)), linesBefore);
	} catch (error) {
		throw new UserError(
			`${file} is not valid YAML: ${messageOf(error)}`,
			`write it again, best as JSON, with: ${dumpCommand}`,
		);
	}
}

/**
 * Parses YAML by js-yaml, which is fast; what that refuses is parsed anew, for a message that names the line.
 *
 * @throws Error if it is no YAML, or is nested too deep
 */
export function readYaml(text: string, linesBefore = () => 0): readonly unknown[] {
	try {
		return [load(text, {schema: CORE_SCHEMA, maxDepth: deepest, maxAliases: 0})];
	} catch (error) {
		if (!(error instanceof YAMLException)) throw error;
		// Empty lines stand for those before it.
		return documentsOfYaml('\n'.repeat(linesBefore()) + text);
	}
}

/** A line that can begin a document, or go on with one: fields of objects begin in lower case. */
const yamlBegin = /^(?!error:)(?:["']?[a-z]\w*["']?:(?:\s|$)|-(?:\s|$)|[#%{}[\]"'])/m;

/** Where the text after a document begins. */
function endOfYaml(text: string): number {
	for (let end = text.length; ; ) {
		const begin = text.lastIndexOf('\n', end - 1) + 1;
		const line = text.slice(begin, end);
		if (begin === 0 || /^\s+\S/.test(line) || yamlBegin.test(line)) return end;
		end = begin - 1;
	}
}

const space = 0x20;
const [quote, backslash, openingBrace, closingBrace, openingBracket, closingBracket, comma] =
	Buffer.from('"\\{}[],');

/** So many values a document may have, or one in eight letters: those of Kubernetes take 25, and memory 60 bytes even if empty. */
const [mostValues, leastLetters] = [1_000_000, 8];

/** Parses JSON that is longer than any string may be: its lists are parsed item by item. @throws UserError if it is not JSON */
export function parseLargeJson(bytes: Buffer, file: string): readonly unknown[] {
	const documents: unknown[] = [];
	let items: unknown[] = [];
	/** The document without the items of its list. */
	let frame = '';
	let [depth, from, isInList] = [0, 0, false];
	try {
		for (let at = 0; at < bytes.length; at++) {
			const byte = bytes[at];
			if (byte === quote) at = endOfString(bytes, at);
			else if (byte === openingBrace || byte === openingBracket) {
				if (depth === 0) from = at;
				if (depth === 1 && byte === openingBracket) {
					isInList = true;
					frame += bytes.toString('utf8', from, at + 1);
				} else if (depth === 2 && isInList) from = at;
				depth += 1;
				if (depth > deepest) throw new Error(tooDeep(bytes.toString('latin1', 0, at).split('\n').length));
			} else if (byte === closingBrace || byte === closingBracket) {
				depth -= 1;
				if (depth === 2 && isInList) items.push(JSON.parse(bytes.toString('utf8', from, at + 1)));
				if (depth === 1 && isInList) [isInList, from] = [false, at];
				if (depth !== 0) continue;
				documents.push({...JSON.parse(frame + bytes.toString('utf8', from, at + 1)), items});
				[frame, items] = ['', []];
			}
		}
	} catch (error) {
		throw notJson(file, error);
	}
	if (depth !== 0 || documents.length === 0) throw notJson(file, 'it ends in the middle');
	return documents;
}

/** The position of the quote that ends the string which begins here. */
function endOfString(bytes: Buffer, begin: number): number {
	for (let end = bytes.indexOf(quote ?? 0, begin + 1); end >= 0; end = bytes.indexOf(quote ?? 0, end + 1)) {
		let before = end - 1;
		while (bytes[before] === backslash) before -= 1;
		if ((end - before) % 2 === 1) return end;
	}
	return bytes.length;
}

/**
 * Splits the output of several commands in one file into JSON documents. Text between them, such as logs of `kubectl
 * cluster-info dump`, is skipped.
 *
 * @returns each document that starts at the beginning of a line, and where; the last may be cut off
 * @throws Error if one is nested too deep
 */
export function* splitJson(
	text: string,
	linesBefore = () => 0,
): Generator<{readonly part: string; readonly at: number}> {
	const begins = new RegExp(jsonBegin, 'gm');
	for (let begin = begins.exec(text); begin; begin = begins.exec(text)) {
		const end = endOf(text, begin.index, linesBefore);
		yield {part: text.slice(begin.index, end), at: begin.index};
		begins.lastIndex = end;
	}
}

/** The position after the bracket that closes the one at `from`; the end of the text if there is none. */
function endOf(text: string, from: number, linesBefore: () => number): number {
	let [depth, values] = [0, 0];
	for (let at = from; at < text.length; at += 1) {
		let letter = text.charCodeAt(at);
		if (letter <= space) continue;
		if (letter === quote) {
			for (at += 1; at < text.length; at += 1) {
				letter = text.charCodeAt(at);
				if (letter === quote) break;
				if (letter === backslash) at += 1;
			}
		} else if (letter === comma) {
			values += 1;
			if (values > mostValues && values * leastLetters > at - from)
				throw new Error(`it has more than ${mostValues} values, and next to nothing in them`);
		} else if (letter === openingBrace || letter === openingBracket) {
			depth += 1;
			if (depth > deepest) throw new Error(tooDeep(linesBefore() + lineBreaksIn(text.slice(0, at)) + 1));
		} else if (letter === closingBrace || letter === closingBracket) {
			depth -= 1;
			if (depth === 0) return at + 1;
		}
	}
	return text.length;
}
