import {createHash} from 'node:crypto';
import {existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync} from 'node:fs';
import {dirname, join} from 'node:path';

/** A hash of a program's source files and of the target platform. */
export function sourceHash(folder: string, names: readonly string[]): string {
	const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
	for (const name of names) hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
	return hash.digest('hex').slice(0, 16);
}

/** The path of a program, with the hash of its sources. */
export const builtPath = (stem: string, hash: string): string => `${stem}-${hash}`;

/**
 * Builds a program, unless its file, whose name ends with the hash of its sources, exists.
 *
 * @param stem the path without the hash; programs built from other sources are removed
 * @param build writes the program to the given file
 * @returns the program's path
 */
export function buildOnce(stem: string, hash: string, build: (file: string) => void): string {
	const program = builtPath(stem, hash);
	if (existsSync(program)) return program;
	const unfinished = `${program}.${process.pid}`;
	mkdirSync(dirname(stem), {recursive: true});
	build(unfinished);
	for (const outdated of globSync(`${stem}-*`)) if (outdated !== unfinished) rmSync(outdated);
	renameSync(unfinished, program);
	return program;
}
