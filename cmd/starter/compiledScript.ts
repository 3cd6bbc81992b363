import {Script} from 'node:vm';
import {dropOthers, type KeptCode, keepCode, readCode} from './keptCode.ts';

/** A script in the form of CommonJS, and where what V8 compiled of it is kept; nowhere where that is undefined. */
export type CompiledScript = {
	readonly filename: string;
	readonly source: string;
	readonly cacheFile: string | undefined;
	/** How the names of files begin that hold code of this script or of others, and of this one alone. */
	readonly names?: {readonly start: string; readonly keep: string};
};

/**
 * After so many runs nothing is added any more. V8 compiles a function when it is first called: each run may call some that
 * the ones before did not, and what the first four have called is nearly all.
 */
const learningRuns = 4;

/**
 * Runs a script with what earlier runs of it compiled. Node's own cache keeps only what V8 compiles of a module before it
 * runs; a command then spends a third of its time to compile the functions that it calls.
 */
export function runCompiled({filename, source, cacheFile, names}: CompiledScript): void {
	const kept: KeptCode | undefined = cacheFile === undefined ? undefined : readCode(cacheFile);
	// On one line, so that lines keep their numbers.
	const script = new Script(`(function (require, module) {${source}\n})`, {
		filename,
		...(kept && {cachedData: kept.compiled}),
	});
	const runs = script.cachedDataRejected === false ? (kept?.runs ?? 0) : 0;
	if (cacheFile !== undefined && runs < learningRuns) {
		process.once('exit', () => {
			keepCode(cacheFile, {runs: runs + 1, compiled: script.createCachedData()});
			if (runs === 0 && names) dropOthers(cacheFile, names);
		});
	}
	script.runInThisContext()(process.getBuiltinModule, {exports: {}});
}
