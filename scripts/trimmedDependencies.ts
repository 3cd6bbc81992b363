import {isBuiltin} from 'node:module';
import {join} from 'node:path';
import type {Plugin} from 'rolldown';

// What four dependencies load at each start, and this program never uses; and what ink works out anew for each frame. Each
// part stands here with what it saves, in docs/dependencies.md with the numbers, and fails the build where the dependency
// has changed.

const root = join(import.meta.dirname, '..');

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
	// What KubeConfig is given has passed our parser of YAML, and is JSON.
	'js-yaml': 'export const load = JSON.parse;',
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

/** undici as its own index.js exports it, but for `fetch`, caches and mocks: a third of it, which every command would load. */
const onlyDispatchers = `
	Object.assign(require('undici/lib/dispatcher/dispatcher').prototype, require('undici/lib/api'));
	exports.Agent = require('undici/lib/dispatcher/agent');
	// Loaded where one is used.
	Object.defineProperty(exports, 'ProxyAgent', {get: () => require('undici/lib/dispatcher/proxy-agent')});
`;

/** What is loaded by every command, or done for every frame, and need not be. */
const cuts: readonly {readonly file: RegExp; readonly from: string; readonly to: string}[] = [
	// meow checks a package.json, though ours is given: that takes as long as the rest of it, and has the names of all licences.
	{file: /meow\/build\/dependencies\.js$/, from: '= requireNormalize();', to: '= () => undefined;'},
	// Node's HTTP/2 takes as long as the rest of a start: it is loaded once a server speaks it.
	{
		file: /undici\/lib\/dispatcher\/client\.js$/,
		from: "const connectH2 = require('./client-h2.js')",
		to: "const connectH2 = (...args) => require('./client-h2.js')(...args)",
	},
	// Yoga fetches its own WebAssembly, which stands in it as base64: for that Node.js loads all that `fetch` takes.
	{
		file: /yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/,
		from: `fetch(H,{credentials:"same-origin"}).then(function(a){if(!a.ok)throw"failed to load wasm binary file at '"+H+"'";return a.arrayBuffer()})`,
		to: 'Promise.resolve(Buffer.from(H.slice(37),"base64"))',
	},
	// ink takes each row apart, letter by letter, and forgets it with the frame: most rows of the next one are the same. Rows
	// that change each second fill what it keeps with old ones, some 30 KB each, so now and then it begins anew.
	{
		file: /ink\/build\/output\.js$/,
		from: 'caches = new OutputCaches();',
		to: 'caches = (Output.caches = Output.caches?.styledChars.size < 300 ? Output.caches : new OutputCaches());',
	},
	// It begins each frame with a new object for each cell of the screen, and puts all rows together, also those that are the
	// same: a row whose cells all are those of the frame before is the text that it was.
	{
		file: /ink\/build\/output\.js$/,
		from: `const row = [];
            for (let x = 0; x < this.width; x++) {
                row.push({
                    type: 'char',
                    value: ' ',
                    fullWidth: false,
                    styles: [],
                });
            }`,
		to: `const row = Array(this.width).fill(this.caches.empty ??= {type: 'char', value: ' ', fullWidth: false, styles: []});`,
	},
	{
		file: /ink\/build\/output\.js$/,
		from: 'const generatedOutput = output\n            .map(line => {',
		to: `const generatedOutput = output
            .map((line, y) => {
            const last = (this.caches.drawn ??= [])[y];
            if (last?.line.length === line.length && line.every((cell, x) => cell === last.line[x])) return last.text;`,
	},
	{
		file: /ink\/build\/output\.js$/,
		from: 'return styledCharsToString(lineWithoutEmptyItems).trimEnd();',
		to: `const text = styledCharsToString(lineWithoutEmptyItems).trimEnd();
            this.caches.drawn[y] = {line, text};
            return text;`,
	},
	// It takes each text apart into letters, and puts them together to rows, to take these apart in turn.
	{
		file: /ink\/build\/output\.js$/,
		from: 'blockWidths = new Map();',
		to: 'blockWidths = new Map(); rows = new Map();',
	},
	{
		file: /ink\/build\/output\.js$/,
		from: 'for (const character of this.caches.getStyledChars(text)) {',
		to: 'for (const character of this.caches.rows.has(text) ? [] : this.caches.getStyledChars(text)) {',
	},
	{
		file: /ink\/build\/output\.js$/,
		from: 'let lines = characterLines.map(line => styledCharsToString(line));',
		to: `if (!this.caches.rows.has(text)) this.caches.rows.set(text, characterLines.map(line => styledCharsToString(line)));
        let lines = this.caches.rows.get(text);`,
	},
	// It measures each text anew in each frame, and writes a frame in three pieces, each of which the terminal is given by itself.
	{
		file: /ink\/build\/render-node-to-output\.js$/,
		from: 'const currentWidth = widestLine(text);',
		to: 'const currentWidth = output.caches.getWidestLine(text);',
	},
	{
		file: /ink\/build\/ink\.js$/,
		from: `                const shouldSync = this.shouldSync();
                if (shouldSync && shouldWrite) {
                    this.options.stdout.write(bsu);
                }
                this.log(output);
                if (shouldSync && shouldWrite) {
                    this.options.stdout.write(esu);
                }`,
		to: `                const shouldSync = this.shouldSync();
                this.options.stdout.cork();
                if (shouldSync && shouldWrite) {
                    this.options.stdout.write(bsu);
                }
                this.log(output);
                if (shouldSync && shouldWrite) {
                    this.options.stdout.write(esu);
                }
                this.options.stdout.uncork();`,
	},
	// It also reads the codes of each row anew in each frame, and how the colours of two letters differ.
	{
		file: /ink\/build\/sanitize-ansi\.js$/,
		from: 'export default sanitizeAnsi;',
		to: `import QuickLRU from 'quick-lru';
const known = new QuickLRU({maxSize: 500});
export default (text) => known.get(text) ?? (known.set(text, sanitizeAnsi(text)), known.get(text));`,
	},
	{
		file: /ansi-tokenize\/build\/styledChars\.js$/,
		from: 'import { diffAnsiCodes } from "./diff.js";',
		to: `import { diffAnsiCodes as differ } from "./diff.js";
const known = new Map();
const codesOf = (styles) => styles.map(({ code }) => code).join("");
function diffAnsiCodes(from, to) {
    const key = codesOf(from) + "\\n" + codesOf(to);
    if (!known.has(key)) known.set(key, differ(from, to));
    return known.get(key);
}`,
	},
];

/** The text of a module without what need not be; undefined where nothing is cut. */
export function trimmedModule(code: string, path: string): string | undefined {
	const its = cuts.filter(({file}) => file.test(path));
	if (its.length === 0) return undefined;
	return its.reduce((text, {from, to}) => {
		if (!text.includes(from)) throw new Error(`${path} does not hold ${from} any more`);
		return text.replace(from, to);
	}, code);
}

/** The path of what stands in for a module: it imports as if it lay in the project's folder. */
const besidesPath = (name: string): string => join(root, `instead of ${name.replaceAll(/\W+/g, ' ')}.js`);
const dispatchersPath = join(root, 'instead of undici.cjs');

const standIns = new Map([
	...Object.entries(besidesKubeConfig).map(([name, text]) => [besidesPath(name), text] as const),
	[dispatchersPath, onlyDispatchers],
]);

const imported = /^import (?:\* as )?([\w$]+)?(?:, )?(\{.*\})? from "(.+)";$/gm;

/**
 * A module that takes what it needs of Node.js itself from an object. An import has Node.js ask its module for all that it
 * exports first: of `fs` and `util` that loads 34 further ones, which few commands need.
 */
export const withBuiltinObjects = (code: string): string =>
	code.replaceAll(imported, (line, whole?: string, names?: string, module = '') =>
		isBuiltin(module)
			? [whole, names?.replaceAll(' as ', ': ')]
					.flatMap((bound) => bound ?? [])
					.map((bound) => `const ${bound} = process.getBuiltinModule("${module}");`)
					.join('')
			: line,
	);

/**
 * The bundle is made without these parts. Of client-node it holds the class `KubeConfig`, and what that needs to load, merge
 * and choose: 26 KB of two and a half megabytes.
 */
export const trimmedDependencies: Plugin = {
	name: 'trimmed dependencies',
	resolveId(name, importer) {
		const isOfKubeConfig = importer?.endsWith('client-node/dist/config.js') === true;
		if (isOfKubeConfig && !withKubeConfig.has(name)) {
			if (name in besidesKubeConfig) return besidesPath(name);
			throw new Error(`client-node's KubeConfig imports ${name}, which it did not: bundle or replace it`);
		}
		return name === 'undici' ? dispatchersPath : undefined;
	},
	load: (path) => standIns.get(path),
	transform: trimmedModule,
	renderChunk: withBuiltinObjects,
};
