import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {outageDumps} from '../../support/outageDumps.ts';
import {testFolder} from '../../support/testFolder.ts';
import {printedFor} from '../printed.ts';

const {path: folder} = testFolder();
const scenario = 'partial-small-zone';
let at = '';
let file = '';
beforeAll(() => {
	const [dump] = outageDumps(folder, [scenario]);
	at = dump?.at ?? '';
	file = dump?.file ?? '';
});

const ask = (line: string) => printedFor(...`what-if ${line}`.split(' '), '-f', file, '--at', at);

test('each node and each zone is lost for once, and the worst comes first', async () => {
	const {exitCode, out} = await ask('--each-node');
	expect(exitCode).toBe(0);
	const [head, ...rows] = out.trimEnd().split('\n');
	expect(head).toMatch(/^NODE +ZONE +EVICTED +HELD +STUCK +TO-ZERO +BELOW-BUDGET +FIRST +LAST$/);
	const harm = rows.map((row) => Number(row.split(/ {2,}/)[5]));
	expect(harm).toEqual(harm.toSorted((a, b) => b - a));
	// A node that is lost already cannot be lost.
	expect(rows.some((row) => row.startsWith('b1 '))).toBe(false);
	const zones = await ask('--each-zone -o wide');
	expect(zones.out).toMatch(/^ZONE +NODES +EVICTED .* WORKLOADS +ZONES\n/);
	expect(zones.out).toMatch(/\neu\/c +\d+ +\d+ /);
});

test('a row tells what the what-if of its node tells', async () => {
	const {items} = JSON.parse((await ask('--each-node -o json')).out);
	for (const {metadata, evicted, unsure} of items.slice(0, 3)) {
		const alone = JSON.parse((await ask(`--node-down ${metadata.name} -o json`)).out);
		const added = alone.pods.filter(({effect}: {effect: string}) => effect === 'added');
		expect(added).toHaveLength(evicted + unsure);
	}
});

test('names are those of nodes and zones, and -n counts one namespace only', async () => {
	expect((await ask('--each-zone -o name')).out).toMatch(/^(zone\/eu\/\w+\n)+$/);
	const sum = async (line: string) => {
		const {items} = JSON.parse((await ask(`${line} -o json`)).out);
		return items.reduce((all: number, one: {evicted: number}) => all + one.evicted, 0);
	};
	expect(await sum('--each-node -n shop')).toBeLessThan(await sum('--each-node'));
	expect(await sum('--each-node -n nowhere')).toBe(0);
});

test('--exit-code is 2 if a loss takes a workload to zero or below its budget, else 0', async () => {
	// Without the controllers nothing is known of workloads but of bare pods.
	expect((await ask('--each-node --exit-code -n shop')).exitCode).toBe(1);
	const dump = JSON.parse(readFileSync(file, 'utf8'));
	const bare = structuredClone(
		dump.items.find(
			(one: {kind: string; spec: {nodeName?: string}}) => one.kind === 'Pod' && one.spec.nodeName === 'c1',
		),
	);
	Object.assign(bare.metadata, {name: 'bare', uid: 'bare', namespace: 'alone', ownerReferences: []});
	const withBare = join(folder, 'bare.json');
	writeFileSync(withBare, JSON.stringify({...dump, items: [...dump.items, bare]}));
	const asked = ['what-if', '--each-node', '--exit-code', '-n', 'alone', '-f', withBare, '--at', at];
	expect(await printedFor(...asked)).toMatchObject({
		exitCode: 2,
		out: expect.stringMatching(/\nc1 .* 1 +0 /),
	});
	expect((await ask('--each-node -n nowhere --exit-code')).exitCode).toBe(0);
	const empty = join(folder, 'empty.json');
	writeFileSync(empty, JSON.stringify({apiVersion: 'v1', kind: 'List', items: []}));
	await expect(printedFor('what-if', '--each-node', '-f', empty)).rejects.toThrow();
});

test.for([
	['--each-node --each-zone', 'cannot be combined'],
	['--each-node --node-down c1', 'cannot be combined'],
	['--each-node c1', '--each-node takes no names'],
	['--node-down c1 --exit-code', '--exit-code needs --each-node or --each-zone'],
	['--node-down c1 -o name', '-o name needs --each-node or --each-zone'],
] as const)('%s is refused', async ([line, message]) => {
	await expect(ask(line)).rejects.toThrow(message);
});
