import {parseAllDocuments} from 'yaml';
import {messageOf, UserError} from '../../text/userError.ts';
import {splitJson} from './jsonDocuments.ts';

/**
 * The documents of a dump: of JSON one or several, one after another; of YAML as many as `---` separates.
 *
 * @throws UserError where it is neither, or empty.
 */
export function parseDocuments(bytes: Buffer, file: string): readonly unknown[] {
	const text = decodeText(bytes, file);
	if (text.trim() === '') {
		throw new UserError(`${file} is empty`, `write it with: ${dumpCommand}`);
	}
	if (text.includes('\0')) {
		throw new UserError(`${file} is neither JSON nor YAML, but binary`, `write it with: ${dumpCommand}`);
	}
	const looksLikeJson = /^\s*[{[]/.test(text);
	// Several JSON documents, one after `---`, are YAML. A broken one is not: YAML would say odd things about it.
	return looksLikeJson && !/^---\s*$/m.test(text) ? parseJson(text, file) : parseYaml(text, file);
}

/** Whether a file may hold what a forecast is made of: most of those in a must-gather need not be parsed for that. */
export const mayHoldObjects = (bytes: Buffer, file: string): boolean =>
	/["']?kind["']?:\s*["']?(Node|Pod|Lease|Event|List)/.test(decodeText(bytes, file));

/** The command that writes a dump, for hints. */
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
			`${file} is not valid YAML: ${withoutPicture(messageOf(error))}`,
			`write it again, best as JSON, with: ${dumpCommand}`,
		);
	}
}

// The parser draws the line and an arrow under it, which make no sense in one line.
const withoutPicture = (message: string): string =>
	message.replace(/( at line \d+, column \d+):; .*$/s, '$1');

function decodeText(bytes: Buffer, file: string): string {
	try {
		// PowerShell's `>` writes UTF-16, and other Windows tools a byte order mark.
		const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
		return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
	} catch (error) {
		throw new UserError(
			`${file} is too large to be read as a whole (${messageOf(error)})`,
			'leave out the pods of namespaces that do not matter, or ask the cluster itself',
		);
	}
}
