import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {type ShadowParts, shadowParts} from '../../../cmd/shadow/shadowParts.ts';
import {UserError} from '../../../src/text/userError.ts';
import {now} from '../../print/forecasts.ts';
import {Receiver} from '../../shadow/support/receiver.ts';
import {aDivergence, aView} from '../../shadow/support/views.ts';

let receiver: Receiver;
let folder: string;
let log: string[];
const running: ShadowParts[] = [];

beforeEach(async () => {
	receiver = await Receiver.start();
	folder = mkdtempSync(join(tmpdir(), 'evictwatch-parts-'));
	log = [];
	vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
		log.push(String(text));
		return true;
	});
});
afterEach(async () => {
	await Promise.all(running.splice(0).map(({close}) => close()));
	vi.restoreAllMocks();
	receiver.close();
	rmSync(folder, {recursive: true, force: true});
});

async function start(...flags: readonly string[]): Promise<ShadowParts> {
	const parts = await shadowParts(parseCommandLine(['shadow', '--listen', '127.0.0.1:0', ...flags]));
	running.push(parts);
	return parts;
}

const textAt = async (parts: ShadowParts, path: string) => (await fetch(`${parts.url}${path}`)).text();
const all = (parts: ShadowParts) => ({
	changed: (view: Parameters<ShadowParts['listeners'][number]['changed']>[0]) => {
		for (const {changed} of parts.listeners) changed(view);
	},
	diverged: (divergence: Parameters<ShadowParts['listeners'][number]['diverged']>[0]) => {
		for (const {diverged} of parts.listeners) diverged(divergence);
	},
});

test('what a shadow knows is served as page, metrics and health', async () => {
	const parts = await start('--log-format', 'json', '--metrics-workloads', '3');
	expect(await textAt(parts, '/readyz')).toContain('has not been read whole');
	all(parts).changed(aView());
	expect(await textAt(parts, '/readyz')).toBe('ok\n');
	expect(await textAt(parts, '/')).toContain('3 pods will be evicted');
	const metrics = await textAt(parts, '/metrics');
	expect(metrics).toMatch(/^evictwatch_pending_evictions\{zone="eu\/a",horizon="15m"\} 3$/m);
	expect(metrics).toMatch(/^evictwatch_workload_pending_evictions\{/m);
	expect(metrics).toMatch(/^evictwatch_notifications_sent_total 0$/m);
	expect(metrics).not.toMatch(/^evictwatch_leader /m);
	expect(log.every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
});

test('an alarm is told, logged and counted; what is secret of its receiver is nowhere shown', async () => {
	const url = receiver.url('/hook/s3cret-path?key=s3cret-key').href;
	const parts = await start('--log-format', 'json', '--notify', url, '--history', folder);
	all(parts).changed(aView());
	all(parts).diverged(aDivergence({isAlarm: true}));
	await receiver.came(1);
	expect(JSON.stringify(receiver.posts[0]?.body)).toContain('DeletePod of shop/cart-0 is missing');
	expect(log.join('')).toContain('"message":"a divergence"');
	const page = await textAt(parts, '/');
	expect(page).toContain('--notify');
	const history = join(folder, 'history.jsonl');
	await expect.poll(() => readFileSync(history, 'utf8')).toContain('"told"');
	const shown = page + log.join('') + (await textAt(parts, '/metrics')) + readFileSync(history, 'utf8');
	expect(shown).not.toContain('s3cret');
});

test('what ended while no process ran is told by the next one', async () => {
	const flags = ['--notify', receiver.url('/hook').href, '--history', folder];
	const first = await start(...flags);
	all(first).diverged(aDivergence({id: 'gone', noticedAt: now}));
	await receiver.came(1);
	await running.splice(0)[0]?.close();
	const second = await start(...flags);
	all(second).changed(aView({startedAt: now - 3_600_000, forecast: {...aView().forecast, pods: []}}));
	await receiver.came(2);
	expect(JSON.stringify(receiver.posts[1]?.body)).toMatch(/"id":"gone".*"status":"resolved"/);
});

test('from the signal on it is not ready, and says so until what waits was told', async () => {
	const parts = await start('--log-format', 'json', '--notify', receiver.url('/hook').href);
	all(parts).changed(aView());
	expect(await textAt(parts, '/readyz')).toBe('ok\n');
	parts.stop();
	const ready: string[] = [await textAt(parts, '/readyz')];
	receiver.before = async () => void ready.push(await textAt(parts, '/readyz'));
	all(parts).diverged(aDivergence({isAlarm: true}));
	await running.splice(0)[0]?.close();
	expect(receiver.posts).toHaveLength(1);
	const stopping = expect.stringContaining('[-]not-stopping failed: this process is stopping');
	expect(ready).toEqual([stopping, stopping]);
	await expect(fetch(`${parts.url}/readyz`)).rejects.toThrow();
	expect(log.filter((line) => line.includes('"stopping"'))).toHaveLength(1);
});

test.for([
	{flags: ['--listen', '8080'], want: /--listen.*HOST:PORT/},
	{flags: ['--log-level', 'loud'], want: /--log-level.*debug, info, warn, error/},
	{flags: ['--log-format', 'xml'], want: /--log-format.*json, text/},
	{flags: ['--metrics-workloads', 'all'], want: /--metrics-workloads.*whole number/},
	{flags: ['--notify-format', 'pager'], want: /--notify-format.*alertmanager or json/},
	{flags: ['--notify', 'not a url'], want: /--notify.*URL of http or https/},
	{flags: ['--notify', 'https://me:hush@hooks.example/'], want: /--notify.*--notify-token-file/},
	{flags: ['--controller-metrics', 'localhost'], want: /--controller-metrics.*URL such as/},
	{flags: ['--history', '/dev/null/none'], want: /the history in \/dev\/null\/none cannot be used/},
])('$flags is said to be wrong, and leaves nothing behind', async ({flags, want}) => {
	const failure = await shadowParts(parseCommandLine(['shadow', ...flags])).catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(UserError);
	expect((failure as UserError).message).toMatch(want);
	expect((failure as UserError).message).not.toContain('hush');
});
