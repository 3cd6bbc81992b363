import {join} from 'node:path';
import {run} from './run.ts';

const tool = join(import.meta.dirname, '../../tools/sign');

/**
 * Signs a Mach-O file without an identity: macOS on arm64 kills a program whose signature does not match, and adding the
 * modules to Node.js invalidates its signature. Needs Go.
 */
export async function signAdHoc(file: string): Promise<void> {
	await run('go', ['run', '.', file], tool);
}

/** Checks every page of a Mach-O file against its signature. @throws Error if one does not match */
export async function verifySignature(file: string): Promise<string> {
	return await run('go', ['run', '.', '--verify', file], tool);
}
