import {globSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';

// What each folder may import besides itself: folders by path, packages by name. The rule and its
// documentation are one table; a folder without a row fails, so a new layer is decided in the open.
const model = ['src/core/collections', 'src/core/time', 'src/core/model'];
/** What forecasts are made of, as others see them; how they are written, and how making them pauses. */
const forecastTypes = [
	'podForecast',
	'nodeForecast',
	'zoneForecast',
	'range',
	'shutdownRange',
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
	// How text is made harmless: for every layer.
	'src/text': [],
	// Times that people read and write, by the library for them: for every layer but the core, which shows nothing.
	'src/dates': ['src/core/collections', 'src/core/time', 'date-fns', '@date-fns/tz'],
	// What maps and sorted lists are asked everywhere.
	'src/core/collections': [],
	'src/core/time': ['src/core/collections'],
	// What is told of a cluster is objects of the model, and what its kubelets measure.
	'src/core/model/observation.ts': [...model, 'src/core/nodepressure'],
	'src/core/model': ['src/core/collections', 'src/core/time'],
	// Label and field selectors: of a command line, of the dashboard, and of the demo's API server.
	'src/core/selector': [],
	'src/core/client': model,
	'src/core/nodelifecycle': [...model, 'src/core/client'],
	'src/core/tainteviction': [...model, 'src/core/client'],
	'src/core/devicetainteviction': [...model, 'src/core/client'],
	'src/core/podgc': [...model, 'src/core/client'],
	'src/core/nodeshutdown': model,
	'src/core/nodepressure': [...model, 'src/core/nodeshutdown'],
	// Who deletes or replaces unhealthy nodes.
	'src/core/noderepair': model,
	'src/core/simulation': ['src/core'],
	// The one copy of what the API showed.
	'src/store': ['src/core'],
	// A forecast is made in four stages, and none knows the next: what was seen, the hidden state that follows of it, what
	// that leads to, and what is said of it.
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
	// Waiting, retrying, and doing several things at once.
	'src/async': ['src/core', 'node:'],
	'src/cluster/codec': [...io, '@bufbuild/protobuf'],
	'src/cluster/access': [...io, 'src/cluster/codec', 'yaml'],
	'src/cluster/transport': [...io, 'src/cluster/codec', 'src/cluster/access', 'undici'],
	'src/cluster/controlplane': [...io, 'src/cluster/codec', 'src/cluster/access', 'src/cluster/transport'],
	'src/cluster/workloads': [...io, 'src/cluster/codec', 'src/cluster/transport'],
	'src/cluster/kubelet': [...io, 'src/cluster/codec', 'src/cluster/transport'],
	'src/cluster/watch': [...io, 'src/cluster/codec', 'src/cluster/transport', 'src/cluster/controlplane'],
	'src/cluster': io,
	'src/recording': ['src/core', 'src/async', 'src/store', 'src/cluster', 'yaml', 'node:'],
	// API objects; the world that writes them, with the store that etcd is to it; and the server that reads that store.
	'src/demo/encode': ['src/core'],
	'src/demo/world': ['src/core', 'src/demo/encode', 'node:'],
	'src/demo/apiserver': ['src/core', 'src/demo/encode', 'src/demo/world', 'node:'],
	'src/demo': ['src/core', 'node:'],
	'src/live': ['src/core', 'src/async', 'src/forecast', 'node:'],
	// From the source to whoever shows forecasts: the one way through all of it.
	'src/session': [
		'src/core',
		'src/async',
		'src/store',
		'src/forecast',
		'src/impact',
		'src/live',
		'src/cluster',
	],
	// A report is words about an outage, as tables are: it prints what forecasts said and what came of it.
	'src/report': ['src/core', 'src/store', 'src/forecast', 'src/print'],
	// Metrics are made of the view alone, by the library that knows Prometheus' formats.
	'src/shadow/metrics': [...shadowView, 'prom-client', 'node:'],
	// One way of logging for all parts of the shadow; what reaches a terminal is escaped as everywhere.
	'src/shadow/log.ts': ['src/core', 'src/print'],
	// Serves metrics that others make, health, and a page of the kind that a report is, with the columns of the tables on
	// a terminal.
	'src/shadow/http': [...shadowView, 'src/print', 'src/report', 'node:'],
	'src/shadow': ['src/core', 'src/store', 'src/forecast'],
	'src/print': ['src/core', 'src/forecast', 'src/impact', 'yaml'],
	// What is shown, how it looks, the tables of it, what keys do to the state, how that is drawn, and the whole.
	'src/ui/scene': shown,
	'src/ui/theme': [...shown, 'src/ui/scene', 'string-width'],
	'src/ui/views': [...shown, 'src/ui/scene', 'src/ui/theme'],
	'src/ui/state': [...shown, 'src/ui/scene', 'src/ui/theme', 'src/ui/views'],
	'src/ui/components': [
		...shown,
		...['scene', 'theme', 'views', 'state'].map((folder) => `src/ui/${folder}`),
		...['ink', 'react'],
	],
	'src/ui/app': [...shown, 'src/ui', 'ink', 'react', 'node:'],
	// A command line in kubectl's grammar, as options, with what the user has configured: it knows no command by itself.
	'cmd/args': [
		...['src/core', 'src/dates', 'src/shadow/log.ts', 'src/ui/state/config.ts'],
		...['meow', 'yaml', 'node:', 'package.json'],
	],
	// What commands read from, before how they print it.
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
