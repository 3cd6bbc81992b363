import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {parseCommandLine} from '../../../cmd/commands/commandTable.ts';
import {type ShadowParts, shadowParts} from '../../../cmd/shadow/shadowParts.ts';
import type {Divergence} from '../../../src/shadow/compare/divergence.ts';
import type {ShadowView} from '../../../src/shadow/shadowView.ts';
import {UserError} from '../../../src/text/userError.ts';
import {aDivergence, aView} from '../../shadow/support/views.ts';

let log: string[];
const running: ShadowParts[] = [];

beforeEach(() => {
	log = [];
	vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
		log.push(String(text));
		return true;
	});
});
afterEach(async () => {
	await Promise.all(running.splice(0).map(({close}) => close()));
	vi.restoreAllMocks();
});

async function start(...flags: readonly string[]): Promise<ShadowParts> {
	const parts = await shadowParts(parseCommandLine(['shadow', '--listen', '127.0.0.1:0', ...flags]));
	running.push(parts);
	return parts;
}

const textAt = async (parts: ShadowParts, path: string) => (await fetch(`${parts.url}${path}`)).text();
const all = (parts: ShadowParts) => ({
	changed: (view: ShadowView) => {
		for (const {changed} of parts.listeners) changed?.(view);
	},
	diverged: (divergence: Divergence) => {
		for (const {diverged} of parts.listeners) diverged?.(divergence);
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
	expect(log.every((line) => typeof JSON.parse(line) === 'object')).toBe(true);
});

test('a divergence is logged whole and counted by how it ended', async () => {
	const parts = await start('--log-format', 'json');
	all(parts).changed(aView());
	const divergence = aDivergence({isAlarm: true});
	all(parts).diverged(divergence);
	all(parts).diverged({...divergence, reason: 'ControllerDown', endedAt: divergence.noticedAt + 1000});
	const lines = log.map((line) => JSON.parse(line)).filter(({message}) => /divergence/.test(message));
	expect(lines).toMatchObject([
		{level: 'warn', message: 'a divergence', reason: 'Unexplained', object: {name: 'cart-0'}},
		{level: 'info', message: 'a divergence ended', id: divergence.id, reason: 'ControllerDown'},
	]);
	const ended = (await textAt(parts, '/metrics')).match(/^evictwatch_divergences_ended_total\{.*[1-9]$/gm);
	expect(ended).toEqual(['evictwatch_divergences_ended_total{kind="Missing",reason="ControllerDown"} 1']);
});

test('from the signal on it is not ready, and says so until the end', async () => {
	const parts = await start('--log-format', 'json');
	all(parts).changed(aView());
	expect(await textAt(parts, '/readyz')).toBe('ok\n');
	parts.stop();
	expect(await textAt(parts, '/readyz')).toContain('[-]not-stopping failed: this process is stopping');
	await running.splice(0)[0]?.close();
	await expect(fetch(`${parts.url}/readyz`)).rejects.toThrow();
	expect(log.filter((line) => line.includes('"stopping"'))).toHaveLength(1);
});

test.for([
	{flags: ['--listen', '8080'], want: /--listen.*HOST:PORT/},
	{flags: ['--log-level', 'loud'], want: /--log-level.*debug, info, warn, error/},
	{flags: ['--log-format', 'xml'], want: /--log-format.*json, text/},
	{flags: ['--metrics-workloads', 'all'], want: /--metrics-workloads.*whole number/},
	{flags: ['--controller-metrics', 'localhost'], want: /--controller-metrics.*URL such as/},
])('$flags is said to be wrong, and leaves nothing behind', async ({flags, want}) => {
	const run = async () => shadowParts(parseCommandLine(['shadow', ...flags]));
	const failure = await run().catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(UserError);
	expect((failure as UserError).message).toMatch(want);
});
