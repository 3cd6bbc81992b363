import {writeFileSync} from 'node:fs';
import {devNull} from 'node:os';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import * as fc from 'fast-check';
import {beforeAll, expect, test, vi} from 'vitest';
import {stringify} from 'yaml';
import type {CommandName} from '../../cmd/args/commandSet.ts';
import {commands} from '../../cmd/commands/commandTable.ts';
import {run} from '../../cmd/run.ts';
import {UserError} from '../../src/text/userError.ts';
import {anyText} from '../support/anyText.ts';
import {propertySeed, runsOf} from '../support/drawn.ts';
import {rawEvent, rawLease, rawNode, rawPod} from '../support/rawObjects.ts';
import {testFolder} from '../support/testFolder.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const {path: folder} = testFolder();
const dump = join(folder, 'dump.json');

const taint = {key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:50Z'};
const ready = {type: 'Ready', status: 'Unknown', lastTransitionTime: '2026-01-01T00:00:50Z'};
const items = [
	{kind: 'Node', ...rawNode('n1', {spec: {taints: [taint]}, status: {conditions: [ready]}})},
	{kind: 'Node', ...rawNode('n2')},
	{kind: 'Pod', ...rawPod('shop', 'cart-0', 'n1')},
	{kind: 'Pod', ...rawPod('bank', 'vault-0', 'n2')},
	{kind: 'Lease', ...rawLease('kube-node-lease', 'n1')},
	{kind: 'Lease', ...rawLease('kube-node-lease', 'n2')},
	{kind: 'Event', ...rawEvent('n1', 'NodeNotReady')},
];
const list = {apiVersion: 'v1', kind: 'List', items};

beforeAll(() => {
	vi.stubEnv('KUBECONFIG', devNull);
	vi.stubEnv('HOME', folder);
	vi.stubEnv('KUBERNETES_SERVICE_HOST', undefined);
	writeFileSync(dump, JSON.stringify(list));
});

/** Runs a command line, which must end with an exit code or with an error for the user. */
async function outcome(argv: readonly string[]): Promise<number> {
	try {
		return await run(argv, recordingTerminal());
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		expect(error.message).not.toMatch(/\n\s+at |undefined|\[object Object\]/);
		expect(error.message).not.toBe('');
		return 1;
	}
}

// The demo runs for minutes, and has its own tests.
const drawn: readonly CommandName[] = [
	'pods',
	'nodes',
	'zones',
	'explain',
	'settings',
	'version',
	'help',
	'options',
	'completion',
];

const junk = anyText(12);

const values = fc.oneof(
	fc.constantFrom(
		'',
		'0',
		'1',
		'-1',
		'50s',
		'1h',
		'0.5',
		'1e9',
		'NaN',
		'true',
		'false',
		'v1.31.0',
		'a=b',
		'a in (b',
		'!a,',
		'json',
		'wide',
	),
	fc.constantFrom(
		'jsonpath={.items[*]}',
		'jsonpath={.items[?(@',
		'go-template={{range .items}}{{.}}',
		'custom-columns=A:.b,C',
		'kyaml',
		'yaml',
		'name',
	),
	fc.constantFrom(
		'2026-01-01T00:01:00Z',
		'9999-12-31T23:59:59Z',
		'.metadata.name',
		'{.because}',
		'shop',
		'metadata.name=x',
		'spec.nodeName!=n1',
	),
	junk,
);

const elsewhere = ['server', 'filename', 'kubeconfig', 'install-shim', 'serve', 'kubelet', 'v'];
const flags = Object.entries(commands.flags).filter(([name]) => !elsewhere.includes(name));

const flagWords = fc.constantFrom(...flags).chain(([name, {shortFlag, type}]) =>
	fc.tuple(values, fc.nat(5)).map(([value, form]) => {
		if (form === 0) return [`--${name}`];
		if (form === 1 && shortFlag) return [`-${shortFlag}${value}`];
		if (form === 2 && shortFlag) return [`-${shortFlag}`, value];
		return type === 'boolean' ? [`--${name}${form > 3 ? `=${value}` : ''}`] : [`--${name}=${value}`];
	}),
);

const words = fc.oneof(
	{weight: 4, arbitrary: flagWords},
	{
		weight: 2,
		arbitrary: fc
			.constantFrom('pod/cart-0', 'cart-0', 'n1', 'node/n1', 'zone/<none>', 'bash', '--', '-', '--x', '-Zq')
			.map((word) => [word]),
	},
	{weight: 1, arbitrary: junk.map((word) => [word])},
);

const lines = fc
	.tuple(fc.constantFrom(...drawn, undefined), fc.array(words, {maxLength: 5}), fc.boolean())
	.map(([command, rest, hasFile]) => [
		...(command === undefined ? [] : [command]),
		...rest.flat(),
		...(hasFile ? ['-f', dump] : []),
	]);

// For all commands, flags and kinds of damage.
const lineRuns = runsOf(400, 7000);
const fileRuns = runsOf(120, 1500);
const drawnFrom = {seed: propertySeed};

test('command lines end with 0, 1 or 2, and never with a stack', async () => {
	const codes = new Map<number, number>();
	const judge = async (argv: readonly string[]) => {
		const code = await outcome(argv);
		expect([0, 1, 2]).toContain(code);
		codes.set(code, (codes.get(code) ?? 0) + 1);
	};
	await fc.assert(fc.asyncProperty(lines, judge), {numRuns: lineRuns, ...drawnFrom});
	// The draws must be neither all invalid nor all valid.
	expect(codes.get(0)).toBeGreaterThan(lineRuns / 35);
	expect(codes.get(1)).toBeGreaterThan(lineRuns / 35);
});

test('lines that are not finished are completed, or not', async () => {
	const judge = async (argv: readonly string[]) => {
		const terminal = recordingTerminal();
		expect(await run(['__complete', ...argv], terminal)).toBe(0);
		expect(terminal.texts().out).toMatch(/(^|\n):\d+\n$/);
	};
	await fc.assert(fc.asyncProperty(lines, judge), {numRuns: fileRuns, ...drawnFrom});
});

const texts = [
	JSON.stringify(list),
	JSON.stringify(list, null, 1),
	stringify(list),
	stringify(list, {version: '1.1'}),
];

/** A damaged dump: truncated, overwritten, or with one value replaced. */
const damaged = fc.oneof(
	fc.tuple(fc.constantFrom(...texts), fc.nat(), anyText(6)).map(([text, at, junk]) => {
		const place = at % text.length;
		return Buffer.from(text.slice(0, place) + junk + text.slice(place + junk.length));
	}),
	fc
		.tuple(fc.constantFrom(...texts), fc.nat())
		.map(([text, at]) => Buffer.from(text.slice(0, at % text.length))),
	fc.tuple(fc.nat(), fc.jsonValue({maxDepth: 2})).map(([at, value]) => Buffer.from(replaced(at, value))),
	fc.uint8Array({maxLength: 200}).map((bytes) => Buffer.from(bytes)),
);

/** The dump with one value replaced. */
function replaced(at: number, value: unknown): string {
	const places: (() => void)[] = [];
	const copy = structuredClone(list) as unknown;
	const visit = (parent: Record<string, unknown> | unknown[]) => {
		for (const [key, child] of Object.entries(parent)) {
			places.push(() => {
				(parent as Record<string, unknown>)[key] = value;
			});
			if (typeof child === 'object' && child !== null) visit(child as Record<string, unknown>);
		}
	};
	visit(copy as Record<string, unknown>);
	places[at % places.length]?.();
	return JSON.stringify(copy);
}

test('damaged files are read, or refused', async () => {
	let files = 0;
	const judge = async (bytes: Buffer, isPacked: boolean, command: string) => {
		// A new file each time, because overwriting a file waits for the disk.
		const file = join(folder, `damaged-${files++}`);
		writeFileSync(file, isPacked ? gzipSync(bytes) : bytes);
		const names = command === 'explain' ? ['pod/cart-0', 'node/n1'] : [];
		expect([0, 1, 2]).toContain(await outcome([command, ...names, '-f', file, '-o', 'json']));
	};
	const some = fc.constantFrom('pods', 'nodes', 'zones', 'explain', 'settings');
	await fc.assert(fc.asyncProperty(damaged, fc.boolean(), some, judge), {numRuns: fileRuns, ...drawnFrom});
});
