import {execFileSync} from 'node:child_process';
import {chmod, rm, writeFile} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {rolldown} from 'rolldown';
import {trimmedDependencies} from './trimmedDependencies.ts';

const root = join(import.meta.dirname, '..');

/**
 * What is one module each, with all that it imports: what every command loads, what reads YAML, what prints documents, what
 * completion names, and what a list loads before and after its requests are sent. Without these they would be eighty small
 * ones, each of which costs a list most of a millisecond.
 */
const modules = [
	// Taints as well, which lists and the scenarios of the demo share: a list would load the latter.
	{name: 'main', test: /cmd\/main\.ts$|core\/model\/taint\.ts$/, priority: 3},
	{name: 'yaml', test: /node_modules\/yaml\//, priority: 2},
	{name: 'documents', test: /cmd\/output\/documentPrinter\.ts$/, priority: 2},
	{name: 'scenarios', test: /src\/demo\/world\/scenarios\.ts$/, priority: 2},
	{name: 'list', test: /cmd\/output\/list\.ts$/, priority: 1},
	{name: 'listOnce', test: /cmd\/output\/listOnce\.ts$/},
];

/**
 * Writes the program into a folder: ES modules, and the launcher that starts them. What a command loads on demand is a
 * module of its own, so that `--help` does not read the rest.
 *
 * @returns the files that it was made of, below the project's folder
 */
export async function build(folder: string): Promise<readonly string[]> {
	// What was compiled of older builds would be looked through at each start.
	for (const old of ['chunks', 'compiled']) await rm(join(folder, old), {recursive: true, force: true});
	const bundle = await rolldown({
		cwd: root,
		input: {'kubectl-evictwatch': 'cmd/kubectl-evictwatch.ts'},
		platform: 'node',
		plugins: [trimmedDependencies],
		// ink loads it where DEV is set; it is not installed.
		external: ['react-devtools-core'],
		transform: {
			target: 'node22.19',
			define: {
				// React's build for development is slower.
				'process.env.NODE_ENV': '"production"',
				'process.env.EVICTWATCH_COMMIT': JSON.stringify(commit()),
			},
		},
	});
	const {output} = await bundle.write({
		dir: folder,
		format: 'esm',
		entryFileNames: '[name].mjs',
		chunkFileNames: 'chunks/[name]-[hash].mjs',
		codeSplitting: {groups: modules},
		// They stand in THIRD_PARTY_LICENSES.
		comments: false,
		postBanner: ({moduleIds}) => packagesIn(moduleIds),
		// Less to read and to hash at each start. Names stay, for the stacks in bug reports.
		minify: {compress: false, mangle: false, codegen: {removeWhitespace: true}},
	});
	await bundle.close();
	await writeFile(join(folder, 'kubectl-evictwatch'), launcher);
	await chmod(join(folder, 'kubectl-evictwatch'), 0o755);
	await writeFile(join(folder, 'npm.cjs'), npmLauncher);
	const inputs = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
	return inputs.map((id) => relative(root, id));
}

/** The packages of which something is in a module, a comment each: in the code itself nothing tells. */
function packagesIn(moduleIds: readonly string[]): string {
	const folders = moduleIds.flatMap(
		(id) => /^node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(relative(root, id))?.[0] ?? [],
	);
	return [...new Set(folders)].map((folder) => `// ${folder}\n`).join('');
}

/** The commit that is built; empty where the sources are not a git checkout of their own. */
function commit(): string {
	const git = (...args: readonly string[]) =>
		execFileSync('git', args, {cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore']}).trim();
	try {
		return git('rev-parse', '--show-prefix') === '' ? git('rev-parse', 'HEAD') : '';
	} catch {
		return '';
	}
}

/**
 * What Node.js is started with. Half of V8's default for young objects saves some 50 MB where many pods are read, and costs
 * no time (docs/scale.md); to begin with all of it saves collecting garbage while a short command runs. Before another is
 * added: most flags of V8 make it refuse what Node.js brings compiled of its own modules, which costs 30 ms (measured).
 */
export const flags = ['--max-semi-space-size=8', '--min-semi-space-size=8'];

// kubectl and krew call the program through PATH and symlinks, so it looks for its own folder first. `readlink -f`
// would be shorter, but older macOS has none. With exec the program owns the pid, the signals and the exit code.
const launcher = `#!/bin/sh
self=$0
case $self in */*) ;; *) self=./$self ;; esac
while [ -L "$self" ]; do
	target=$(readlink "$self")
	case $target in
	/*) self=$target ;;
	*) self=\${self%/*}/$target ;;
	esac
done
# Without a process more: each takes as long as a tenth of the command.
folder=\${self%/*}

is_recent() {
	version=$("$1" --version 2>/dev/null)
	case $version in
	v[0-9]*.[0-9]*.*) ;;
	*) return 1 ;;
	esac
	version=\${version#v}
	major=\${version%%.*}
	minor=\${version#*.}
	minor=\${minor%%.*}
	[ "$major" -gt 22 ] || { [ "$major" -eq 22 ] && [ "$minor" -ge 19 ]; }
}

# Ours is known to be recent.
own=$folder/../node_modules/.bin/node
if [ -x "$own" ]; then node=$own; elif is_recent node; then node=node; else node=; fi
[ -z "$node" ] || exec "$node" ${flags.join(' ')} "$folder/kubectl-evictwatch.mjs" "$@"
echo "error: kubectl evictwatch needs Node.js 22.19 or newer, and found none on PATH" >&2
exit 1
`;

// What npm's own links start, on Windows too. A version that is too old must understand it, to say so.
const npmLauncher = `#!/usr/bin/env node
'use strict';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) {
	import('./kubectl-evictwatch.mjs');
} else {
	console.error('error: kubectl evictwatch needs Node.js 22.19 or newer, and this is ' + process.version);
	console.error('install a newer one, or the program with its own: kubectl krew install evictwatch');
	process.exitCode = 1;
}
`;

if (import.meta.main) await build(join(root, 'dist'));
