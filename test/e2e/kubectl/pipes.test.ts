import {spawn} from 'node:child_process';
import {devNull} from 'node:os';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {run} from '../../../cmd/run.ts';
import {type Demo, startDemo} from '../../../src/demo/demo.ts';
import {recordingTerminal} from '../../cmd/recordingTerminal.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {hasKubectl} from '../../support/kubectlView.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: folder} = testFolder();
let demo: Demo;

beforeAll(async () => {
	vi.stubEnv('KUBECONFIG', devNull);
	const scenario = demoScenario('node-dies');
	demo = await startDemo({...scenario, steps: []}, {port: 0, clock: Date.now, seed: 1});
});
afterAll(() => demo.close());

async function evictwatch(...args: string[]) {
	const terminal = recordingTerminal();
	const errors: string[] = [];
	const spy = vi.spyOn(process.stderr, 'write').mockImplementation((text) => errors.push(String(text)) > 0);
	try {
		const code = await run([...args, '-s', demo.url], terminal);
		return {code, ...terminal.texts(), log: errors.join('')};
	} finally {
		spy.mockRestore();
	}
}

/** The output of `xargs kubectl ...` for some text. */
function xargs(text: string, ...args: string[]) {
	const env = {...process.env, HOME: folder, KUBECONFIG: devNull};
	const child = spawn('xargs', ['kubectl', '--cache-dir', folder, '-s', demo.url, ...args], {env});
	child.stdin.end(text);
	let out = '';
	child.stdout.on('data', (chunk) => {
		out += chunk;
	});
	return new Promise<{code: number | null; out: string}>((resolve) =>
		child.once('close', (code) => resolve({code, out})),
	);
}

test('-o name pipes into xargs kubectl describe', async (context) => {
	context.skip(!hasKubectl, 'kubectl is not installed');
	const {out} = await evictwatch('pods', '--all', '-n', 'shop', '-o', 'name');
	const names = out.trim().split('\n');
	expect(names.length).toBeGreaterThan(3);
	const described = await xargs(out, 'describe', '-n', 'shop');
	expect(described.code).toBe(0);
	const found = [...described.out.matchAll(/^Name: +(\S+)$/gm)].map(([, name]) => `pod/${name}`);
	expect(found).toEqual(names);
	const nodes = await evictwatch('nodes', '-o', 'name');
	expect((await xargs(nodes.out, 'get', '--no-headers')).out.split('\n')).toHaveLength(
		nodes.out.split('\n').length,
	);
});

test('-v=6 tells of each request, 7 of its headers too', async () => {
	const {log, code} = await evictwatch('nodes', '-v', '6', '--chunk-size=5');
	expect(code).toBe(0);
	expect(log).toMatch(
		/^I\d{4} \d\d:\d\d:\d\d\.\d{3} "Response" verb="GET" url="http:\S+" status="200 OK" milliseconds=\d+$/m,
	);
	expect(log).toContain('/api/v1/nodes?limit=5"');
	expect(log).toContain('/api/v1/nodes?limit=5&continue=');
	expect(log).not.toContain('user-agent');
	const {log: more} = await evictwatch('nodes', '-v7', '--chunk-size=0');
	expect(more).toContain('user-agent: kubectl-evictwatch');
	expect(more).toContain('/api/v1/nodes"');
	expect((await evictwatch('nodes')).log).toBe('');
});

test.for(['--chunk-size=many', '-v=loud', '--v=-1'])('%s is refused', async (flag) => {
	await expect(evictwatch('nodes', flag)).rejects.toMatchObject({name: 'UserError'});
});
