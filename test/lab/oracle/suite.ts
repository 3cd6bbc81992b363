import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Recorder} from './release.ts';

/** A kind of vector: how its scenario is played again, compared, and written. */
export type Suite<Vector = unknown, Result = unknown> = {
	/** The folder under the vectors' from which, and the folder under the output's to which. */
	readonly folder: string;
	readonly recorder: Recorder;
	/** Plays so often to tell what is chance, where a new release is recorded. */
	readonly runs: number;
	readonly vectors: readonly Kept<Vector>[];
	/** What the recorder plays, as JSON with a name. */
	scenarioOf(kept: Kept<Vector>): string;
	/** The name that the recorder writes with each outcome. */
	readLine(line: string): {readonly name: string; readonly result: Result};
	compare(kept: Kept<Vector>, result: Result): {readonly is: string; readonly why?: string};
	/** The text of a new vector; undefined where the results have too little in common. */
	write(kept: Kept<Vector>, version: string, results: readonly Result[]): string | undefined;
};

/** A vector of the project, under the name that its scenario has in this suite. */
export type Kept<Vector> = {readonly name: string; readonly file: string; readonly vector: Vector};

export const vectorsFolder = join(import.meta.dirname, '../../conformance/vectors');

/** Reads the vectors of a folder. */
export function readVectors<Vector>(
	folder: string,
	parse: (text: string) => Vector = JSON.parse,
): readonly Kept<Vector>[] {
	return globSync('*.json', {cwd: join(vectorsFolder, folder)})
		.toSorted()
		.map((file) => ({
			name: file.replace(/\.json$/, ''),
			file,
			vector: parse(readFileSync(join(vectorsFolder, folder, file), 'utf8')),
		}));
}
