import type {Dirent} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {fileErrorOf, UserError} from '../../text/userError.ts';
import {dumpCommand} from './dumpDocuments.ts';

/** A file to read, and whether it was found in a folder rather than named: such a one may be anything. */
export type DumpFile = {readonly path: string; readonly isFound: boolean};

/** In a folder there are logs and pages besides what the API server said. */
const isOfInterest = (name: string): boolean => /\.(json|ya?ml)(\.gz)?$/i.test(name);

/**
 * The files that `-f` means: those that it names, and in place of a folder all JSON and YAML in it, at any depth, as in
 * the tree of `kubectl cluster-info dump --output-directory` or of a must-gather. Links are not followed.
 *
 * @throws UserError where one cannot be looked at, or a folder has nothing to read
 */
export async function dumpFiles(names: readonly string[]): Promise<readonly DumpFile[]> {
	const files: DumpFile[] = [];
	for (const name of names) files.push(...(await filesOf(name)));
	return files;
}

async function filesOf(name: string): Promise<readonly DumpFile[]> {
	const isFolder = name !== '-' && (await stat(name).catch(() => undefined))?.isDirectory() === true;
	// What is not there is told by whoever reads it.
	if (!isFolder) return [{path: name, isFound: false}];
	const found = (await entriesOf(name))
		.filter((entry) => entry.isFile() && isOfInterest(entry.name))
		.map((entry) => ({path: join(entry.parentPath, entry.name), isFound: true}));
	if (found.length === 0) {
		throw new UserError(
			`there is no JSON or YAML in the folder ${name}`,
			'pass one that kubectl cluster-info dump --output-directory wrote, or a must-gather',
		);
	}
	// The same each time, whatever the file system's order: of two versions of one object the later may win.
	return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
	try {
		return await readdir(folder, {recursive: true, withFileTypes: true});
	} catch (error) {
		throw new UserError(
			`cannot read the folder ${folder}: ${fileErrorOf(error)}`,
			`write one with: ${dumpCommand}`,
		);
	}
}
