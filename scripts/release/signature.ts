import {join} from 'node:path';
import {run} from './run.ts';

const tool = join(import.meta.dirname, '../../tools/sign');

/**
 * Signs a Mach-O file without an identity: macOS kills a program on arm64 whose signature does not fit, and putting the
 * modules into Node.js breaks the one it had. Needs Go.
 */
export async function signAdHoc(file: string): Promise<void> {
	await run('go', ['run', '.', file], tool);
}

/** Holds every page of a Mach-O file against its signature. @throws Error where it does not fit */
export async function verifySignature(file: string): Promise<string> {
	return await run('go', ['run', '.', '--verify', file], tool);
}
