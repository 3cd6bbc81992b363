import {execFileSync} from 'node:child_process';
import {mkdirSync, readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {executableName, type Platform, platforms} from '../../../scripts/release/platforms.ts';
import type {Check} from '../judge.ts';

const root = join(import.meta.dirname, '../../..');
const release = join(root, 'dist/release');

/** An archive and its content. */
export type Unpacked = {
	readonly os: Platform['os'];
	readonly arch: Platform['arch'];
	/** The size of the archive, in bytes. */
	readonly size: number;
	readonly files: readonly string[];
	readonly executable: string;
};

/** Runs `npm run package`, for all platforms or some; returns the checksums that it prints. */
export function makeRelease(names: readonly string[] = []): string {
	const program = join(root, 'scripts/release/package.ts');
	return execFileSync(process.execPath, [program, ...names], {encoding: 'utf8', maxBuffer: 2 ** 26});
}

/** The archives that it created. */
export const archives = (): readonly string[] =>
	readdirSync(release)
		.filter((file) => /\.(zip|tar\.gz)$/.test(file))
		.map((file) => join(release, file));

/** Unpacks an archive into its own folder. */
export function unpack(archive: string, folder: string): Unpacked {
	const platform = platforms.find(({os, arch}) => archive.includes(`_${os}_${arch}.`));
	if (!platform) throw new Error(`${archive} is of no platform`);
	const content = join(folder, `${platform.os}-${platform.arch}`);
	mkdirSync(content);
	// Python unpacks zip files even without unzip.
	if (archive.endsWith('.zip')) execFileSync('python3', ['-m', 'zipfile', '-e', archive, content]);
	else execFileSync('tar', ['-xzf', archive, '-C', content]);
	const {os, arch} = platform;
	const executable = join(content, executableName(platform));
	return {os, arch, size: statSync(archive).size, files: readdirSync(content), executable};
}

/** Packs one platform of each system again: the checksums must be the same as the first time. */
export function isReproducible(first: string): Check {
	const again = makeRelease(['linux_amd64', 'darwin_arm64', 'windows_amd64']).trim().split('\n');
	const known = new Set(first.trim().split('\n'));
	return {
		name: 'packed twice, the archives and the bill of materials have the same checksums',
		failures: again.filter((line) => !known.has(line)),
	};
}

/** The first bytes of a file. */
export const head = (file: string): Buffer => readFileSync(file).subarray(0, 4096);
