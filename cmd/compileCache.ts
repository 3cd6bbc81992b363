import {chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync} from 'node:fs';
import {enableCompileCache} from 'node:module';
import {dirname, join} from 'node:path';
import {homeFolder} from '../src/cluster/access/environment.ts';

/** Group and others may write. */
const othersMayWrite = 0o022;
/** Only the owner of an entry may rename or remove it. */
const isSticky = 0o1000;

/**
 * Enables Node.js's compile cache in the first of these folders that only the user can write to: V8 runs cached code
 * unchecked. Without such a folder nothing is cached.
 */
export function keepCompiledCode(folders: readonly string[]) {
	if (process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return;
	for (const folder of folders) {
		if (!isPrivate(folder)) continue;
		if (enableCompileCache(folder).directory === undefined) continue;
		// Node.js creates subfolders with the umask.
		for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o700);
		return;
	}
}

/** The folders to try: beside the program, then kubectl's cache folder. */
export function compileCacheFolders(programFolder: string): readonly string[] {
	// Windows has no file owner to check, so only the user's profile is used there.
	const beside = process.platform === 'win32' ? [] : [join(programFolder, 'compiled')];
	const home = homeFolder();
	const cache = process.env['KUBECACHEDIR'] || (home && join(home, '.kube/cache'));
	return cache ? [...beside, join(cache, 'evictwatch')] : beside;
}

/**
 * Whether the folder (created if missing) and everything in it belong to the user, and nobody else can write to them.
 */
function isPrivate(folder: string) {
	try {
		mkdirSync(folder, {recursive: true, mode: 0o700});
		const user = process.getuid?.();
		if (user === undefined) return true;
		const real = realpathSync(folder);
		return isOutOfReach(real, user) && [real, ...within(real)].every((path) => isOwn(path, user));
	} catch {
		return false;
	}
}

const within = (folder: string): readonly string[] =>
	readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((name) => join(folder, name));

function isOwn(path: string, user: number) {
	const stat = lstatSync(path);
	return stat.uid === user && !stat.isSymbolicLink() && (stat.mode & othersMayWrite) === 0;
}

/** Whether only the user and root can replace this folder or one of its parents. */
function isOutOfReach(folder: string, user: number): boolean {
	const parent = dirname(folder);
	const {uid, mode} = lstatSync(parent);
	const isSafe = (uid === user || uid === 0) && ((mode & othersMayWrite) === 0 || (mode & isSticky) !== 0);
	return isSafe && (parent === folder || isOutOfReach(parent, user));
}
