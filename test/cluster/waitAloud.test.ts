import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import {type Awaited, waitAloud} from '../../src/cluster/waitAloud.ts';
import {bareSurroundings, instantTiming, TemporaryFolder} from '../support/testSurroundings.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
beforeEach(() => void vi.useFakeTimers({toFake: ['setInterval', 'clearInterval', 'Date'], now: start}));
afterEach(() => void vi.useRealTimers());

const never = new Promise<never>(() => undefined);

/** Waits for somebody who never answers, and collects what is said. */
function wait(awaited: () => Omit<Awaited, 'silentFor'>, told = new Set<string>()) {
	const said: string[] = [];
	const writeError = (text: string) => void said.push(text);
	const silentFor = () => Date.now() - start;
	void waitAloud(never, {writeError, awaited: () => ({...awaited(), silentFor: silentFor()}), told});
	return said;
}

test('who does not answer is named after five seconds, once for all that waits', () => {
	const told = new Set<string>();
	const server = () => ({name: 'the API server at api.test', isAttended: false});
	const [said, other] = [wait(server, told), wait(server, told)];
	vi.advanceTimersByTime(4000);
	expect(said).toEqual([]);
	vi.advanceTimersByTime(60_000);
	expect(said).toEqual(['Waiting for the API server at api.test: no answer since 00:00:00Z.\n']);
	expect(other).toEqual([]);
});

test('a person who types a password is not interrupted so soon', () => {
	const said = wait(() => ({name: 'the credential plugin login', isAttended: true}));
	vi.advanceTimersByTime(29_000);
	expect(said).toEqual([]);
	vi.advanceTimersByTime(2000);
	expect(said).toEqual(['Waiting for the credential plugin login: no answer since 00:00:00Z.\n']);
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
	const surroundings = bareSurroundings({writeError: (text) => said.push(text)});
	const timing = instantTiming({elapsed: () => Date.now() - start, pluginTimeout: () => 1e6});
	const cluster = await connect({kubeconfig}, surroundings, timing);
	const version = cluster.version();
	version.catch(() => undefined);
	// The files of the kubeconfig are read before the plugin starts.
	await vi.waitFor(() => {
		vi.advanceTimersByTime(6000);
		expect(said.join('')).toMatch(/^Waiting for the credential plugin .*: no answer since 00:0.:..Z\.\n$/);
	});
	expect(said.join('')).toContain(command);
	await cluster.close();
	await expect(version).rejects.toThrow();
});
