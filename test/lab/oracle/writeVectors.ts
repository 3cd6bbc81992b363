import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Verdict} from './playSuite.ts';
import type {Kept} from './suite.ts';

/** Writes what was recorded anew. @returns the files, by name */
export function writeVectors(
	folder: string,
	kept: readonly Kept<unknown>[],
	verdicts: readonly Verdict[],
): ReadonlyMap<string, string> {
	mkdirSync(folder, {recursive: true});
	const files = new Map(kept.map(({name, file}) => [name, join(folder, file)]));
	for (const {name, text} of verdicts) {
		const file = files.get(name) ?? join(folder, name);
		if (text !== undefined) writeFileSync(file, text);
		else {
			files.delete(name);
			console.log(`${name}: not written: its runs have too little in common`);
		}
	}
	return files;
}
