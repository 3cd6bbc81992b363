import {once} from 'node:events';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync} from 'node:fs';
import {type AddressInfo, createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {run} from '../../cmd/run.ts';
import {recordingTerminal} from '../cmd/recordingTerminal.ts';
import {TestTerminal} from '../ui/support/terminal.ts';
import {
	type Calls,
	callsFor,
	followed,
	lists,
	type Played,
	podTable,
	type Said,
	type Source,
	views,
} from './calls.ts';
import {atOnce, pass, quiet, stopClocks} from './virtualTime.ts';

// Plays an outage in virtual time, runs commands on it as a user would, and writes what they print to a file. It is a process of
// its own, since the commands use its clock, its terminal and its signals.

const [plan = '', answer = ''] = process.argv.slice(2);
const {outage, moments, sources, isRecording}: Played = JSON.parse(plan);
const folder = mkdtempSync(join(tmpdir(), 'evictwatch-nets-'));
process.once('exit', () => rmSync(folder, {recursive: true}));
const second = 1000;
const said: Said[] = [];

function end(failure?: string): never {
	if (failure === undefined) writeFileSync(answer, JSON.stringify(said));
	else process.stderr.write(`${failure}\n`);
	process.exit(failure === undefined ? 0 : 1);
}

/** Tells whoever ends this process what it waited for. */
const tell = (what: string) => writeSync(2, `${what}\n`);

/** What a command prints that ends by itself. */
async function print(line: readonly string[]): Promise<string> {
	tell(line.join(' '));
	const terminal = recordingTerminal();
	await atOnce(run(line, terminal)).catch((error) => end(`${line.join(' ')}: ${error.stack}`));
	return terminal.texts().out;
}

/** Starts a command; returns its output so far, and a wait for its end. */
function start(line: readonly string[]) {
	tell(`start: ${line.join(' ')}`);
	const terminal = recordingTerminal();
	let code: number | undefined;
	run(line, terminal).then(
		(given) => {
			code = given;
		},
		(error) => end(`${line.join(' ')}: ${error.stack}`),
	);
	const ended = async () => {
		for (let waited = 0; code === undefined && waited < longestEnd; waited += 250) await pass(250);
		if (code !== 0) end(`${line.join(' ')} ended with ${code}: ${terminal.texts().err}`);
	};
	return Object.assign(() => terminal.texts().out, {ended});
}

/** By then a command has ended that should. */
const longestEnd = 30_000;

/** Lets an emulator take what is written at once: it waits for a timer otherwise. */
function writeAtOnce({screen}: TestTerminal): void {
	const {_core: core} = screen as unknown as {_core: {_writeBuffer: {writeSync(text: string): void}}};
	screen.write = (text, done) => {
		core._writeBuffer.writeSync(String(text));
		done?.();
	};
}

/** Starts a dashboard on a terminal of its own; returns what one of its views shows. */
async function openDashboard(line: readonly string[]) {
	const terminal = new TestTerminal({columns: 240, rows: 60});
	writeAtOnce(terminal);
	for (const name of ['stdin', 'stdout'] as const)
		Object.defineProperty(process, name, {value: terminal[name], configurable: true});
	start(line);
	await quiet();
	const press = async (...keys: readonly string[]) => {
		for (const key of keys) {
			terminal.stdin.push(key);
			await quiet();
		}
	};
	return {
		view: async (view: string) => {
			tell(`the view ${view} of ${line.join(' ')}`);
			await press(':', ...view, '\r');
			await pass(100);
			return terminal.text();
		},
		leave: () => press('q'),
	};
}

/** The instant of which outputs are compared. */
let moment = 0;

function say(source: Source, output: string, text: string, at = Date.now()): void {
	said.push({moment, at, source, output, text});
}

/**
 * Calls the commands that end by themselves on one source. They count from the instant of the forecast, which is before the
 * one asked for where nothing more was recorded.
 */
async function call(source: Source, from: readonly string[]): Promise<void> {
	let at = 0;
	const list = async (kind: keyof Calls): Promise<Calls[keyof Calls]> => {
		const text = await print([...lists[kind], ...from]);
		const {metadata, items} = JSON.parse(text);
		at = Date.parse(metadata.observedAt);
		say(source, `${kind} json`, text, at);
		return items;
	};
	const listed = {pods: await list('pods'), nodes: await list('nodes'), zones: await list('zones')};
	const calls =
		source === 'file' || source === 'folder' ? {pods: podTable} : callsFor(listed, from[0] === '-s');
	for (const [output, line] of Object.entries(calls))
		say(source, output, await print([...line, ...from]), at);
}

const atOf = (at: number) => ['--at', new Date(at).toISOString()];

const get = async (url: string): Promise<string> => atOnce(fetch(url).then((response) => response.text()));

async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const {port} = server.address() as AddressInfo;
	server.close();
	return port;
}

/** What the clock of a screen says: that of a demo falls behind. */
function clockOf(screen: string): number {
	const [, time] = /(\d\d:\d\d:\d\d) UTC/.exec(screen) ?? [];
	return time === undefined ? Date.now() : Date.parse(`${new Date().toISOString().slice(0, 11)}${time}Z`);
}

/** Writes the objects of the API as kubectl does, into one file and into a folder. */
async function dump(server: string, at: number): Promise<readonly (readonly [Source, string])[]> {
	const paths = ['v1/nodes', 'v1/pods', 'v1/events', 'coordination.k8s.io/v1/leases'];
	const lists = await Promise.all(
		paths.map(async (path) =>
			JSON.parse(await get(`${server}/${path.startsWith('v1') ? 'api' : 'apis'}/${path}`)),
		),
	);
	const items = lists.flatMap((list) =>
		list.items.map((item: object) => ({
			apiVersion: list.apiVersion,
			kind: list.kind.replace(/List$/, ''),
			...item,
		})),
	);
	const [file, many] = [join(folder, `${at}.json`), join(folder, String(at))];
	writeFileSync(file, JSON.stringify({apiVersion: 'v1', kind: 'List', items}));
	mkdirSync(many);
	paths.forEach((path, index) => {
		writeFileSync(join(many, `${path.split('/').at(-1)}.json`), JSON.stringify(lists[index]));
	});
	return [
		['file', file],
		['folder', many],
	];
}

async function playDemo(): Promise<void> {
	stopClocks();
	const served = start(['demo', outage, '--serve', '0']);
	await quiet();
	const server = /http:\/\/127.0.0.1:\d+/.exec(served())?.[0] ?? end(served());
	const from = ['-s', server];
	const recording = join(folder, 'outage.jsonl.gz');
	const length = Math.max(...moments) + 5;
	const recorder = start(['record', recording, ...from, '--all', '--for', `${length}s`]);
	await quiet();
	const followers = Object.entries(followed).map(
		([output, line]) => [output, start([...line, ...from])] as const,
	);
	await quiet();
	const metrics = `127.0.0.1:${await freePort()}`;
	start(['shadow', '--listen', metrics, '-o', 'json', ...from]);
	await quiet();
	const dashboards: [Source, Awaited<ReturnType<typeof openDashboard>>][] = [];
	if (sources.includes('live')) dashboards.push(['live', await openDashboard(from)]);
	if (sources.includes('demo'))
		dashboards.push(['demo', await openDashboard(['demo', outage, '--speed', '1'])]);
	const begin = Date.now();
	const dumps: [moment: number, at: number, Source, string][] = [];
	for (moment of moments) {
		await pass(begin + moment * second - Date.now());
		const at = Date.now();
		for (const [output, text] of followers) say('live', output, text());
		say('live', 'metrics', await get(`http://${metrics}/metrics`));
		if (sources.includes('look')) await call('look', from);
		if (sources.includes('file') || sources.includes('folder'))
			for (const [source, path] of await dump(server, at)) dumps.push([moment, at, source, path]);
		for (const [source, dashboard] of dashboards)
			for (const name of views) {
				const text = await dashboard.view(name);
				say(source, `dashboard ${name}`, text, clockOf(text));
			}
	}
	await pass(begin + length * second + second - Date.now());
	for (const [, dashboard] of dashboards) await dashboard.leave();
	// A recording that is still written may be read up to any instant.
	await recorder.ended();
	for (const [of, at, source, path] of dumps) {
		moment = of;
		if (sources.includes(source)) await call(source, ['-f', path, ...atOf(at)]);
	}
	if (!sources.includes('recording')) return;
	await callOnRecording(recording, begin);
	await replay(recording, begin);
}

async function callOnRecording(file: string, begin: number): Promise<void> {
	for (moment of moments) {
		const at = begin + moment * second;
		await call('recording', ['-f', file, ...atOf(at)]);
	}
}

/** What the consumers of a recording say that go on: the stream of its changes, and the dashboard. */
async function replay(file: string, begin: number): Promise<void> {
	const lines = (await print(['replay', file, '-o', 'json'])).split('\n');
	for (moment of moments) {
		const at = begin + moment * second;
		const until = lines.filter(
			(line) => line !== '' && Date.parse(JSON.parse(line).metadata.observedAt) <= at,
		);
		say('recording', 'pods stream', until.join('\n'), at);
		const dashboard = await openDashboard(['replay', file, ...atOf(at)]);
		const opened = Date.now();
		for (const name of ['pods', 'zones', 'workloads']) {
			const text = await dashboard.view(name);
			say('recording', `dashboard ${name}`, text, at + Date.now() - opened);
		}
		await dashboard.leave();
	}
}

/** All calls on a file of the objects at one instant. */
async function callOnDump(file: string): Promise<void> {
	await call('look', ['-f', file]);
}

/** When a recording begins. */
const beginOf = (file: string): number =>
	Date.parse(JSON.parse(String(gunzipSync(readFileSync(file))).split('\n', 1)[0] ?? '').at);

if (outage.endsWith('.json.gz')) await callOnDump(outage);
else if (isRecording) await callOnRecording(outage, beginOf(outage));
else await playDemo();
end();
