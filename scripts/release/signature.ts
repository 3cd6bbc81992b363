import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {run} from './run.ts';

const tools = join(import.meta.dirname, '../../.cache/tools');
const version = '0.29.0';

/**
 * Signs a Mach-O file without an identity: macOS kills a program on arm64 whose signature does not fit, and putting the
 * modules into Node.js breaks the one it had. Needs `rcodesign`, which is built once with cargo where it is not on PATH.
 */
export async function signAdHoc(file: string): Promise<void> {
	await run(await signer(), ['sign', '--binary-identifier', 'kubectl-evictwatch', file]);
}

/** What is known of the signature of a Mach-O file, as YAML. */
export const signatureOf = async (file: string): Promise<string> =>
	await run(await signer(), ['print-signature-info', file]);

let found: Promise<string> | undefined;
const signer = (): Promise<string> => {
	found ??= findSigner();
	return found;
};

async function findSigner(): Promise<string> {
	const own = join(tools, 'bin/rcodesign');
	if (existsSync(own)) return own;
	const isOnPath = await run('rcodesign', ['--version']).then(
		() => true,
		() => false,
	);
	if (isOnPath) return 'rcodesign';
	await run('cargo', ['install', 'apple-codesign', '--version', version, '--locked', '--root', tools]);
	return own;
}
