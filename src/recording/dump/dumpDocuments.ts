import {parseAllDocuments} from 'yaml';
import {messageOf, UserError} from '../../text/userError.ts';

/** Parses a dump: JSON documents in sequence, or YAML ones separated by `---`. @throws UserError if it is neither, or empty */
export function parseDocuments(bytes: Buffer, file: string): readonly unknown[] {
	const text = decodeText(bytes, file);
	if (text.trim() === '') {
		throw new UserError(`${file} is empty`, `write it with: ${dumpCommand}`);
	}
	if (text.includes('\0')) {
		throw new UserError(`${file} is neither JSON nor YAML, but binary`, `write it with: ${dumpCommand}`);
	}
	const looksLikeJson = /^\s*[{[]/.test(text);
	// JSON documents separated by `---` are YAML. Broken JSON is not, as YAML's error messages for it would be confusing.
	return looksLikeJson && !/^---\s*$/m.test(text) ? parseJson(text, file) : parseYaml(text, file);
}

/** Whether a file may contain relevant objects: most files of a must-gather need not be parsed. */
export const mayHoldObjects = (bytes: Buffer, file: string): boolean =>
	/["']?kind["']?:\s*["']?(Node|Pod|Lease|Event|List)/.test(decodeText(bytes, file));

export const dumpCommand = 'kubectl get nodes,pods,leases,events -A -o json > FILE';

function parseJson(text: string, file: string): readonly unknown[] {
	try {
		return [JSON.parse(text)];
	} catch (error) {
		const parts = splitJson(text);
		if (parts.length > 1) return parts.flatMap((part) => parseJson(part, file));
		throw new UserError(
			`${file} is not valid JSON: ${messageOf(error)}`,
			`it may have been cut off; write it again with: ${dumpCommand}`,
		);
	}
}

function parseYaml(text: string, file: string): readonly unknown[] {
	try {
		const documents = parseAllDocuments(text);
		const parsed = 'empty' in documents ? [] : documents;
		const [error] = parsed.flatMap(({errors}) => errors);
		if (error) throw error;
		return parsed.map((document) => document.toJS() as unknown);
	} catch (error) {
		throw new UserError(
			`${file} is not valid YAML: ${withoutExcerpt(messageOf(error))}`,
			`write it again, best as JSON, with: ${dumpCommand}`,
		);
	}
}

// The parser shows the line with an arrow under it, which does not fit in one line.
const withoutExcerpt = (message: string): string =>
	message.replace(/( at line \d+, column \d+):; .*$/s, '$1');

function decodeText(bytes: Buffer, file: string): string {
	try {
		// PowerShell's `>` writes UTF-16, and other Windows tools write a byte order mark.
		const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
		return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
	} catch (error) {
		throw new UserError(
			`${file} is too large to be read as a whole (${messageOf(error)})`,
			'leave out the pods of namespaces that do not matter, or ask the cluster itself',
		);
	}
}

/**
 * Splits the output of several commands in one file into JSON objects. Text between them, such as logs of `kubectl
 * cluster-info dump`, is skipped unless it is in braces itself.
 *
 * @returns each object that starts at the beginning of a line; the last may be cut off
 */
export function splitJson(text: string): readonly string[] {
	const parts: string[] = [];
	for (let from = beginOf(text, 0); from >= 0; ) {
		const end = endOf(text, from);
		parts.push(text.slice(from, end));
		from = beginOf(text, end);
	}
	return parts;
}

function beginOf(text: string, from: number): number {
	const begin = /^[{[]/gm;
	begin.lastIndex = from;
	return begin.exec(text)?.index ?? -1;
}

/** The position after the bracket that closes the one at `from`; the end of the text if there is none. */
function endOf(text: string, from: number): number {
	// Strings are matched whole, as their brackets do not count. A string that is cut off ends with the file, so that each
	// character is read once.
	const tokens = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[{}[\]]/gs;
	tokens.lastIndex = from;
	let depth = 0;
	for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
		if (token[0] === '{' || token[0] === '[') depth += 1;
		else if (token[0] === '}' || token[0] === ']') depth -= 1;
		if (depth === 0) return tokens.lastIndex;
	}
	return text.length;
}
