import {execFileSync} from 'node:child_process';
import {chmod, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {type BuildOptions, build as bundle, type Plugin} from 'esbuild';

const root = join(import.meta.dirname, '..');

/**
 * Writes the program into a folder: ES modules with source maps, and the launcher that starts them. What a command
 * loads on demand is a module of its own, so that `--help` does not read the rest.
 *
 * @param isRelease without source maps, and without white space
 * @returns the files that it was made of, below the project's folder
 */
export async function build(folder: string, {isRelease = false} = {}): Promise<readonly string[]> {
	const {metafile} = await bundle({
		...optionsFor(isRelease),
		entryPoints: {'kubectl-evictwatch': 'cmd/kubectl-evictwatch.ts'},
		outdir: folder,
		outExtension: {'.js': '.mjs'},
		chunkNames: `${chunks}/[name]-[hash]`,
		splitting: true,
		format: 'esm',
		plugins: [noDevtools, onlyDispatchers, plainBuiltins, together],
		// CommonJS dependencies call require() for Node's own modules, and an ES module has none.
		banner: {js: requireShim},
	});
	const outputs = Object.keys(metafile.outputs);
	await Promise.all(outputs.map((file) => toAscii(join(root, file))));
	await writeFile(join(folder, 'kubectl-evictwatch'), launcher);
	await chmod(join(folder, 'kubectl-evictwatch'), 0o755);
	await writeFile(join(folder, 'npm.cjs'), npmLauncher);
	await removeStale(join(folder, chunks), new Set(outputs.map((file) => basename(file))));
	return Object.keys(metafile.inputs);
}

const optionsFor = (isRelease: boolean) =>
	({
		absWorkingDir: root,
		bundle: true,
		platform: 'node',
		target: 'node22.19',
		// React's build for development is slower.
		define: {
			'process.env.NODE_ENV': '"production"',
			'process.env.EVICTWATCH_COMMIT': JSON.stringify(commit()),
		},
		sourcemap: !isRelease,
		minifyWhitespace: isRelease,
		minifySyntax: isRelease,
		metafile: true,
		logLevel: 'warning',
	}) as const satisfies BuildOptions;

// One letter of another alphabet, in somebody's name in a comment, and V8 would keep a whole module in twice the memory.
async function toAscii(file: string): Promise<void> {
	if (!file.endsWith('.mjs')) return;
	const code = await readFile(file, 'utf8');
	const escaped = code.replaceAll(
		/[^\0-\x7f]/g,
		(letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
	if (escaped !== code) await writeFile(file, escaped);
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

const chunks = 'chunks';

/** What ink imports where DEV is set: a package that is not installed, and of no use to anybody here. */
const noDevtools: Plugin = {
	name: 'no devtools',
	setup: ({onResolve, onLoad}) => {
		onResolve({filter: /^react-devtools-core$/}, ({path}) => ({path, namespace: 'empty'}));
		onLoad({filter: /.*/, namespace: 'empty'}, () => ({
			contents: 'export default {initialize: () => {}, connectToDevTools: () => {}};',
		}));
	},
};

/**
 * Of undici what sends requests: half of it is `fetch`, caches and mocks, which every command would wait for. Proxies are
 * loaded where one is used, and HTTP/2 where a server speaks it: `kubectl proxy` and the demo do not.
 */
const onlyDispatchers: Plugin = {
	name: 'only dispatchers',
	setup: ({onResolve, onLoad}) => {
		onResolve({filter: /^undici$/}, ({path}) => ({path, namespace: 'dispatchers'}));
		onLoad({filter: /.*/, namespace: 'dispatchers'}, () => ({
			resolveDir: root,
			contents: `
				// As undici's own index.js does.
				Object.assign(require('undici/lib/dispatcher/dispatcher').prototype, require('undici/lib/api'));
				exports.Agent = require('undici/lib/dispatcher/agent');
				Object.defineProperty(exports, 'ProxyAgent', {
					get: () => require('undici/lib/dispatcher/proxy-agent'),
				});
			`,
		}));
		onLoad({filter: /undici\/lib\/dispatcher\/client\.js$/}, async ({path}) => {
			const whole = await readFile(path, 'utf8');
			const contents = whole.replace(
				"const connectH2 = require('./client-h2.js')",
				"const connectH2 = (...args) => require('./client-h2.js')(...args)",
			);
			if (contents === whole) throw new Error('undici loads HTTP/2 in another way than it did');
			return {contents};
		});
	},
};

/**
 * What is loaded on demand, as one module where one of these is asked for: each further one that shares code with others
 * cuts that code into smaller pieces, and a hundred small modules take 30 ms longer to load than ten large ones.
 */
const groups: Readonly<Record<string, readonly string[]>> = {
	reach: ['cmd/output/list.ts', 'src/cluster/cluster.ts', 'src/cluster/names.ts', 'src/print/json/yaml.ts'],
	forecast: [
		...[
			'cmd/output/listOnce.ts',
			'cmd/output/listFollowed.ts',
			'cmd/questions/explain.ts',
			'cmd/questions/whatIf.ts',
			'cmd/questions/rescue.ts',
		],
		...[
			'cmd/pressure/pressureReport.ts',
			'cmd/output/showSettings.ts',
			'cmd/recording/record.ts',
			'cmd/recording/replay.ts',
			'cmd/recording/report.ts',
		],
		'cmd/args/configFile.ts',
	],
	screen: [
		...[
			'cmd/dashboard/dashboard.ts',
			'cmd/demo/demoDashboard.ts',
			'cmd/dashboard/dashboardTerminal.ts',
			'cmd/sources/replaySource.ts',
		],
		'src/ui/app/runDashboard.ts',
	],
	demo: ['cmd/demo/demo.ts', 'cmd/demo/demoStory.ts'],
	complete: ['cmd/completion/complete.ts', 'cmd/completion/clusterNames.ts'],
	values: ['cmd/completion/settingNames.ts', 'src/demo/world/scenarios.ts'],
	words: [
		'cmd/output/version.ts',
		'cmd/args/helpText.ts',
		'cmd/completion/completion.ts',
		'cmd/dashboard/dashboardOrList.ts',
	],
};

const together: Plugin = {
	name: 'together',
	setup: ({onResolve, onLoad}) => {
		const groupOf = new Map(
			Object.entries(groups).flatMap(([group, files]) => files.map((file) => [join(root, file), group])),
		);
		onResolve({filter: /^\./}, ({kind, resolveDir, path}) => {
			if (kind !== 'dynamic-import') return undefined;
			const group = groupOf.get(join(resolveDir, path));
			return group === undefined ? undefined : {path: group, namespace: 'group'};
		});
		onLoad({filter: /.*/, namespace: 'group'}, ({path}) => ({
			resolveDir: root,
			contents: groups[path]?.map((file) => `export * from './${file}';`).join('\n') ?? '',
		}));
	},
};

/**
 * Node's own modules as CommonJS has them. To import one makes an ES module of it, and for that Node.js reads every name
 * that it exports, and so loads what each of them would load on demand: of `node:http` alone that is 20 ms.
 */
const plainBuiltins: Plugin = {
	name: 'plain builtins',
	setup: ({onResolve, onLoad}) => {
		onResolve({filter: /^node:/}, ({path}) => ({path, namespace: 'builtin'}));
		onLoad({filter: /.*/, namespace: 'builtin'}, ({path}) => ({
			contents: `module.exports = process.getBuiltinModule('${path}');`,
		}));
	},
};

// Only after the new ones are there, so that a program started in between finds its modules.
async function removeStale(folder: string, current: ReadonlySet<string>): Promise<void> {
	const stale = (await readdir(folder)).filter((file) => !current.has(file));
	await Promise.all(stale.map((file) => rm(join(folder, file))));
}

const requireShim = 'const require = process.getBuiltinModule;';

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
