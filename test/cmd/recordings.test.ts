import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, expect, test} from 'vitest';
import {run as runProgram} from '../../cmd/run.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import {recordedFrom, recordedOutage, writeRecording} from '../support/recordedOutage.ts';
import {testFolder} from '../support/testFolder.ts';
import {recordingTerminal} from './recordingTerminal.ts';

const folder = testFolder();
let [whole, partial, cut] = ['', '', join(folder.path, 'cut.jsonl')];

beforeAll(async () => {
	const entries = recordedOutage('node-dies', 1.5 * minute);
	whole = await writeRecording(folder, 'whole.jsonl', entries);
	partial = await writeRecording(folder, 'partial.jsonl', entries, {isPartial: true});
	writeFileSync(cut, readFileSync(whole).subarray(0, 20_000));
});

async function run(line: string) {
	const terminal = recordingTerminal();
	await runProgram(line.split(' '), terminal);
	return terminal.texts();
}

test.for([
	['status', true],
	['workloads -A', true],
	['what-if --how-many-more', true],
	['pods -A --all', true],
	['pods -A', false],
	['nodes', false],
] as const)('that a recording lacks the pods of healthy nodes is said by %s: %s', async ([line, isSaid]) => {
	const warning = 'Warning: PodsPartial: the recording has only the pods of nodes in trouble';
	expect((await run(`${line} -f ${partial}`)).err.includes(warning)).toBe(isSaid);
	expect((await run(`${line} -f ${whole}`)).err).not.toContain('PodsPartial');
});

test('before the recorder had read the owners of pods it is said that ready pods are unknown', async () => {
	const {err, out} = await run(`workloads -A -f ${whole}`);
	expect(out).toMatch(/deployment\/\S+ +\?\/\?.* \?\n/);
	expect(err).toContain('Warning: OwnersMissing: owners and budgets of pods are missing, so ready pods are');
	expect((await run(`pods -A -f ${whole}`)).err).not.toContain('OwnersMissing');
});

test('events of a recording stand beside what had been predicted for each', async () => {
	const late = await writeRecording(folder, 'late.jsonl', recordedOutage('node-dies', 3 * minute));
	const {out, err} = await run(`events -A -f ${late}`);
	expect(out).toMatch(/^DELETED +NAMESPACE +NAME +NODE +PREDICTED +DIFFERENCE\n/);
	expect(out.match(/Z +inside$/gm)?.length).toBe(out.trim().split('\n').length - 1);
	expect(err).toMatch(/^[1-9]\d* of [1-9]\d* deletions inside their range, median width/m);
});

test.for(['--node-down a1', '--taint a1=k:NoExecute', '--drain a1', '--each-node'])(
	'what-if %s is not answered where the pods of healthy nodes were not recorded',
	async (change) => {
		await expect(run(`what-if ${change} -f ${partial}`)).rejects.toThrow(
			'only the pods of nodes in trouble are recorded',
		);
		expect((await run(`what-if ${change} -f ${whole}`)).out).not.toBe('');
	},
);

test('of an instant at which the recorder saw nothing it is said as of when the answer is', async () => {
	const [first, ...others] = recordedOutage('node-dies', 1.5 * minute);
	const lost = [10, 30].map((after) => ({
		type: 'batch' as const,
		at: recordedFrom + after * second,
		observations: [],
		provenance: {type: 'watchLost' as const, since: after === 10 ? recordedFrom + 2 * second : undefined},
	}));
	const entries = [
		...(first ? [first] : []),
		...lost,
		...others.filter(({at}) => at > recordedFrom + 30 * second),
	];
	const file = await writeRecording(folder, 'lost.jsonl', entries);
	const err = async (at: number) => (await run(`nodes -f ${file} --at 2026-01-31T14:00:${at}Z`)).err;
	expect(await err(20)).toContain(
		'Warning: InstantUnseen: the recorder had seen the cluster up to 14:00:02Z only: all is told as of then',
	);
	expect(await err(45)).not.toContain('InstantUnseen');
});

test.for(['status -f', 'pods -A -f', 'replay', 'report'])(
	'%s says of a recording that was cut off before its first batch that it ends early',
	async (line) => {
		await expect(run(`${line} ${cut}`)).rejects.toMatchObject({
			message: expect.stringContaining('has seen nothing yet at 2026-01-31T14:00:00.000Z'),
			hint: expect.stringContaining('the recording ends early'),
		});
	},
);

test('changes of several namespaces have a column for it, those of one do not', async () => {
	expect((await run(`replay ${whole}`)).out).toMatch(/^TIME +NAMESPACE +NAME /);
	expect((await run(`replay ${whole} -n shop`)).out).toMatch(/^TIME +NAME /);
});

test('where nothing shows the rate yet, no state to come is said to change it', async () => {
	const file = await writeRecording(folder, 'zone.jsonl', recordedOutage('zone-dies', 40 * second));
	expect((await run(`zones -f ${file}`)).out).toMatch(
		/^eu\/b .* 0\.1\/s\? .*likely in \S+: evictions go on at 0\.1\/s \(FullDisruption\)/m,
	);
	expect((await run(`status -f ${file}`)).out).not.toMatch(/speed up/);
});

test('a zone that may be stopped, by flags that are not seen, is not said to be stopped for sure', async () => {
	const file = await writeRecording(
		folder,
		'doubt.jsonl',
		recordedOutage('partial-small-zone', 155 * second, 90 * second),
	);
	expect((await run(`zones -f ${file}`)).out).toMatch(/^eu\/b +PartialDisruption +1\/4 +stopped\? /m);
	expect((await run(`what-if --node-down a1 -f ${file}`)).out.replace(/\s+/g, ' ')).toContain(
		'as before: eu/b: PartialDisruption (evictions are stopped), most likely',
	);
});
