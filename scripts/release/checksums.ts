import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {basename} from 'node:path';
import {pipeline} from 'node:stream/promises';

/** The SHA-256 of a file, in lower-case hex. */
export async function sha256(file: string): Promise<string> {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

/** Checksums in the form that `sha256sum --check` reads. */
export async function checksums(files: readonly string[]): Promise<string> {
	const lines = await Promise.all(files.map(async (file) => `${await sha256(file)}  ${basename(file)}\n`));
	return lines.join('');
}

/** Reads such a text: checksums by the file's name. */
export const parseChecksums = (text: string): ReadonlyMap<string, string> =>
	new Map(
		text
			.trim()
			.split('\n')
			.map((line) => {
				const [hash = '', name = ''] = line.split('  ');
				return [name, hash];
			}),
	);
