import {chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync} from 'node:fs';
import {enableCompileCache} from 'node:module';
import {homedir} from 'node:os';
import {dirname, join} from 'node:path';

/** Group and others may write. */
const othersMayWrite = 0o022;
/** Only the owner of an entry may rename or remove it. */
const isSticky = 0o1000;

/**
 * Lets Node.js keep what V8 compiled of the program: in the first of these folders that belongs to the user, and that nobody
 * else can write to. V8 runs what it finds there unchecked. Without such a folder nothing is kept.
 */
export function keepCompiledCode(folders: readonly string[]): void {
	if (process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return;
	for (const folder of folders) {
		if (!isPrivate(folder)) continue;
		if (enableCompileCache(folder).directory === undefined) continue;
		// Node.js makes folders in it as the umask says.
		for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o700);
		return;
	}
}

/** Beside the program, and where kubectl keeps what it can make anew. */
export function compileCacheFolders(programFolder: string): readonly string[] {
	// Windows tells no owner: only what lies in the user's own profile is taken there.
	const beside = process.platform === 'win32' ? [] : [join(programFolder, 'compiled')];
	try {
		const cache = process.env['KUBECACHEDIR'] || join(homedir(), '.kube/cache');
		return [...beside, join(cache, 'evictwatch')];
	} catch {
		// There is no home.
		return beside;
	}
}

/** Whether a folder, which is made where it is missing, and all in it are the user's own, and closed to the writing of others. */
function isPrivate(folder: string): boolean {
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

function isOwn(path: string, user: number): boolean {
	const stat = lstatSync(path);
	return stat.uid === user && !stat.isSymbolicLink() && (stat.mode & othersMayWrite) === 0;
}

/** Whether nobody but the user and root can put another folder in the place of this one, or of one above it. */
function isOutOfReach(folder: string, user: number): boolean {
	const parent = dirname(folder);
	const {uid, mode} = lstatSync(parent);
	const isSafe = (uid === user || uid === 0) && ((mode & othersMayWrite) === 0 || (mode & isSticky) !== 0);
	return isSafe && (parent === folder || isOutOfReach(parent, user));
}
