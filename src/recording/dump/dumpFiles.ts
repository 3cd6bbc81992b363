import type {Dirent} from 'node:fs';
import {readdir, stat} from 'node:fs/promises';
import {join} from 'node:path';
import {fileErrorOf, UserError} from '../../text/userError.ts';
import {dumpCommand} from '../format/dumpBytes.ts';

/** A file to read; `isFound` if it was found in a folder, and so may be anything. */
export type DumpFile = {readonly path: string; readonly isFound: boolean};

/** Folders also contain logs and pages. */
const isOfInterest = (name: string) => /\.(json|ya?ml)(\.gz)?$/i.test(name);

/**
 * The files of `-f`: named files, and for a folder all JSON and YAML below it, as in the tree of `kubectl cluster-info dump
 * --output-directory` or a must-gather. Links are not followed.
 *
 * @throws UserError if a folder cannot be read, or contains no such file
 */
export async function dumpFiles(names: readonly string[]): Promise<readonly DumpFile[]> {
	const files: DumpFile[] = [];
	for (const name of names) for (const file of await filesOf(name)) files.push(file);
	return files;
}

async function filesOf(name: string): Promise<readonly DumpFile[]> {
	const isFolder = name !== '-' && (await stat(name).catch(() => undefined))?.isDirectory() === true;
	// A missing file is reported when it is read.
	if (!isFolder) return [{path: name, isFound: false}];
	const found = (await pathsIn(name)).map((path) => ({path, isFound: true}));
	if (found.length === 0) {
		throw new UserError(
			`there is no JSON or YAML in the folder ${name}`,
			'pass one that kubectl cluster-info dump --output-directory wrote, or a must-gather',
		);
	}
	// A stable order: of two versions of one object, the later may win.
	return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** All files of interest in a folder and below it. */
async function pathsIn(folder: string): Promise<readonly string[]> {
	const paths: string[] = [];
	// Not `recursive`, which enters linked folders.
	for (const entry of await entriesOf(folder)) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) for (const below of await pathsIn(path)) paths.push(below);
		else if (entry.isFile() && isOfInterest(entry.name)) paths.push(path);
	}
	return paths;
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
	try {
		return await readdir(folder, {withFileTypes: true});
	} catch (error) {
		throw new UserError(
			`cannot read the folder ${folder}: ${fileErrorOf(error)}`,
			`write one with: ${dumpCommand}`,
		);
	}
}
