import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import {waitNotice} from '../../../src/cluster/watch/waitNotice.ts';
import {bareEnvironment, instantTiming, TemporaryFolder} from '../../support/testEnvironment.ts';

beforeEach(() => void vi.useFakeTimers({now: Date.parse('2026-01-01T12:00:00Z')}));
afterEach(() => void vi.useRealTimers());

/** A waiting client whose server has just answered. */
function waiter(
	who: {name: string; isAttended: boolean; why?: string} = {
		name: 'the API server at a:6443',
		isAttended: false,
	},
) {
	const said: string[] = [];
	let heardAt = performance.now();
	const awaited = () => ({...who, silentFor: performance.now() - heardAt});
	const waiting = waitNotice(awaited, (text) => said.push(text));
	return {said, waiting, hear: () => (heardAt = performance.now())};
}

test('who is waited for is said once, with the instant of the last answer', async () => {
	const {said, waiting} = waiter();
	await vi.advanceTimersByTimeAsync(8000);
	void waiting(new Promise(() => undefined));
	void waiting(new Promise(() => undefined));
	await vi.advanceTimersByTimeAsync(30_000);
	expect(said).toEqual(['Waiting for the API server at a:6443: no answer since 12:00:00Z.\n']);
});

test('a second silence is said as well', async () => {
	const {said, waiting, hear} = waiter();
	void waiting(new Promise(() => undefined));
	await vi.advanceTimersByTimeAsync(10_000);
	hear();
	await vi.advanceTimersByTimeAsync(4000);
	expect(said).toHaveLength(1);
	await vi.advanceTimersByTimeAsync(4000);
	expect(said.at(-1)).toContain('no answer since 12:00:10Z');
	expect(said).toHaveLength(2);
});

test('of one that has answered, and wants to be asked later, it says that', async () => {
	const {said, waiting} = waiter({name: 'the API server', isAttended: false, why: 'it answered 429'});
	void waiting(new Promise(() => undefined));
	await vi.advanceTimersByTimeAsync(10_000);
	expect(said).toEqual(['Waiting for the API server: it answered 429.\n']);
});

test('nothing is said for work that has come to its end', async () => {
	const {said, waiting} = waiter();
	await waiting(Promise.resolve());
	await vi.advanceTimersByTimeAsync(30_000);
	expect(said).toEqual([]);
});

test('a person who types a password is not interrupted so soon', async () => {
	const {said, waiting} = waiter({name: 'the credential plugin login', isAttended: true});
	void waiting(new Promise(() => undefined));
	await vi.advanceTimersByTimeAsync(29_000);
	expect(said).toEqual([]);
	await vi.advanceTimersByTimeAsync(2000);
	expect(said).toEqual(['Waiting for the credential plugin login: no answer since 12:00:00Z.\n']);
});

test('a credential plugin that hangs is named, and not the API server, which was not asked yet', async () => {
	using folder = new TemporaryFolder();
	const command = process.execPath;
	const kubeconfig = folder.write('config', {
		'current-context': 'c',
		clusters: [{name: 'c', cluster: {server: 'https://127.0.0.1:1', 'insecure-skip-tls-verify': true}}],
		users: [
			{
				name: 'u',
				user: {
					exec: {
						...{apiVersion: 'client.authentication.k8s.io/v1', interactiveMode: 'Never', command},
						args: ['-e', 'setTimeout(() => undefined, 1e6)'],
					},
				},
			},
		],
		contexts: [{name: 'c', context: {cluster: 'c', user: 'u'}}],
	});
	const said: string[] = [];
	const environment = bareEnvironment({writeError: (text) => said.push(text)});
	const timing = instantTiming({elapsed: () => performance.now(), pluginTimeout: () => 1e9});
	const cluster = await connect({kubeconfig}, environment, timing);
	const version = cluster.version();
	version.catch(() => undefined);
	// The kubeconfig's files are read before the plugin starts.
	const words = /^Waiting for the credential plugin .*: no answer since \d\d:\d\d:\d\dZ\.\n$/;
	const saysIt = () => {
		vi.advanceTimersByTime(6000);
		expect(said.join('')).toMatch(words);
	};
	await vi.waitFor(saysIt, {timeout: 100_000});
	expect(said.join('')).toContain(command);
	await cluster.close();
	await expect(version).rejects.toThrow();
});
