import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {TestProject} from 'vitest/node';
import {build} from '../../scripts/build.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The folder of the program, built once for all tests that run it. */
		programFolder: string;
	}
}

/** Builds the program before the first test, and removes it after the last. */
export default async function buildProgram({provide}: TestProject): Promise<() => void> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-program-'));
	await build(folder);
	provide('programFolder', folder);
	return () => rmSync(folder, {recursive: true});
}
