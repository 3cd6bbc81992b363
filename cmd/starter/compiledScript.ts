import {mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {dirname} from 'node:path';
import {Script} from 'node:vm';

/** A script in the form of CommonJS, and where what V8 compiled of it is kept; nowhere where that is undefined. */
export type CompiledScript = {
	readonly filename: string;
	readonly source: string;
	readonly cacheFile: string | undefined;
};

/**
 * After so many runs nothing is added any more. V8 compiles a function when it is first called: each run may call some that
 * the ones before did not, and what the first four have called is nearly all.
 */
const learningRuns = 4;
/** One byte that counts the runs; what follows has to begin at a multiple of eight. */
const headSize = 8;

/**
 * Runs a script with what earlier runs of it compiled. Node's own cache keeps only what V8 compiles of a module before it
 * runs; a command then spends a third of its time to compile the functions that it calls.
 */
export function runCompiled({filename, source, cacheFile}: CompiledScript): void {
	const kept = cacheFile === undefined ? undefined : readCache(cacheFile);
	// On one line, so that lines keep their numbers.
	const script = new Script(`(function (require, module) {${source}\n})`, {
		filename,
		...(kept && {cachedData: kept.subarray(headSize)}),
	});
	const runs = script.cachedDataRejected === false ? (kept?.[0] ?? 0) : 0;
	if (cacheFile !== undefined && runs < learningRuns)
		process.once('exit', () => keep(cacheFile, runs + 1, script.createCachedData()));
	script.runInThisContext()(process.getBuiltinModule, {exports: {}});
}

function readCache(file: string): Buffer | undefined {
	try {
		const bytes = readFileSync(file);
		return bytes.length > headSize ? bytes : undefined;
	} catch {
		return undefined;
	}
}

/** Replaces it at once, since others may read it; where that cannot be done, the next run compiles again. */
function keep(file: string, runs: number, compiled: Buffer): void {
	const own = `${file}.${process.pid}`;
	try {
		mkdirSync(dirname(file), {recursive: true});
		const head = Buffer.alloc(headSize);
		head[0] = runs;
		writeFileSync(own, Buffer.concat([head, compiled]), {mode: 0o600});
		renameSync(own, file);
	} catch {
		drop(own);
	}
}

function drop(file: string): void {
	try {
		rmSync(file, {force: true});
	} catch {
		// It lies where nothing can be written.
	}
}
