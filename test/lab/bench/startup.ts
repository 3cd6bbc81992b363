import {execFileSync} from 'node:child_process';
import {globSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {devNull, tmpdir} from 'node:os';
import {join} from 'node:path';
import {startDemo} from '../../../src/demo/demo.ts';
import {scenarioNamed} from '../../../src/demo/world/scenarios.ts';
import {oneCluster} from '../../support/tlsFiles.ts';
import {isOnPath, runAsProgram} from './bench.ts';
import {type Alone, type Contest, command, contestOf, play, playAlone, textOf} from './startup/contest.ts';
import {firstFrame} from './startup/firstFrame.ts';
import {tlsFront} from './startup/tlsFront.ts';

// Measures the program's start, as npm installs it and as an executable: its version compared with a bare Node.js, a list of
// 100 nodes' pods compared with kubectl's, and the first frames of the demo.
const root = join(import.meta.dirname, '../../..');

export type StartupMeasured = {
	/** `--version` compared with a bare Node.js; the checkout comes first. */
	readonly versions: readonly Contest[];
	/** `pods -A` compared with kubectl's, the checkout over TLS first; empty without kubectl. */
	readonly lists: readonly Contest[];
	readonly frames: readonly Alone[];
};

/** The number of rounds. */
type Plan = {readonly baseRounds: number; readonly listRounds: number; readonly frameRounds: number};
const full: Plan = {baseRounds: 20, listRounds: 10, frameRounds: 5};
const short: Plan = {baseRounds: 10, listRounds: 6, frameRounds: 0};

/** Unpacks the executable that `npm run package` made for this platform; empty if there is none. */
function packedExecutable(folder: string): readonly (readonly [string, string])[] {
	const arch = process.arch === 'x64' ? 'amd64' : process.arch;
	const [archive] = globSync(join(root, `dist/release/*_${process.platform}_${arch}.tar.gz`));
	if (archive === undefined) {
		console.error('No executable: npm run package makes one.');
		return [];
	}
	execFileSync('tar', ['-xzf', archive, '-C', folder, 'kubectl-evictwatch']);
	return [['the executable', join(folder, 'kubectl-evictwatch')]];
}

/** A server's name, and the flags to reach it. */
type Server = readonly [string, readonly string[]];

async function measureProgram(
	[program, file]: readonly [string, string],
	servers: readonly Server[],
	{baseRounds, listRounds, frameRounds}: Plan,
	home: string,
): Promise<StartupMeasured> {
	const env = {...process.env, KUBECONFIG: devNull, HOME: home};
	const version = await play(
		command('node -e 0', env, process.execPath, '-e', '0'),
		command(`${program} --version`, env, file, '--version'),
		{atMost: 3, rounds: baseRounds},
	);
	const lists: Contest[] = [];
	for (const [server, flags] of servers) {
		const theirs = command(`kubectl get pods -A, ${server}`, env, 'kubectl', ...flags, 'get', 'pods', '-A');
		const ours = command(`${program} pods -A, ${server}`, env, file, 'pods', '-A', ...flags);
		lists.push(await play(theirs, ours, {atMost: 2.5, rounds: listRounds}));
	}
	if (frameRounds === 0) return {versions: [version], lists, frames: []};
	const screenEnv = {PATH: process.env['PATH'] ?? '', HOME: home, KUBECONFIG: devNull, LANG: 'C.UTF-8'};
	const menu = firstFrame(`${program} demo: the menu`, /choose an outage/, screenEnv, file, 'demo');
	const outage = /demo: rack-dies[\s\S]*(NEXT EVICTIONS|nodes are well)/;
	const dashboard = firstFrame(`${program} demo rack-dies`, outage, screenEnv, file, 'demo', 'rack-dies');
	const limit = {atMost: 1000, rounds: frameRounds};
	return {
		versions: [version],
		lists,
		frames: [await playAlone(menu, limit), await playAlone(dashboard, limit)],
	};
}

/** @param args `--short` for only the checkout, only over TLS, and no frames */
async function measure(args: readonly string[]): Promise<StartupMeasured> {
	const isShort = args.includes('--short');
	const home = mkdtempSync(join(tmpdir(), 'evictwatch-startup-'));
	const scenario = scenarioNamed('node-dies');
	if (!scenario) throw new Error('the demo has no scenario node-dies');
	const size = {zones: {a: 34, b: 33, c: 33}, replicaFactor: 8};
	const demo = await startDemo({...scenario, size, steps: []}, {port: 0, clock: Date.now, seed: 1});
	const front = await tlsFront(demo.url);
	const kubeconfig = join(home, 'config.json');
	writeFileSync(kubeconfig, JSON.stringify(oneCluster(front.url, {token: 'of-nobody'})));
	const servers: readonly Server[] = [
		['over TLS', ['--kubeconfig', kubeconfig]],
		['without TLS', ['-s', demo.url]],
	];
	const programs = [
		['kubectl-evictwatch', join(root, 'dist/kubectl-evictwatch')] as const,
		...(isShort ? [] : packedExecutable(home)),
	];
	try {
		const asked = isOnPath('kubectl') ? servers.slice(0, isShort ? 1 : 2) : [];
		const all: StartupMeasured[] = [];
		for (const program of programs)
			all.push(await measureProgram(program, asked, isShort ? short : full, home));
		return {
			versions: all.flatMap(({versions}) => versions),
			lists: all.flatMap(({lists}) => lists),
			frames: all.flatMap(({frames}) => frames),
		};
	} finally {
		front.close();
		await demo.close();
		rmSync(home, {recursive: true, force: true});
	}
}

const report = ({versions, lists, frames}: StartupMeasured): string =>
	[
		...[...versions, ...lists].map(contestOf),
		...(lists.length === 0 ? ['No lists: there is no kubectl.\n'] : []),
		...frames.map(textOf),
	].join('\n');

if (import.meta.main) await runAsProgram({measure, report});
