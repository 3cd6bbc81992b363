import {globSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';

// The allowed imports of each folder, besides itself: folders by path, packages by name. The rule and its documentation are one
// table; a folder without a row fails, so a new layer is an explicit decision.
const model = ['src/core/collections', 'src/core/time', 'src/core/model'];
/** The types of forecasts for other layers; how forecasts are written, and how their computation is sliced. */
const forecastTypes = [
	'podForecast',
	'podEnd',
	'nodeForecast',
	'zoneForecast',
	'range',
	'readyAgain',
	'shutdownRange',
	'verdict',
	'forecast',
	'lowPoint',
	'pausable',
	'words',
].map((name) => `src/forecast/${name}.ts`);
const pressureType = 'src/forecast/pressure/pressureForecast.ts';
const observe = ['src/core', 'src/store', ...forecastTypes];
const infer = [...observe, 'src/forecast/observe'];
const simulate = [...infer, 'src/forecast/infer'];
const conclude = [...simulate, 'src/forecast/simulate', pressureType];
const io = ['src/core', 'src/async', '@kubernetes/client-node', 'node:'];
const shadowView = ['src/shadow', 'src/core', 'src/forecast'];
const shown = ['src/core', 'src/forecast', 'src/impact', 'src/print'];
const mayImport: Readonly<Record<string, readonly string[]>> = {
	// Makes text harmless; for every layer.
	'src/text/yaml.ts': ['yaml'],
	'src/text': [],
	// Times for input and output, by the date library; for every layer except the core, which has no output.
	'src/dates': ['src/core/collections', 'src/core/time', 'date-fns', '@date-fns/tz'],
	// Common functions for maps and sorted lists.
	'src/core/collections': [],
	'src/core/time': ['src/core/collections'],
	// Observations contain objects of the model, and kubelets' measurements.
	'src/core/model/observation.ts': [...model, 'src/core/nodepressure'],
	'src/core/model': ['src/core/collections', 'src/core/time'],
	// Label and field selectors, for command lines, the dashboard, and the demo's API server.
	'src/core/selector': [],
	'src/core/client': model,
	'src/core/nodelifecycle': [...model, 'src/core/client'],
	'src/core/tainteviction': [...model, 'src/core/client'],
	'src/core/devicetainteviction': [...model, 'src/core/client'],
	'src/core/podgc': [...model, 'src/core/client'],
	'src/core/nodeshutdown': model,
	// What workloads do next, by the rules of their controllers.
	'src/core/workloads': model,
	'src/core/nodepressure': [...model, 'src/core/nodeshutdown'],
	// Controllers that delete or replace unhealthy nodes.
	'src/core/noderepair': model,
	'src/core/simulation': ['src/core'],
	// The only copy of the observed API objects.
	'src/store': ['src/core'],
	// A forecast is made in four stages, each of which may not import the next: observations, the inferred hidden state, its
	// simulated consequences, and the conclusions.
	...Object.fromEntries(forecastTypes.map((file) => [file, ['src/core', ...forecastTypes, pressureType]])),
	'src/forecast/observe': observe,
	'src/forecast/infer': infer,
	'src/forecast/simulate': simulate,
	'src/forecast/conclude': conclude,
	'src/forecast/settings': simulate,
	'src/forecast/pressure': infer,
	'src/forecast/explain': [
		...conclude,
		'src/forecast/conclude',
		'src/forecast/pressure',
		'src/forecast/settings',
	],
	'src/forecast/whatif': [...conclude, 'src/forecast/conclude', 'src/forecast/pressure'],
	'src/forecast/ledger': [...observe, 'src/forecast/observe'],
	'src/forecast': ['src/core', 'src/store'],
	'src/impact': ['src/core', 'src/forecast'],
	// Waiting, retrying, and concurrency.
	'src/async': ['src/core', 'node:'],
	'src/cluster/codec': [...io, '@bufbuild/protobuf'],
	'src/cluster/access': [...io, 'src/cluster/codec'],
	'src/cluster/transport': [...io, 'src/cluster/codec', 'src/cluster/access', 'undici'],
	'src/cluster/controlplane': [...io, 'src/cluster/codec', 'src/cluster/access', 'src/cluster/transport'],
	'src/cluster/workloads': [...io, 'src/cluster/codec', 'src/cluster/transport'],
	'src/cluster/kubelet': [...io, 'src/cluster/access', 'src/cluster/codec', 'src/cluster/transport'],
	'src/cluster/watch': [...io, 'src/cluster/codec', 'src/cluster/transport', 'src/cluster/controlplane'],
	'src/cluster': io,
	'src/recording': ['src/core', 'src/async', 'src/store', 'src/cluster', 'js-yaml', 'node:'],
	// API objects, by the encoder of recordings; the world that writes them, with its store in place of etcd; and the server that reads that store.
	'src/demo/encode': ['src/core', 'src/cluster/codec'],
	'src/demo/world': ['src/core', 'src/cluster/kubelet', 'src/demo/encode', 'node:'],
	'src/demo/apiserver': ['src/core', 'src/cluster/codec', 'src/demo/encode', 'src/demo/world', 'node:'],
	'src/demo': ['src/core', 'node:'],
	'src/live': ['src/core', 'src/async', 'src/forecast', 'node:'],
	// From the source to all users of forecasts: the only path through all layers.
	'src/session': [
		'src/core',
		'src/async',
		'src/store',
		'src/forecast',
		'src/impact',
		'src/live',
		'src/cluster',
	],
	// A report formats an outage as text, as tables do: it prints forecasts and their results.
	'src/report': ['src/core', 'src/store', 'src/forecast', 'src/print'],
	// Metrics come only from the view, through the library for Prometheus' formats.
	'src/shadow/metrics': [...shadowView, 'src/async', 'prom-client', 'node:'],
	// One logger for all parts of the shadow; terminal output is escaped as everywhere.
	'src/shadow/log.ts': ['src/core', 'src/print'],
	// Serves given metrics, health, and a page with the columns of the terminal's tables.
	'src/shadow/http': [...shadowView, 'src/print', 'src/report', 'node:'],
	'src/shadow': ['src/core', 'src/store', 'src/forecast'],
	'src/print': ['src/core', 'src/forecast', 'src/impact', 'yaml'],
	// Scenes, their styles, their tables, the effects of keys on the state, the rendering, and the whole app.
	'src/ui/scene': shown,
	'src/ui/theme': [...shown, 'src/ui/scene', 'fast-string-width'],
	'src/ui/views': [...shown, 'src/ui/scene', 'src/ui/theme'],
	'src/ui/state': [...shown, 'src/ui/scene', 'src/ui/theme', 'src/ui/views'],
	'src/ui/components': [
		...shown,
		...['scene', 'theme', 'views', 'state'].map((folder) => `src/ui/${folder}`),
		...['ink', 'react'],
	],
	'src/ui/app': [...shown, 'src/ui', 'src/async/endingSignals.ts', 'ink', 'react', 'node:'],
	// Parses command lines in kubectl's grammar into options, with the user's configuration; independent of the commands.
	'cmd/args': [
		...['src/core', 'src/async', 'src/dates', 'src/shadow/log.ts', 'src/ui/state/config.ts'],
		...['meow', 'node:', 'package.json'],
	],
	// The commands' inputs, separate from their output.
	'cmd/sources': ['src', 'cmd/args', 'node:', 'yaml'],
	'cmd/output': ['src', 'cmd/args', 'node:', 'yaml'],
	'cmd/lists': ['src', 'cmd/args', 'cmd/sources', 'cmd/output', 'node:', 'yaml'],
	cmd: ['src', 'node:', 'yaml'],
};

const importSpecifier = /^\s*(?:import\b[^'"]*|export\b[^'"]*\bfrom )'([^']+)'|\bimport\('([^']+)'\)/gm;

function importsOf(file: string): string[] {
	const specifiers = [...readFileSync(file, 'utf8').matchAll(importSpecifier)].flatMap(
		([, a, b]) => a ?? b ?? [],
	);
	return specifiers.map((name) => (name.startsWith('.') ? join(dirname(file), name) : name));
}

const isWithin = (target: string, prefix: string) =>
	target === prefix || target.startsWith(prefix.endsWith(':') ? prefix : `${prefix}/`);

test.for(globSync('{src,cmd}/**/*.{ts,tsx}'))('%s imports only what its layer may', (file) => {
	const layer = Object.keys(mayImport).find((folder) => isWithin(file, folder));
	expect(layer, `no row for ${file}`).toBeDefined();
	const shared = file.startsWith('src/core/') ? ['src/text'] : ['src/text', 'src/dates'];
	const allowed = [layer ?? '', ...shared, ...(mayImport[layer ?? ''] ?? [])];
	expect(importsOf(file).filter((target) => !allowed.some((prefix) => isWithin(target, prefix)))).toEqual([]);
});

test('no files import each other in a circle, types included', () => {
	const imports = new Map(
		globSync('{src,cmd,test,scripts}/**/*.{ts,tsx}').map((file) => [file, importsOf(file)]),
	);
	const circles: string[] = [];
	const isDone = new Set<string>();
	const visit = (file: string, path: readonly string[]) => {
		if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
		if (isDone.has(file) || path.includes(file)) return;
		for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
		isDone.add(file);
	};
	for (const file of imports.keys()) visit(file, []);
	expect(circles).toEqual([]);
});

test('the core is deterministic: randomness comes in as a seed', () => {
	const random = globSync('src/core/**/*.ts').filter((file) =>
		/\bMath\.random\b/.test(readFileSync(file, 'utf8')),
	);
	expect(random).toEqual([]);
});

test('nothing names a path outside the checkout or a package registry', () => {
	const offenders = globSync('{src,cmd,test,scripts}/**/*.{ts,tsx,go,sh}').filter(
		(file) =>
			file !== 'test/layering.test.ts' && /\.\.\/shared|\/work\/|\/root\//.test(readFileSync(file, 'utf8')),
	);
	expect(offenders).toEqual([]);
});

test('no comment is empty', () => {
	const empty = globSync('{src,cmd,test,scripts}/**/*.{ts,tsx}').filter((file) =>
		/\/\*\*\s*\*\//.test(readFileSync(file, 'utf8')),
	);
	expect(empty).toEqual([]);
});
