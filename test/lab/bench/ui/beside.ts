import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {build} from '../../../../scripts/build.ts';
import {type Duration, second} from '../../../../src/core/time/instant.ts';
import {startDemo} from '../../../../src/demo/demo.ts';
import {type DemoScenario, largeCluster, nodesOf, scenarios} from '../../../../src/demo/world/scenarios.ts';
import {systemClock} from '../../../../src/live/clock.ts';
import {sleep} from '../figures.ts';
import {size} from './onNothing.ts';

/** A program's share of a core, in percent; undefined if it did not run. */
export type Share = {readonly name: string; readonly percent: number | undefined};

/** A program that watches a simulated cluster. */
type Watcher = {readonly name: string; readonly file: string; readonly args: readonly string[]};

/** Measures the program and `kubectl get pods -A -w` while both watch one simulated outage for half a minute. */
export const measureBeside = (): Promise<readonly Share[]> =>
	withProgram((dashboard) => {
		const zoneDies = scenarios.find(({name}) => name === 'zone-dies');
		const kubectl = {name: 'kubectl get pods -A -w', file: 'kubectl', args: ['get', 'pods', '-A', '-w']};
		return zoneDies ? sharesOf(zoneDies, [kubectl, dashboard], 5 * second) : Promise.resolve([]);
	});

/** Measures the program with about a hundred nodes after V8 has compiled it: all nodes renew, or one zone is dead. */
export const measureSteady = (): Promise<readonly Share[]> =>
	withProgram(async ({file, args}) => {
		const zoneDies = largeCluster(33);
		const named = (state: string) => ({file, args, name: `${nodesOf(zoneDies)} nodes, ${state}`});
		const warmUp = 40 * second;
		const shares = await Promise.all([
			sharesOf({...zoneDies, steps: []}, [named('all renewing')], warmUp),
			sharesOf(zoneDies, [named('a zone of them dead')], warmUp),
		]);
		return shares.flat();
	});

/** Builds the program for a measurement; does nothing on systems other than Linux. */
async function withProgram(
	measure: (dashboard: Watcher) => Promise<readonly Share[]>,
): Promise<readonly Share[]> {
	if (process.platform !== 'linux') return [];
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-bench-'));
	await build(folder);
	const shares = await measure({
		...{name: 'the dashboard', file: join(folder, 'kubectl-evictwatch'), args: []},
	});
	rmSync(folder, {recursive: true});
	return shares;
}

const measured = 30 * second;

/** The shares of several programs that watch one cluster at the same time. */
async function sharesOf(
	scenario: DemoScenario,
	watchers: readonly Watcher[],
	warmUp: Duration,
): Promise<readonly Share[]> {
	const server = await startDemo(scenario, {port: 0, clock: systemClock.now, seed: 1});
	const env = {...process.env, KUBECONFIG: join(tmpdir(), 'none'), TERM: 'xterm-256color', LANG: 'C.UTF-8'};
	const runs = watchers.map(({name, file, args}) => ({
		name,
		pty: spawn(file, [...args, '-s', server.url], {cols: size.columns, rows: size.rows, env}),
	}));
	for (const {pty} of runs) pty.onData(() => undefined);
	await sleep(warmUp);
	const begin = runs.map(({pty}) => cpuOf(pty.pid));
	await sleep(measured);
	const shares = runs.map(({name, pty}, index) => {
		const [from, to] = [begin[index], cpuOf(pty.pid)];
		pty.kill();
		return {
			name,
			percent: from === undefined || to === undefined ? undefined : ((to - from) / measured) * 100,
		};
	});
	await server.close();
	return shares;
}

/** The CPU time of a process in milliseconds, from the kernel's hundredths of a second. */
function cpuOf(pid: number): number | undefined {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
		return (Number(fields[11]) + Number(fields[12])) * 10;
	} catch {
		return undefined;
	}
}
