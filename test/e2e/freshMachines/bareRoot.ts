import {execFileSync} from 'node:child_process';
import {copyFileSync, mkdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {Skipped} from './skipped.ts';

/** What every image of Debian has: glibc, and the libraries of C++ and of the compiler. */
const libraries = /^(libc|libm|libdl|libpthread|libstdc\+\+|libgcc_s|ld-linux-[\w-]+)\.so\.\d+$/;

/** Runs the executable in a root that holds nothing but the libraries which it asks for. */
export async function inBareRoot(archive: string, scratch: string): Promise<Skipped | undefined> {
	if (process.getuid?.() !== 0) return new Skipped('only root may change the root');
	const root = join(scratch, 'root');
	mkdirSync(join(root, 'tmp'), {recursive: true, mode: 0o777});
	execFileSync('tar', ['-xzf', archive, '-C', root, 'kubectl-evictwatch']);
	const asked = execFileSync('ldd', [join(root, 'kubectl-evictwatch')], {encoding: 'utf8'});
	const paths = asked.match(/\/\S+/g) ?? [];
	const others = paths.filter((path) => !libraries.test(path.split('/').at(-1) ?? ''));
	if (others.length > 0 || asked.includes('not found')) throw new Error(asked);
	for (const path of paths) {
		mkdirSync(join(root, dirname(path)), {recursive: true});
		copyFileSync(path, join(root, path));
	}
	const within = (...args: readonly string[]) =>
		execFileSync('chroot', ['--userspec=65534:65534', root, '/kubectl-evictwatch', ...args], {
			encoding: 'utf8',
			// Neither HOME nor a list of users names a home.
			env: {PATH: '/usr/sbin:/usr/bin:/sbin:/bin'},
		});
	const version = within('version', '--client');
	if (!version.startsWith('Client Version: v')) throw new Error(version);
	const demo = within('demo', 'node-dies');
	if (!/It came inside every range that was predicted, .*\n$/.test(demo)) throw new Error(demo);
	return undefined;
}
