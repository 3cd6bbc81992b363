import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {TestProject} from 'vitest/node';
import {build} from '../../scripts/build.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The folder of the built program, built once for all tests that run it. */
		programFolder: string;
	}
}

const folder = mkdtempSync(join(tmpdir(), 'evictwatch-program-'));

/** Builds the program before the first test. */
export async function setup({provide}: TestProject): Promise<void> {
	await build(folder);
	provide('programFolder', folder);
}

/** Removes the program after the last test. */
export function teardown(): void {
	rmSync(folder, {recursive: true});
}
