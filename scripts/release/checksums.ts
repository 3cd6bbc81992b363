import {createHash} from 'node:crypto';
import {createReadStream} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
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

/** Parses SHA256SUMS: checksums by file name. */
const parseChecksums = (text: string): ReadonlyMap<string, string> =>
	new Map(
		text
			.trim()
			.split('\n')
			.map((line) => {
				const [hash = '', name = ''] = line.split('  ');
				return [name, hash];
			}),
	);

/**
 * Reads SHA256SUMS of a folder, and verifies each file that it names.
 *
 * @returns the checksums by file name
 * @throws Error if a file does not match its checksum
 */
export async function verifiedChecksums(folder: string): Promise<ReadonlyMap<string, string>> {
	const sums = parseChecksums(await readFile(join(folder, 'SHA256SUMS'), 'utf8'));
	for (const [name, sum] of sums) {
		const found = await sha256(join(folder, name));
		if (found !== sum) throw new Error(`${name} is not what SHA256SUMS has: ${found}`);
	}
	return sums;
}
