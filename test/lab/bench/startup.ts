import {execFileSync} from 'node:child_process';
import {globSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {devNull, tmpdir} from 'node:os';
import {join} from 'node:path';
import {startDemo} from '../../../src/demo/demo.ts';
import {scenarioNamed} from '../../../src/demo/scenarios.ts';
import {oneCluster} from '../../support/tlsFiles.ts';
import {command, play, playAlone} from './startup/contest.ts';
import {firstFrame} from './startup/firstFrame.ts';
import {tlsFront} from './startup/tlsFront.ts';

// How long the program takes to start, as npm installs it and as an executable: its version beside a bare Node.js, a list
// of 100 nodes' pods beside kubectl's, and the first frames of the demo.
const root = join(import.meta.dirname, '../../..');
const home = mkdtempSync(join(tmpdir(), 'evictwatch-startup-'));
const env = {...process.env, KUBECONFIG: devNull, HOME: home};
const screenEnv = {PATH: process.env['PATH'] ?? '', HOME: home, KUBECONFIG: devNull, LANG: 'C.UTF-8'};
const baseRounds = 20;
const listRounds = 10;
const frameRounds = 5;

/** The executable that `npm run package` made for this platform, out of its archive; nothing where there is none. */
function packedExecutable(): readonly (readonly [string, string])[] {
	const arch = process.arch === 'x64' ? 'amd64' : process.arch;
	const [archive] = globSync(join(root, `dist/release/*_${process.platform}_${arch}.tar.gz`));
	if (archive === undefined) {
		console.log('No executable: npm run package makes one.\n');
		return [];
	}
	execFileSync('tar', ['-xzf', archive, '-C', home, 'kubectl-evictwatch']);
	return [['the executable', join(home, 'kubectl-evictwatch')]];
}

/** What a server is called, and the flags that lead to it. */
type Server = readonly [string, readonly string[]];

async function measure(program: string, file: string, servers: readonly Server[]) {
	await play({
		first: command('node -e 0', env, process.execPath, '-e', '0'),
		second: command(`${program} --version`, env, file, '--version'),
		...{atMost: 3, rounds: baseRounds},
	});
	for (const [server, flags] of servers) {
		await play({
			first: command(`kubectl get pods -A, ${server}`, env, 'kubectl', ...flags, 'get', 'pods', '-A'),
			second: command(`${program} pods -A, ${server}`, env, file, 'pods', '-A', ...flags),
			...{atMost: 1.5, rounds: listRounds},
		});
	}
	const menu = firstFrame(`${program} demo: the menu`, /choose an outage/, screenEnv, file, 'demo');
	await playAlone(menu, 1000, frameRounds);
	const outage = /demo: rack-dies[\s\S]*(NEXT EVICTIONS|nodes are well)/;
	const dashboard = firstFrame(`${program} demo rack-dies`, outage, screenEnv, file, 'demo', 'rack-dies');
	await playAlone(dashboard, 1000, frameRounds);
}

const scenario = scenarioNamed('node-dies');
if (!scenario) throw new Error('the demo has no scenario node-dies');
const size = {zones: {a: 34, b: 33, c: 33}, replicaFactor: 8};
const demo = await startDemo({...scenario, size, steps: []}, {port: 0, clock: Date.now, seed: 1});
const front = await tlsFront(demo.url);
const kubeconfig = join(home, 'config.json');
writeFileSync(kubeconfig, JSON.stringify(oneCluster(front.url, {token: 'of-nobody'})));
try {
	const servers: readonly Server[] = [
		['without TLS', ['-s', demo.url]],
		['over TLS', ['--kubeconfig', kubeconfig]],
	];
	for (const [name, file] of [
		['kubectl-evictwatch', join(root, 'dist/kubectl-evictwatch')] as const,
		...packedExecutable(),
	])
		await measure(name, file, servers);
} finally {
	front.close();
	await demo.close();
	rmSync(home, {recursive: true, force: true});
}
