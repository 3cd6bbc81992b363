import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, test} from 'vitest';
import {parse} from 'yaml';
import type {OutputFormat} from '../../cmd/args/outputFormat.ts';
import {commands, type KnownCommand} from '../../cmd/commands/commandTable.ts';
import {run} from '../../cmd/run.ts';
import {schemaFolder, schemas} from '../../scripts/schemas.ts';
import {scenarios} from '../../src/demo/world/scenarios.ts';
import {isDeep} from '../support/drawn.ts';
import {type OutageDump, outageDumps} from '../support/outageDumps.ts';
import {flawsOf} from '../support/schemaCheck.ts';
import {testFolder} from '../support/testFolder.ts';
import {printedBy} from './printed.ts';

const {path: folder} = testFolder();

/** Outages of many nodes take long to forecast, and print nothing new: only a deep run plays them. */
const large: readonly string[] = ['large-cluster', 'partial-large-zone'];
const walked = scenarios.map(({name}) => name).filter((name) => isDeep || !large.includes(name));

let dumps: readonly OutageDump[] = [];
beforeAll(() => {
	dumps = outageDumps(folder, walked);
	writeFileSync(join(folder, 'columns'), 'KIND\n.kind\n');
}, 600_000);

/** Command lines of one command that cover all its output; a dump is added to them. */
type Call = {readonly line: readonly string[]; readonly schema?: string; readonly readsNothing?: true};

const explained = ['pod/cart-0', 'pod/cart-1', 'node/b1', 'node/b2', 'zone/eu/b'];

// The first test fails if a command that prints documents is missing here.
const calls: Readonly<Partial<Record<KnownCommand, readonly Call[]>>> = {
	pods: [{line: ['pods', '-A', '--all']}, {line: ['pods']}],
	nodes: [{line: ['nodes']}],
	zones: [{line: ['zones']}],
	events: [{line: ['events', '-A']}],
	explain: [{line: ['explain', ...explained, '-n', 'shop']}],
	settings: [
		{line: ['settings']},
		{line: ['settings', '--check', '--want', '2m']},
		{line: ['settings', '--check']},
	],
	'what-if': [
		{line: ['what-if', '--controller-restart=+1m']},
		{line: ['what-if', '--how-many-more']},
		{line: ['what-if', '--each-zone']},
		{line: ['what-if', '--drain=b1']},
	],
	rescue: [{line: ['rescue']}, {line: ['rescue', '-n', 'shop']}],
	status: [{line: ['status']}],
	workloads: [{line: ['workloads', '-A']}],
	version: [{line: ['version', '--client'], schema: 'version', readsNothing: true}],
};

async function print({line, readsNothing}: Call, dump: OutageDump, output: string) {
	const from = readsNothing ? [] : ['-f', dump.file, '--at', dump.at];
	return printedBy((terminal) => run([...line, ...from, ...(output === '' ? [] : ['-o', output])], terminal));
}

/** These need several clusters, kubelets or recordings, or do not end: their own tests check their JSON against its schema. */
const others: readonly KnownCommand[] = ['clusters', 'pressure', 'replay', 'report', 'shadow'];

test('every command that prints documents is walked here', () => {
	const printing = commands.names.filter((name) => commands.of(name).outputs.length > 0);
	expect([...Object.keys(calls), ...others].toSorted()).toEqual(printing.toSorted());
});

const allCalls = Object.values(calls).flat();

/** Which calls are made for an outage, and with which of its two dumps; a quick run makes a quarter of them, in rotation. */
const turnOf = (scenario: string, call: Call) => walked.indexOf(scenario) + allCalls.indexOf(call);
const callsOf = (scenario: string) => allCalls.filter((call) => isDeep || turnOf(scenario, call) % 4 === 0);
const dumpsFor = (scenario: string, call: Call): readonly OutageDump[] =>
	dumps
		.filter((one) => one.scenario === scenario)
		.filter((_, index) => isDeep || (turnOf(scenario, call) / 4 + index) % 2 === 0);

describe.for(walked)('%s', (scenario) => {
	test.for(callsOf(scenario))('$line -o json keeps the schema', async (call) => {
		const chosen = dumpsFor(scenario, call);
		expect(chosen.length).toBeGreaterThan(0);
		for (const dump of chosen) {
			const {out} = await print(call, dump, 'json');
			expect(flawsOf(JSON.parse(out), call.schema)).toEqual([]);
		}
	});
});

const example = 'partial-small-zone';
const exampleDump = (): OutageDump => dumps.find(({scenario}) => scenario === example) as OutageDump;
const rowsOf = (out: string) => out.split('\n').filter(Boolean);

/** The JSON of each call, to which all other formats are compared. */
const jsonOf = new Map<Call, string>();

async function printJson(call: Call): Promise<string> {
	const json = jsonOf.get(call) ?? (await print(call, exampleDump(), 'json')).out;
	jsonOf.set(call, json);
	return json;
}

/** What each format must print, derived from the JSON of the same call. */
const checks: Readonly<
	Record<
		Exclude<OutputFormat, 'table' | 'markdown'>,
		(print: (output: string) => Promise<string>, json: Json) => Promise<void>
	>
> = {
	json: async (print, json) => expect(JSON.parse(await print('json'))).toEqual(json),
	yaml: async (print, json) => expect(parse(await print('yaml'), {version: '1.1'})).toEqual(json),
	kyaml: async (print, json) => expect(parse(await print('kyaml'), {version: '1.1'})).toEqual(json),
	jsonpath: async (print, json) => expect(JSON.parse(await print('jsonpath={@}'))).toEqual(json),
	'jsonpath-as-json': async (print, json) =>
		expect(JSON.parse(await print('jsonpath-as-json={@}'))).toEqual([json]),
	'jsonpath-file': async (print, json) => {
		writeFileSync(join(folder, 'jsonpath'), '{.kind}{"\\n"}');
		expect(await print(`jsonpath-file=${join(folder, 'jsonpath')}`)).toBe(`${json.kind ?? ''}\n`);
	},
	'custom-columns': async (print, json) => {
		const rows = rowsOf(await print('custom-columns=K:.kind,N:.metadata.name'));
		expect(rows.slice(1)).toEqual(
			(json.items ?? [json]).map(({kind, metadata}) => `${kind}   ${metadata?.name ?? '<none>'}`),
		);
	},
	'custom-columns-file': async (print, json) => {
		const rows = rowsOf(await print(withArgument['custom-columns-file'] ?? ''));
		expect(rows).toEqual(['KIND', ...(json.items ?? [json]).map(({kind}) => kind)]);
	},
	name: async (print, json) => expect(rowsOf(await print('name'))).toHaveLength(json.items?.length ?? 0),
	wide: async (print, json) => {
		// Settings of a specific release follow the list as a separate table.
		const [list = ''] = (await print('wide')).split('\n\n');
		const first = json.items ? list : await print('wide');
		const [narrow, wide] = [rowsOf(await print('')), rowsOf(first)];
		expect(wide).toHaveLength(narrow.length);
		// A single object has all columns, also in a pipe.
		if (!json.items) return expect(wide).toEqual(narrow);
		expect(wide).toHaveLength(json.items.length - foldedIn(json.items) + 1);
		expect(wide[0]).toMatch(/^[A-Z-]+( {3,}[A-Z-]+)+$/);
	},
};

/** Tables only count DaemonSet pods that stay, unless all pods are requested. */
function foldedIn(items: NonNullable<Json['items']>): number {
	if (items.some(({verdict}) => verdict === 'Safe')) return 0;
	return items.filter(({verdict, owner}) => verdict === 'Stays' && owner?.kind === 'DaemonSet').length;
}

type Json = {
	readonly kind: string;
	readonly metadata?: {readonly name?: string};
	readonly items?: readonly {
		readonly kind: string;
		readonly metadata?: {readonly name: string};
		readonly verdict?: string;
		readonly owner?: {readonly kind: string} | null;
	}[];
};

/** Formats that need an argument, with one. */
const withArgument: Readonly<Record<string, string>> = {
	'custom-columns': 'custom-columns=K:.kind',
	'custom-columns-file': `custom-columns-file=${join(folder, 'columns')}`,
};

/** Answers of commands that print lists too have no names and no rows. */
function refusalOf({line}: Call, output: string): string | undefined {
	if (line.includes('--check') && output === 'name') return '--check has no names to print';
	const isAnswer = line[0] === 'what-if' && !line.includes('--each-zone');
	return isAnswer && /^(name|custom-columns)/.test(output) ? 'needs --each-node or --each-zone' : undefined;
}

/** The formats of each call; a quick run prints every other one, in rotation. */
const printedOf = (command: KnownCommand, list: readonly Call[]) =>
	commands
		.of(command)
		.outputs.flatMap((output, index) => list.map((call) => ({output, call, index})))
		.filter(({call, index}) => isDeep || (allCalls.indexOf(call) + index) % 2 === 0);

describe.for(Object.entries(calls) as [KnownCommand, readonly Call[]][])('%s', ([command, list]) => {
	test.for(printedOf(command, list))(
		'$call.line -o $output prints what its JSON holds',
		async ({output, call}) => {
			const printed = (one: string) => print(call, exampleDump(), one).then(({out}) => out);
			const refusal = refusalOf(call, output);
			if (refusal) {
				await expect(printed(withArgument[output] ?? output)).rejects.toThrow(refusal);
				return;
			}
			await checks[output as keyof typeof checks](printed, JSON.parse(await printJson(call)));
		},
	);
});

test('the published schemas are those of the types', () => {
	const made = schemas();
	expect(readdirSync(schemaFolder).toSorted()).toEqual([...made.keys()].toSorted());
	for (const [file, text] of made) {
		expect(readFileSync(join(schemaFolder, file), 'utf8'), 'write them with: npm run docs').toBe(text);
	}
});

test('a document that lacks a field, has one too many or a wrong time is found', async () => {
	const [call] = calls.pods ?? [];
	const {out} = await print(call as Call, exampleDump(), 'json');
	const document = JSON.parse(out);
	const [{verdict, ...first}, ...rest] = document.items;
	expect(flawsOf({...document, items: [first, ...rest]})).not.toEqual([]);
	expect(flawsOf({...document, items: [{verdict, ...first, more: 1}, ...rest]})).not.toEqual([]);
	expect(
		flawsOf({...document, metadata: {...document.metadata, observedAt: '2026-01-31T14:00:00Z'}}),
	).not.toEqual([]);
});
