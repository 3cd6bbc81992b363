import {isBuiltin} from 'node:module';
import {join} from 'node:path';
import type {Plugin} from 'rolldown';

// Removes code that four dependencies load at each start and this program never uses, and lets ink reuse results that it
// computes for each frame. Each part names here what it saves (numbers: docs/developing.md), and fails the build if the
// dependency has changed.

const root = join(import.meta.dirname, '..');

/** Replacements for the imports of client-node's `config.js`; only `KubeConfig` is used, and it sends no requests. */
const besidesKubeConfig: Readonly<Record<string, string>> = {
	// All API classes, auth providers, proxies and clients: our own transport sends requests with our own credentials.
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
	// KubeConfig's input has passed our YAML parser, and is JSON.
	'js-yaml': 'export const load = JSON.parse;',
	'../package.json': "export default {version: ''};",
};

/** Its imports that are bundled with it. */
const withKubeConfig = new Set([
	'./config_types.js',
	'node:child_process',
	'node:fs',
	'node:net',
	'node:path',
]);

/** undici's index.js without `fetch`, caches and mocks, a third of it, which every command would load. */
const onlyDispatchers = `
	Object.assign(require('undici/lib/dispatcher/dispatcher').prototype, require('undici/lib/api'));
	exports.Agent = require('undici/lib/dispatcher/agent');
	exports.Pool = require('undici/lib/dispatcher/pool');
	exports.buildConnector = require('undici/lib/core/connect');
	// Loaded where one is used.
	Object.defineProperty(exports, 'ProxyAgent', {get: () => require('undici/lib/dispatcher/proxy-agent')});
	Object.defineProperty(exports, 'Socks5ProxyAgent', {get: () => require('undici/lib/dispatcher/socks5-proxy-agent')});
`;

/** Code that every command loads or every frame runs without need. */
const cuts: readonly {readonly file: RegExp; readonly from: string; readonly to: string}[] = [
	// meow checks a package.json even if one is given: that takes as long as the rest of it, and loads all licences' names.
	{file: /meow\/build\/dependencies\.js$/, from: '= requireNormalize();', to: '= () => undefined;'},
	// Node's HTTP/2 takes as long to load as everything else at a start, so it is loaded once a server uses it.
	{
		file: /undici\/lib\/dispatcher\/client\.js$/,
		from: "const connectH2 = require('./client-h2.js')",
		to: "const connectH2 = (...args) => require('./client-h2.js')(...args)",
	},
	// Yoga calls `fetch` for its own WebAssembly, which is inlined as base64: Node.js would load all of `fetch` for it.
	{
		file: /yoga-layout\/dist\/binaries\/yoga-wasm-base64-esm\.js$/,
		from: `fetch(H,{credentials:"same-origin"}).then(function(a){if(!a.ok)throw"failed to load wasm binary file at '"+H+"'";return a.arrayBuffer()})`,
		to: 'Promise.resolve(Buffer.from(H.slice(37),"base64"))',
	},
	// ink splits each row into letters, and drops the result with the frame, though most rows stay the same. Rows that change
	// each second fill the cache with old entries of some 30 KB each, so a large cache is reset.
	{
		file: /ink\/build\/output\.js$/,
		from: 'caches = new OutputCaches();',
		to: 'caches = (Output.caches = Output.caches?.styledChars.size < 300 ? Output.caches : new OutputCaches());',
	},
	// ink starts each frame with a new object for each cell of the screen, and joins all rows again. A row whose cells all
	// equal those of the previous frame keeps its text.
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
	// ink splits each text into letters, and joins them to rows only to split these again.
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
	// In each frame, ink measures every text again, and writes the frame in three pieces.
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
	// ink remembers the sizes and breaks of the last 8,000 texts, each half a kilobyte long. A screen has a hundred.
	...['measure-text', 'wrap-text'].map((name) => ({
		file: new RegExp(`ink/build/${name}\\.js$`),
		from: 'new QuickLRU({ maxSize: 4096 })',
		to: 'new QuickLRU({ maxSize: 200 })',
	})),
	// ink looks for the end of what two rows share letter by letter, unless both are ASCII: so do the screen's own signs, each of
	// which is a letter of one column.
	{
		file: /ink\/build\/line-update\.js$/,
		from: 'const printableAscii = /^[ -~]*$/u;',
		to: 'const printableAscii = /^[ -~·×–…←-↓─-▟■●○◐▸✓]*$/u;',
	},
	// For each row of each frame, ink also parses the codes again and computes how the colours of two letters differ.
	{
		file: /ink\/build\/sanitize-ansi\.js$/,
		from: 'export default sanitizeAnsi;',
		to: `import QuickLRU from 'quick-lru';
const known = new QuickLRU({maxSize: 200});
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
}
const cells = new Map();
const cellsIn = (codes) => cells.get(codesOf(codes)) ?? (cells.set(codesOf(codes), new Map()), cells.get(codesOf(codes)));`,
	},
	// ink makes an object and a list of its colours for each letter of each row, and rows are kept. Equal letters of all rows
	// are one object.
	{
		file: /ansi-tokenize\/build\/styledChars\.js$/,
		from: 'let codes = [];',
		to: 'let codes = [], known = cellsIn([]);',
	},
	{
		file: /ansi-tokenize\/build\/styledChars\.js$/,
		from: 'codes = reduceAnsiCodesIncremental(codes, [token]);',
		to: 'codes = reduceAnsiCodesIncremental(codes, [token]), known = cellsIn(codes);',
	},
	{
		file: /ansi-tokenize\/build\/styledChars\.js$/,
		from: `ret.push({
                ...token,
                styles: [...codes],
            });`,
		to: `if (!known.has(token.value)) known.set(token.value, {...token, styles: codes});
            ret.push(known.get(token.value));`,
	},
];

/** `string-width` takes apart letter by letter each line with a sign that is not ASCII, and nearly all lines have one. */
export const aliases: Readonly<Record<string, string>> = {'string-width': 'fast-string-width'};

/** A module's text without the cuts; undefined if nothing is cut. */
export function trimmedModule(code: string, path: string): string | undefined {
	const its = cuts.filter(({file}) => file.test(path));
	if (its.length === 0) return undefined;
	return its.reduce((text, {from, to}) => {
		if (!text.includes(from)) throw new Error(`${path} does not hold ${from} any more`);
		return text.replace(from, to);
	}, code);
}

/** The path of a module's replacement; its imports resolve as if it were in the project's folder. */
const besidesPath = (name: string): string => join(root, `instead of ${name.replaceAll(/\W+/g, ' ')}.js`);
const dispatchersPath = join(root, 'instead of undici.cjs');

const standIns = new Map([
	...Object.entries(besidesKubeConfig).map(([name, text]) => [besidesPath(name), text] as const),
	[dispatchersPath, onlyDispatchers],
]);

const imported = /^import ([^;"']+) from ["']([^"']+)["'];?$/gm;
const bindings = /^(?:\* as )?([\w$]+)?(?:, )?(\{.*\})?$/s;

/**
 * Replaces imports of Node.js modules by `process.getBuiltinModule`. An import evaluates everything that the module exports:
 * for `fs` and `util` that loads 34 further modules, which few commands need.
 */
export const withBuiltinObjects = (code: string): string =>
	code.replaceAll(imported, (line, bound: string, module: string) => {
		if (!isBuiltin(module)) return line;
		const [isKnown, whole, names] = bindings.exec(bound) ?? [];
		if (isKnown === undefined || /\bdefault as\b/.test(bound))
			throw new Error(`the bundler imports Node.js' modules in a new way: ${line}`);
		// A module may import `process` itself by that name.
		return [whole, names?.replaceAll(' as ', ': ')]
			.flatMap((target) => target ?? [])
			.map((target) => `const ${target} = globalThis.process.getBuiltinModule("${module}");`)
			.join('');
	});

/**
 * A plugin that bundles without these parts. Of client-node it keeps the class `KubeConfig` and the code that it needs to
 * load, merge and choose: 26 KB of two and a half megabytes.
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
