import {readFile} from 'node:fs/promises';
import {buffer} from 'node:stream/consumers';
import {promisify} from 'node:util';
import {gunzip} from 'node:zlib';
import {codeOf, fileErrorOf, messageOf, UserError} from '../../text/userError.ts';
import {dumpCommand} from '../dump/dumpDocuments.ts';

const inflate = promisify(gunzip);

/** kubectl's output compresses to a tenth, rarely below a thirtieth; a gzip bomb to a thousandth. */
const maxRatio = 100;
const alwaysAllowed = 32 * 2 ** 20;
/** Maximum length of a string in V8. */
const maxBytes = 512 * 2 ** 20;

/** Reads a dump, from standard input for `-`; gzip is detected. @throws UserError if it cannot be read or uncompressed */
export async function readDumpBytes(file: string, stdin: NodeJS.ReadableStream): Promise<Buffer> {
	const bytes = file === '-' ? await buffer(stdin) : await readBytes(file);
	const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
	if (!isGzip) return bytes;
	const most = Math.min(maxBytes, Math.max(alwaysAllowed, bytes.length * maxRatio));
	try {
		return await inflate(bytes, {maxOutputLength: most});
	} catch (error) {
		if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') {
			throw new UserError(
				`${nameOf(file)} is too large when it is uncompressed: from ${bytes.length} bytes to more than ${most}`,
				'a dump does not compress that well; if it is one, pass it uncompressed, or without namespaces that you do not need',
			);
		}
		throw new UserError(
			`${nameOf(file)} cannot be uncompressed: ${messageOf(error)}`,
			'it looks like gzip, but may have been cut off; compress it again, or pass it uncompressed',
		);
	}
}

/** The name of a dump in messages. */
export const nameOf = (file: string): string => (file === '-' ? 'standard input' : file);

async function readBytes(file: string): Promise<Buffer> {
	try {
		return await readFile(file);
	} catch (error) {
		throw new UserError(`cannot read ${file}: ${fileErrorOf(error)}`, `write it with: ${dumpCommand}`);
	}
}
