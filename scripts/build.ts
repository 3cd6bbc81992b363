import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {chmod, rm, writeFile} from 'node:fs/promises';
import {join, relative} from 'node:path';
import {rolldown} from 'rolldown';
import {aliases, trimmedDependencies} from './trimmedDependencies.ts';

const root = join(import.meta.dirname, '..');

/**
 * Groups that are bundled into one module each, with their imports: what every command loads, YAML parsing, document output,
 * the names for completion, and what a list loads before and after its requests are sent. Otherwise these would be eighty
 * small modules, each of which costs a list almost a millisecond.
 */
const modules: readonly {
	readonly name: string;
	readonly from: readonly string[];
	readonly priority?: number;
}[] = [
	// `taint.ts` is included because lists and the demo's scenarios share it: otherwise a list would load the scenarios.
	{name: 'main', from: ['cmd/main.ts', 'src/core/model/taint.ts'], priority: 3},
	{name: 'yaml', from: ['node_modules/yaml/'], priority: 2},
	{name: 'documents', from: ['cmd/output/documentPrinter.ts'], priority: 2},
	{name: 'scenarios', from: ['src/demo/world/scenarios.ts'], priority: 2},
	{name: 'list', from: ['cmd/lists/listAction.ts'], priority: 1},
	{name: 'listOnce', from: ['cmd/lists/listOnce.ts', 'cmd/sources/clusterScene.ts']},
];

/**
 * Writes the program into a folder: ES modules and their launcher. What a command loads on demand is a separate module, so
 * that `--help` does not read the rest.
 *
 * @returns the source files of the bundle, relative to the project's folder
 */
export async function build(folder: string): Promise<readonly string[]> {
	// Otherwise each start would search the compiled output of older builds.
	for (const old of ['chunks', 'compiled']) await rm(join(folder, old), {recursive: true, force: true});
	const bundle = await rolldown({
		cwd: root,
		input: {'kubectl-evictwatch': 'cmd/kubectl-evictwatch.ts'},
		platform: 'node',
		plugins: [trimmedDependencies],
		resolve: {alias: aliases},
		// ink loads it if DEV is set; it is not installed.
		external: ['react-devtools-core'],
		transform: {
			target: 'node22.19',
			define: {
				// React's development build is slower.
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
		codeSplitting: {
			groups: modules.map(({from, ...group}) => ({
				...group,
				test: (id: string) => from.some((path) => id.startsWith(join(root, path))),
			})),
		},
		// The license comments are in THIRD_PARTY_LICENSES.
		comments: false,
		postBanner: ({moduleIds}) => packagesIn(moduleIds),
		// What reads a file by the beginnings of its lines takes one with CommonJS packages in it for CommonJS otherwise.
		postFooter: 'export {};',
		// Less to read and hash at each start. Names are kept for the stacks in bug reports.
		minify: {compress: false, mangle: false, codegen: {removeWhitespace: true}},
	});
	await bundle.close();
	await writeFile(join(folder, 'kubectl-evictwatch'), launcher);
	await chmod(join(folder, 'kubectl-evictwatch'), 0o755);
	await writeFile(join(folder, 'npm.cjs'), npmLauncher);
	const inputs = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
	const files = inputs.map((id) => relative(root, id));
	const absent = modules
		.flatMap(({from}) => from)
		.find((path) => !files.some((file) => file.startsWith(path)));
	if (absent !== undefined)
		throw new Error(`no module of ${absent} is bundled: scripts/build.ts groups by it`);
	return files;
}

/** One comment for each package in a module, because the bundled code does not name its packages. */
function packagesIn(moduleIds: readonly string[]): string {
	const folders = moduleIds.flatMap(
		(id) => /^node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(relative(root, id))?.[0] ?? [],
	);
	return [...new Set(folders)].map((folder) => `// ${folder}\n`).join('');
}

/** The commit that is built; empty if the sources are not the root of a git checkout. */
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
 * Node.js' flags. A maximum of half of V8's default for young objects saves some 50 MB when many pods are read, and costs no
 * time (docs/performance.md); starting at that size avoids garbage collections in short commands. SIGUSR1 would open a debugger, which
 * runs whatever code it is sent. Before you add a flag: most V8 flags make V8 reject Node.js' precompiled built-in modules,
 * which costs 30 ms (measured).
 */
export const flags = ['--max-semi-space-size=8', '--min-semi-space-size=8', '--disable-sigusr1'];

// kubectl and krew start the program through PATH and symlinks, so the launcher first finds its own folder. `readlink -f`
// would be shorter, but older macOS does not have it. With exec the program has the pid, the signals and the exit code.
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

# The one that built it, below node_modules: it is known to be recent.
own=$folder/${relative(join(root, 'dist'), process.execPath)}
if [ -x "$own" ]; then node=$own; elif is_recent node; then node=node; else node=; fi
[ -z "$node" ] || exec "$node" ${flags.join(' ')} "$folder/kubectl-evictwatch.mjs" "$@"
echo "error: kubectl evictwatch needs Node.js 22.19 or newer, and found none on PATH" >&2
exit 1
`;

// npm's links start this file, on Windows too. Node.js versions that are too old must parse it, to report that.
const npmLauncher = `#!/usr/bin/env node
'use strict';
// It would open Node.js' debugger.
process.on('SIGUSR1', () => {});
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 22 || (major === 22 && minor >= 19)) {
	import('./kubectl-evictwatch.mjs');
} else {
	console.error('error: kubectl evictwatch needs Node.js 22.19 or newer, and this is ' + process.version);
	console.error('install a newer one, or the program with its own: kubectl krew install evictwatch');
	process.exitCode = 1;
}
`;

if (import.meta.main) {
	const folder = join(root, 'dist');
	if (!existsSync(folder)) console.error('Building the program into dist. Later builds say nothing.');
	await build(folder);
}
