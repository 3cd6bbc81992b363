import {mkdir, readdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/** Writes these files, by name, into a folder, and removes all other files. */
export async function writeFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
	await mkdir(folder, {recursive: true});
	const stale = (await readdir(folder)).filter((file) => !files.has(file));
	await Promise.all(stale.map((file) => rm(join(folder, file))));
	await Promise.all([...files].map(([file, text]) => writeFile(join(folder, file), text)));
}
