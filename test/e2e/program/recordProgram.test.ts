import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync, readFileSync, statSync, watch} from 'node:fs';
import {dirname, join} from 'node:path';
import {afterAll, afterEach, beforeAll, expect, test} from 'vitest';
import {endingSignals} from '../../../src/async/endingSignals.ts';
import {minute} from '../../../src/core/time/instant.ts';
import {type Demo, startDemo} from '../../../src/demo/demo.ts';
import {PtyProgram} from '../../cmd/pty.ts';
import {builtProgram} from '../../support/builtProgram.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {recordedFrom, recordedOutage, writeRecording} from '../../support/recordedOutage.ts';
import {bareHome, runProgram} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: home} = testFolder();
const missing = join(home, 'missing');
const program = builtProgram;
const env = {...bareHome(home), ...{TERM: 'xterm-256color', LANG: 'C.UTF-8'}};
const folder = testFolder();
let demo: Demo;
let outage: string;

beforeAll(async () => {
	demo = await startDemo(demoScenario('node-dies'), {port: 0, clock: Date.now, seed: 1});
	outage = await writeRecording(folder, 'outage.jsonl.gz', recordedOutage('node-dies', 5 * minute));
}, 60_000);
afterAll(() => demo.close());

const run = (...args: readonly string[]) =>
	runProgram(program, args, {env, cwd: folder.path, maxBuffer: 1e8});

const running = new Set<ReturnType<typeof spawn>>();
afterEach(() => {
	for (const child of running) child.kill('SIGKILL');
	running.clear();
});

/** Starts a recording, and waits until the file has this many bytes. */
async function recordUntil(file: string, bytes: number) {
	// The pid is the program's, because the launcher's shell executes it.
	const child = spawn(program, ['record', file, '-s', demo.url], {env, stdio: ['ignore', 'ignore', 'pipe']});
	running.add(child);
	let err = '';
	child.stderr.on('data', (text: Buffer) => {
		err += text;
	});
	const exited = once(child, 'exit').then(([code, signal]) => ({code, signal}));
	const isThere = () => existsSync(file) && statSync(file).size >= bytes;
	const watcher = watch(dirname(file));
	await new Promise<void>((resolve) => {
		const look = () => isThere() && resolve();
		watcher.on('change', look);
		look();
	});
	watcher.close();
	return {child, exited, err: () => err};
}

test.for(['killed.jsonl', 'killed.jsonl.gz'])(
	'%s: a recorder that is killed leaves a file that can be read',
	async (name) => {
		const file = join(folder.path, name);
		const {child, exited} = await recordUntil(file, name.endsWith('.gz') ? 2500 : 28_500);
		child.kill('SIGKILL');
		expect(await exited).toEqual({code: null, signal: 'SIGKILL'});
		const {code, out, err} = await run('nodes', '-f', file);
		expect([code, err]).toEqual([0, expect.stringContaining('Warning: RecordingIncomplete: it was cut off')]);
		expect(out).toMatch(/^NAME +VERDICT/);
		expect(out.trim().split('\n')).toHaveLength(14);
		expect(statSync(file).mode & 0o777).toBe(0o600);
	},
);

test.for(endingSignals)(
	'a recorder that is ended by %s says what it wrote, and its file is whole',
	async (signal) => {
		const file = join(folder.path, `${signal}.jsonl`);
		const {child, exited, err} = await recordUntil(file, 20_000);
		child.kill(signal);
		expect(await exited).toEqual({code: 0, signal: null});
		expect(err()).toMatch(/recording to .*: \d+s, .* kB, 13 nodes, \d+ pods?, 14 leases, \d+ events?\n/);
		expect(err()).toContain(`Play it with: kubectl evictwatch replay ${file}`);
		const {err: complaints} = await run('nodes', '-f', file);
		expect(complaints).toBe('');
		const again = await run('record', file, '-s', demo.url);
		expect(again).toMatchObject({code: 1, err: expect.stringContaining('exists already')});
	},
);

test('a recorder whose terminal is closed leaves a whole file', async () => {
	const file = join(folder.path, 'closed.jsonl');
	const terminal = new PtyProgram(program, ['record', file, '-s', demo.url], env);
	const recorded = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
	await expect.poll(() => recorded().length, {timeout: 60_000}).toBeGreaterThan(20_000);
	terminal.hangUp();
	await expect.poll(recorded, {timeout: 60_000}).toMatch(/"kind":"End"\}\}\n$/);
});

test('it ends by itself after --for, and - is standard output', async () => {
	const {code, out} = await run('record', '-', '--for', '700ms', '-s', demo.url);
	expect(code).toBe(0);
	const lines = out
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect([lines[0]?.meta.kind, lines.at(-1)?.meta.kind]).toEqual(['Recording', 'End']);
});

test.for([
	{args: ['record'], err: 'want one file to write: record FILE'},
	{args: ['record', 'x', '--for', 'soon'], err: 'invalid argument "soon" for "--for" flag'},
	{args: ['replay'], err: 'want one recording to play: replay FILE'},
	{args: ['replay', missing], err: `cannot read ${missing}: no such file or directory`},
	{args: ['pods', '-w', '-f', missing], err: `cannot read ${missing}: no such file or directory`},
	{args: ['replay', home], err: `${home} is a folder, not a recording`},
	{args: ['report'], err: 'want one recording: report -f FILE'},
	{args: ['report', '-f', 'x', '-o', 'pdf'], err: 'allowed formats are: json,markdown'},
])('$args is an error that says why', async ({args, err}) => {
	expect(await run(...args)).toMatchObject({code: 1, err: expect.stringContaining(err)});
});

test('an instant of a recording is what was known then, and no other', async () => {
	const at = (time: string) => run('pods', '-A', '-o', 'json', '-f', outage, '--at', time);
	const early = JSON.parse((await at('2026-01-31T14:00:05Z')).out);
	const later = JSON.parse((await at('2026-01-31T14:02:00Z')).out);
	expect(early.items).toEqual([]);
	expect(later.metadata).toMatchObject({
		source: 'file',
		observedAt: '2026-01-31T14:02:00.000Z',
		kubernetesVersion: 'v1.36.3',
	});
	expect(later.items.map(({verdict}: {verdict: string}) => verdict)).toContain('Scheduled');
	const outside = await at('2026-01-31T15:00:00Z');
	expect(outside).toMatchObject({
		code: 1,
		err: expect.stringContaining(
			'it begins at 2026-01-31T14:00:00.000Z and ends at 2026-01-31T14:05:00.000Z',
		),
	});
	const why = await run('explain', 'node/b2', '-f', outage, '--at', '2026-01-31T14:02:00Z');
	expect(why.out).toContain('node b2');
	expect((await run('settings', '-f', outage)).out).toMatch(/node-monitor-grace-period +50s/);
});

test('a replay is a stream of what a watch would have printed, with the recorded time in JSON', async () => {
	const {code, out, err} = await run('replay', outage, '-o', 'json');
	expect(code).toBe(0);
	const lines = out
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line));
	expect(lines.length).toBeGreaterThan(10);
	const times = lines.map(({metadata}) => metadata.observedAt);
	expect(times).toEqual(times.toSorted());
	expect(err).toMatch(/(\d) of \1 deletions inside their range/);
	const same = await run('pods', '-A', '-w', '-f', outage, '-o', 'json');
	expect(same.out).toBe(out);
	const zones = await run('zones', '-w', '-f', outage);
	expect(zones.out).toMatch(/^TIME +ZONE +STATE/);
});

test('a report is written from it', async () => {
	const {code, out} = await run('report', '-f', outage);
	expect(code).toBe(0);
	expect(out).toContain('# Outage of prod-eu-1, 2026-01-31');
});

test('in the dashboard it is played, moved along and back, and held', async () => {
	const screen = new PtyProgram(program, ['replay', outage], env, 120, 30);
	await screen.shows(/recorded[\s\S]*2026-01-31 14:00:\d\d UTC[\s\S]*1x 0:\d\d of 5:00/);
	screen.type(']');
	await screen.shows(/\n node b2 turns Unknown/);
	screen.type('p');
	await screen.shows(/‖ 1x [01]:\d\d of 5:00/);
	screen.type('>>');
	await screen.shows(/‖ 1x [23]:\d\d of 5:00/);
	screen.type('<');
	await screen.shows(/‖ 1x [12]:\d\d of 5:00/);
	screen.type('+');
	await screen.shows(/‖ 2x/);
	screen.type('[');
	await screen.shows(/\n (pod|node) .*\n ‖ 2x 1:\d\d of 5:00/);
	screen.type('p');
	await screen.shows(/▸ 2x/);
	screen.type('\x13');
	await screen.shows(/it is a recording already/);
	screen.type('q');
	expect((await screen.exited).exitCode).toBe(0);
});

test('ctrl-s in the dashboard saves what was seen, and goes on with it until it is pressed again', async () => {
	const screen = new PtyProgram(
		'/bin/sh',
		['-c', `cd ${folder.path} && exec ${program} -s ${demo.url}`],
		env,
		120,
		30,
	);
	await screen.shows(/live[\s\S]*eu\/a/);
	screen.type('\x13');
	await screen.shows(/recording to evictwatch-.*\.jsonl\.gz, from [\d:]+Z on; ctrl-s ends it/);
	screen.type('\x13');
	await screen.shows(/saved evictwatch-/);
	screen.type('q');
	await screen.exited;
	const [saved = ''] = readdirSync(folder.path).filter((name) => name.startsWith('evictwatch-'));
	const {code, out, err} = await run('nodes', '-f', saved);
	expect({code, err}).toEqual({code: 0, err: ''});
	expect(out.trim().split('\n')).toHaveLength(14);
	expect(readFileSync(join(folder.path, saved)).length).toBeGreaterThan(500);
});

test('a recording that ends before anything was seen shows no cluster that is well', async () => {
	const file = await writeRecording(folder, 'empty.jsonl', [{type: 'tick', at: recordedFrom}]);
	expect(await run('pods', '-A', '-f', file)).toMatchObject({
		code: 1,
		out: '',
		err: expect.stringMatching(/^error: .*empty\.jsonl has seen nothing yet at 2026-01-31T14:00:00.000Z/),
	});
	expect(await run('replay', file, '-w')).toMatchObject({
		code: 1,
		err: expect.stringContaining('has seen nothing yet'),
	});
});
