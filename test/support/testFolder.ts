import {afterAll} from 'vitest';
import {TemporaryFolder} from './testEnvironment.ts';

/** A folder that is removed after the tests of a file. */
export function testFolder(): TemporaryFolder {
	const folder = new TemporaryFolder();
	afterAll(() => folder[Symbol.dispose]());
	return folder;
}
