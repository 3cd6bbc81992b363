import {spawnSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {devNull} from 'node:os';
import {delimiter, dirname, join} from 'node:path';
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest';
import {build} from '../../../scripts/build.ts';
import {type Demo, startDemo} from '../../../src/demo/demo.ts';
import {PtyProgram} from '../../cmd/pty.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {hasKubectl} from '../../support/kubectlView.ts';
import {runProgram} from '../../support/runProgram.ts';
import {testFolder} from '../../support/testFolder.ts';

const {path: folder} = testFolder();
const program = join(folder, 'bin', 'kubectl-evictwatch');
// On a busy machine it takes seconds to start a shell, and two processes for each tab.
const timeout = 120_000;
let demo: Demo;

const env = {
	PATH: [dirname(program), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
	HOME: folder,
	KUBECONFIG: join(folder, 'config'),
	TERM: 'xterm-256color',
	LANG: 'C.UTF-8',
	EVICTWATCH_COMPLETION_TIMEOUT: '60000',
};

beforeAll(async () => {
	await build(dirname(program));
	const scenario = demoScenario('node-dies');
	demo = await startDemo({...scenario, steps: []}, {port: 0, clock: Date.now, seed: 1});
	const config = {
		apiVersion: 'v1',
		kind: 'Config',
		'current-context': 'demo',
		contexts: [{name: 'demo', context: {cluster: 'demo', namespace: 'shop'}}],
		clusters: [{name: 'demo', cluster: {server: demo.url}}],
	};
	writeFileSync(env.KUBECONFIG, JSON.stringify(config));
}, timeout);
afterAll(() => demo.close());

const run = (file: string, args: readonly string[]) => runProgram(file, args, {env, cwd: folder});

const isInstalled = (shell: string): boolean => spawnSync(shell, ['-c', 'true'], {env}).status === 0;

/** How to start each shell with the script, but without the user's configuration. */
const shells = {
	bash: {
		args: ['--norc', '--noprofile', '-i'],
		setUp: 'PS1="ready> "; source <(kubectl-evictwatch completion bash); echo sourced\r',
		twice: true,
	},
	zsh: {
		args: ['-f', '-i'],
		setUp:
			'PS1="ready> "; autoload -Uz compinit; compinit -u -D; source <(kubectl-evictwatch completion zsh); echo sourced\r',
		twice: false,
	},
	fish: {
		args: ['--no-config', '-i'],
		setUp:
			'function fish_prompt; echo "ready> "; end; kubectl-evictwatch completion fish | source; echo sourced\r',
		twice: false,
	},
} as const;

test.for(Object.entries(shells))(
	'%s completes commands, flags, values and names',
	async ([shell, how], context) => {
		context.skip(!isInstalled(shell), `${shell} is not installed`);
		const terminal = new PtyProgram(shell, how.args, env, 110, 40);
		onTestFinished(() => terminal.kill('SIGKILL'));
		// Input before the prompt may be lost.
		await terminal.shows(/[#$%>]\s*$/);
		terminal.type(how.setUp);
		await terminal.shows(/^sourced$/m);
		/** Types text and a tab, waits for the completion, and clears the line. */
		const becomes = async (typed: string, want: RegExp, tabs = '\t') => {
			terminal.type(typed);
			await terminal.shows(new RegExp(`${typed.replaceAll(/[.*+?^$()[\]{}|\\/]/g, '\\$&')}$`, 'm'));
			terminal.type(tabs);
			await terminal.shows(want);
			// Not by an interrupt, which a shell drops while it completes.
			terminal.type('\x15clear\r');
			await terminal.shows(/^ready>\s*$/);
		};
		await becomes('kubectl-evictwatch setti', /kubectl-evictwatch settings/);
		await becomes('kubectl-evictwatch pods --sort', /pods --sort-by/);
		await becomes('kubectl-evictwatch pods --namespace=paym', /pods --namespace=payments/);
		await becomes('kubectl-evictwatch pods -o jsonpath-a', /-o jsonpath-as-json/);
		await becomes('kubectl-evictwatch --context d', /--context demo/);
		await becomes('kubectl-evictwatch explain pod/cart-', /cart-0[\s\S]*cart-1/, how.twice ? '\t\t' : '\t');
		await becomes('kubectl-evictwatch zones eu/', /eu\/a[\s\S]*eu\/b/, how.twice ? '\t\t' : '\t');
		await becomes(`kubectl-evictwatch pods -f ${folder}/conf`, /\/config/);
	},
);

test('kubectl completes the plugin by the shim that is installed beside it', async (context) => {
	context.skip(!hasKubectl, 'kubectl is not installed');
	const installed = await run(program, ['completion', '--install-shim']);
	expect(installed).toEqual({
		code: 0,
		out: `${join(dirname(program), 'kubectl_complete-evictwatch')}\n`,
		err: '',
	});
	expect((await run(program, ['completion', '--install-shim'])).code).toBe(0);
	const kubectl = async (...words: string[]) => {
		const {out} = await run('kubectl', ['__complete', 'evictwatch', ...words]);
		return out.split('\n').map((line) => line.split('\t')[0]);
	};
	expect(await kubectl('po')).toEqual(['pods', ':4', '']);
	expect(await kubectl('explain', 'node/b1')).toEqual(['node/b1', ':4', '']);
	expect(await kubectl('pods', '--sort')).toEqual(['--sort-by', ':4', '']);
	expect(await kubectl('pods', '-n', 'sh')).toEqual(['shop', ':4', '']);
});

test('a shim never replaces what is not one, and says where nobody would find it', async () => {
	const other = mkdtempSync(join(folder, 'other-'));
	const beside = await run(program, ['completion', `--install-shim=${other}`]);
	expect(beside).toMatchObject({
		code: 0,
		err: `Warning: ${other} is not on your PATH: kubectl will not find it there\n`,
	});
	writeFileSync(join(other, 'kubectl_complete-evictwatch'), 'something else');
	const refused = await run(program, ['completion', '--install-shim', other]);
	expect(refused).toMatchObject({code: 1, out: ''});
	expect(refused.err).toMatch(/^error: .*kubectl_complete-evictwatch exists already/);
	expect((await run(program, ['completion', '--install-shim', devNull])).err).toMatch(
		/^error: cannot write .*\n.*FOLDER\n$/,
	);
});

test.for([{args: []}, {args: ['ksh']}, {args: ['bash', 'zsh']}])(
	'completion $args is refused',
	async ({args}) => {
		const {code, err} = await run(program, ['completion', ...args]);
		expect({code, err}).toMatchObject({
			code: 1,
			err: expect.stringMatching(/^error: want one shell: bash, zsh, fish, powershell\n/),
		});
	},
);
