import {beforeAll, expect, test} from 'vitest';
import {run as runProgram} from '../../cmd/run.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import {recordedFrom, recordedOutage, writeRecording} from '../support/recordedOutage.ts';
import {flawsOf} from '../support/schemaCheck.ts';
import {testFolder} from '../support/testFolder.ts';
import {printedBy} from './printed.ts';

const folder = testFolder();
/** The whole outage, and a recording that ends after the first eviction. */
let [file, brief] = ['', ''];
beforeAll(async () => {
	// They begin shortly before the node is under pressure.
	const entries = recordedOutage('node-pressure', 8 * minute, 2 * minute);
	file = await writeRecording(folder, 'leak.jsonl.gz', entries);
	const end = recordedFrom + 4.5 * minute;
	brief = await writeRecording(
		folder,
		'brief.jsonl.gz',
		entries.filter(({at}) => at <= end),
	);
});

const run = (line: string, name = file) =>
	printedBy((terminal) => runProgram([...line.split(' '), '-f', name], terminal));

/** Before the first eviction, while its node reports pressure. */
const before = new Date(recordedFrom + 190 * second).toISOString();
const victim = 'search-4z67jx49b-xc6sj';

test('pods and nodes of a recording tell whom a kubelet evicts', async () => {
	const {items} = JSON.parse((await run(`pods -A --at ${before} -o json`)).out);
	expect(items).toMatchObject([
		{
			metadata: {name: victim},
			verdict: 'Expected',
			cause: {kind: 'NodePressure', signals: ['memory.available']},
		},
	]);
	expect((await run(`nodes --at ${before} -o wide`)).out).toMatch(
		new RegExp(`b2 .*Memory: shop/${victim} 0s-\\d+s`),
	);
});

test('explain, status and rescue go by what kubelets told, too', async () => {
	const explained = await run(`explain pod/${victim} -n shop --at ${before} --full`);
	expect(explained.out).toContain('place 1');
	expect((await run(`status --at ${before}`)).out).toContain('b2');
	expect((await run(`rescue pod/${victim} -n shop --at ${before}`)).out).toContain('kubelet');
	const asked = await run(`what-if --node-down a1 --at ${before}`);
	expect(asked.out.replaceAll(/\n */g, ' ')).toContain(
		'What the kubelet of b2 evicts by itself is not part of this answer: kubectl evictwatch pressure b2',
	);
});

test('pressure shows an instant of a recording, and what happened by its end', async () => {
	const then = JSON.parse((await run(`pressure --at ${before} -o json`)).out);
	expect(flawsOf(then)).toEqual([]);
	expect(then.items).toMatchObject([
		{metadata: {name: 'b2'}, evictions: [{name: victim, certain: true}], happenings: []},
	]);
	const {out} = await run('pressure');
	expect(out).toContain('no threshold is crossed');
	expect(out).toMatch(new RegExp(`ago +Evicted +shop/${victim} +The node was low on resource: memory`));
});

test('pressure -w plays a recording as a watch went, each report with its time', async () => {
	const {out, exitCode} = await run('pressure -w');
	expect(exitCode).toBe(0);
	const times = out.match(/^At [\d:]+Z:$/gm) ?? [];
	expect([times[0], times.length]).toEqual(['At 14:02:00Z:', 37]);
	expect(out.match(/^Node b2: /gm)).toHaveLength(times.length);
	const early = new RegExp(`^shop/${victim} +0s-1?\\ds? .* yes$`, 'm');
	expect(out).toMatch(early);
});

test('pods -w of a recording tells the victim before it goes', async () => {
	const {out} = await run('pods -A -w -o json', brief);
	expect(out).toContain('"NodePressure"');
});

test('events of a recording name the pods that kubelets evicted until then', async () => {
	const {items} = JSON.parse((await run('events -A -o json')).out);
	expect(items).toMatchObject([{metadata: {name: victim}, node: 'b2'}, {metadata: {name: 'cart-1'}}]);
	expect(JSON.parse((await run(`events -A --at ${before} -o json`)).out).items).toEqual([]);
	expect((await run('events -A -w', brief)).out).toMatch(
		new RegExp(`${victim} .*Z/14:.*by its kubelet, inside`),
	);
});

test('a report tells what kubelets evicted, and how that was predicted', async () => {
	const report = JSON.parse((await run('report -o json')).out);
	expect(flawsOf(report, 'outage-report')).toEqual([]);
	expect(report.kubeletEvictions).toMatchObject([
		{metadata: {name: victim}, node: 'b2', signals: ['memory.available'], inside: true},
		{metadata: {name: 'cart-1'}, node: 'b2', inside: true},
	]);
	expect(report.averted).toEqual([]);
	expect(report.summary).toContain(
		'2 pods were evicted by the kubelet of b2, which ran short: within every range that named them.',
	);
	expect((await run('report', brief)).out).toContain('## What kubelets evicted');
});

test('a recording without what kubelets tell plays as it did', async () => {
	const entries = recordedOutage('node-pressure', 4 * minute).filter(({type}) => type !== 'pressure');
	const old = await writeRecording(folder, 'old.jsonl', entries);
	expect(JSON.parse((await run(`pods -A --at ${before} -o json`, old)).out).items).toEqual([]);
	const {out} = await run(`pressure --at ${before}`, old);
	expect(out).toContain("its kubelet's statistics cannot be read");
	expect(out).toContain('MemoryPressure has been True');
	expect(JSON.parse((await run('report -o json', old)).out).kubeletEvictions).toEqual([]);
});
