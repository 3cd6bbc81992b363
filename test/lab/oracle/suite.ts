import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {isDeepStrictEqual} from 'node:util';
import {firstDifference} from '../../conformance/compareActions.ts';
import type {Action} from '../../conformance/vector.ts';
import type {Recorder} from './release.ts';

/** A kind of vector: how its scenarios are played, compared and written. */
export type Suite<Vector = unknown, Result = unknown> = {
	/** The folder name below the vectors' folder and below the output folder. */
	readonly folder: string;
	readonly recorder: Recorder;
	/** How often a scenario is played to find what is random, when a new release is recorded. */
	readonly runs: number;
	readonly vectors: readonly Kept<Vector>[];
	/** The recorder's input, as JSON with a name. */
	scenarioOf(kept: Kept<Vector>): string;
	/** Parses a line of the recorder's output. */
	readLine(line: string): {readonly name: string; readonly result: Result};
	compare(kept: Kept<Vector>, result: Result): {readonly is: string; readonly why?: string};
	/** The text of a new vector; undefined if the results have too little in common. */
	write(kept: Kept<Vector>, version: string, results: readonly Result[]): string | undefined;
};

/** A vector of the project, under its scenario's name in this suite. */
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

/** The result of playing a scenario of which nothing but the trace is recorded. */
export type TraceRun = {readonly name: string; readonly trace: readonly Action[]};

/** Reads a line of the recorder. Go writes an empty list as null. */
export function readTraceRun(line: string): {readonly name: string; readonly result: TraceRun} {
	const {name, trace} = JSON.parse(line) as {name: string; trace: readonly Action[] | null};
	return {name, result: {name, trace: trace ?? []}};
}

export function compareTraces(
	kept: readonly Action[],
	played: readonly Action[],
	keyOf: (action: Action) => string,
): {readonly is: string; readonly why?: string} {
	if (isDeepStrictEqual(kept, played)) return {is: 'same'};
	const why = firstDifference(kept, played, keyOf);
	return why === undefined ? {is: 'alike'} : {is: 'different', why};
}
