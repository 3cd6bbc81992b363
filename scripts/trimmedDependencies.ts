import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Plugin} from 'esbuild';

// What three dependencies load at each start, and this program never uses. Each part stands here with what it saves, in
// docs/dependencies.md with the numbers, and fails the build where the dependency has changed.

const root = join(import.meta.dirname, '..');

/**
 * meow without what checks a package.json: it is loaded by every command though ours is given, takes as long as the rest of
 * meow, and has the names of all licences in it.
 */
const givenManifest: Plugin = {
	name: 'given manifest',
	setup: ({onLoad}) => {
		onLoad({filter: /meow\/build\/dependencies\.js$/}, async ({path}) => {
			const whole = await readFile(path, 'utf8');
			const contents = whole.replace('= requireNormalize();', '= () => undefined;');
			if (contents === whole) throw new Error('meow loads normalize-package-data in another way than it did');
			return {contents};
		});
	},
};

/** What client-node's `config.js` imports, and what takes its place where only `KubeConfig` is used, and asks nothing. */
const besidesKubeConfig: Readonly<Record<string, string>> = {
	// All API classes, auth providers, proxies and clients: our own transport asks, as whoever our own credentials say.
	'./gen/index.js': 'export const createConfiguration = undefined, ServerConfiguration = undefined;',
	'./middleware.js': 'export const setHeaderMiddleware = undefined;',
	...Object.fromEntries(
		Object.entries({azure: 'AzureAuth', gcp: 'GoogleCloudPlatformAuth', oidc: 'OpenIDConnectAuth'}).map(
			([provider, name]) => [`./${provider}_auth.js`, `export class ${name} {}`],
		),
	),
	'./exec_auth.js': 'export class ExecAuth {}',
	'./file_auth.js': 'export class FileAuth {}',
	'socks-proxy-agent': 'export const SocksProxyAgent = undefined;',
	socks: 'export const SocksClient = undefined;',
	hpagent: 'export const HttpProxyAgent = undefined, HttpsProxyAgent = undefined;',
	undici: 'export const Agent = undefined, ProxyAgent = undefined;',
	...Object.fromEntries(
		['node:http', 'node:https', 'node:tls'].map((name) => [name, 'export default undefined;']),
	),
	// One parser of YAML: what KubeConfig is given has passed ours, and is JSON.
	'js-yaml': "export {parse as load} from 'yaml';",
	'../package.json': "export default {version: ''};",
};

/** What it imports, and is bundled with it. */
const withKubeConfig = new Set([
	'./config_types.js',
	'node:child_process',
	'node:fs',
	'node:net',
	'node:path',
]);

/** Of client-node the class `KubeConfig`, and what it needs to load, merge and choose: 26 KB of two and a half megabytes. */
const onlyKubeConfig: Plugin = {
	name: 'only KubeConfig',
	setup: ({onResolve, onLoad}) => {
		onResolve({filter: /.*/}, ({path, importer}) => {
			if (!importer.endsWith('client-node/dist/config.js') || withKubeConfig.has(path)) return undefined;
			if (path in besidesKubeConfig) return {path, namespace: 'beside KubeConfig'};
			throw new Error(`client-node's KubeConfig imports ${path}, which it did not: bundle or replace it`);
		});
		onLoad({filter: /.*/, namespace: 'beside KubeConfig'}, ({path}) => ({
			resolveDir: root,
			contents: besidesKubeConfig[path] ?? '',
		}));
	},
};

/** undici as its own index.js exports it, but for `fetch`, caches and mocks: a third of it, which every command would load. */
const onlyDispatchers: Plugin = {
	name: 'only dispatchers',
	setup: ({onResolve, onLoad}) => {
		onResolve({filter: /^undici$/}, ({path}) => ({path, namespace: 'dispatchers'}));
		onLoad({filter: /.*/, namespace: 'dispatchers'}, () => ({
			resolveDir: root,
			contents: `
				Object.assign(require('undici/lib/dispatcher/dispatcher').prototype, require('undici/lib/api'));
				exports.Agent = require('undici/lib/dispatcher/agent');
				// Loaded where one is used.
				Object.defineProperty(exports, 'ProxyAgent', {
					get: () => require('undici/lib/dispatcher/proxy-agent'),
				});
			`,
		}));
		// Node's HTTP/2 takes as long as the rest of a start: it is loaded once a server speaks it.
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

/** What the bundle is made without. */
export const trimmedDependencies: Plugin[] = [givenManifest, onlyKubeConfig, onlyDispatchers];
