import {createWriteStream} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {create} from 'tar';
import yazl from 'yazl';

/**
 * Packs a folder as `.zip` or `.tar.gz`, depending on the file's name. The same files give the same bytes: entries are
 * sorted and have no particular owner.
 *
 * @param made the time of all entries
 */
export async function pack(folder: string, file: string, made: Date): Promise<void> {
	const all = await readdir(folder, {recursive: true, withFileTypes: true});
	const names = all
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
		.toSorted();
	if (file.endsWith('.zip')) await zip(folder, names, file, made);
	else
		await create(
			{file, cwd: folder, gzip: {level: 9}, portable: true, mtime: made, noDirRecurse: true},
			names,
		);
}

async function zip(folder: string, names: readonly string[], file: string, made: Date): Promise<void> {
	const archive = new yazl.ZipFile();
	for (const name of names) {
		const path = join(folder, name);
		const mode = (await stat(path)).mode & 0o111 ? 0o100755 : 0o100644;
		archive.addFile(path, name.replaceAll('\\', '/'), {
			mtime: made,
			mode,
			forceDosTimestamp: true,
			compressionLevel: 9,
		});
	}
	archive.end();
	await pipeline(archive.outputStream, createWriteStream(file));
}
