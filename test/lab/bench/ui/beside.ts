import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {spawn} from '@lydell/node-pty';
import {build} from '../../../../scripts/build.ts';
import {second} from '../../../../src/core/time/instant.ts';
import {startDemo} from '../../../../src/demo/demo.ts';
import {scenarioNamed} from '../../../../src/demo/world/scenarios.ts';
import {systemClock} from '../../../../src/live/clock.ts';
import {sleep} from '../figures.ts';
import {size} from './onNothing.ts';

/** The share of a core that a program took, in percent; undefined where it did not run. */
export type Share = {readonly name: string; readonly percent: number | undefined};

/** What the program costs as a whole beside `kubectl get pods -A -w`: both watch one simulated outage for half a minute. */
export async function measureBeside(): Promise<readonly Share[]> {
	const scenario = scenarioNamed('zone-dies');
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-bench-'));
	if (!scenario || process.platform !== 'linux') return [];
	await build(folder);
	const server = await startDemo(scenario, {port: 0, clock: systemClock.now, seed: 1});
	const env = {...process.env, KUBECONFIG: join(folder, 'none'), TERM: 'xterm-256color', LANG: 'C.UTF-8'};
	const runs = [
		{name: 'kubectl get pods -A -w', file: 'kubectl', args: ['get', 'pods', '-A', '-w', '-s', server.url]},
		{name: 'the dashboard', file: join(folder, 'kubectl-evictwatch'), args: ['-s', server.url]},
	].map(({name, file, args}) => ({name, pty: spawn(file, args, {cols: size.columns, rows: size.rows, env})}));
	for (const {pty} of runs) pty.onData(() => undefined);
	await sleep(5 * second);
	const begin = runs.map(({pty}) => cpuOf(pty.pid));
	await sleep(30 * second);
	const shares = runs.map(({name, pty}, index) => {
		const [from, to] = [begin[index], cpuOf(pty.pid)];
		pty.kill();
		return {name, percent: from === undefined || to === undefined ? undefined : (to - from) / 30 / 10};
	});
	await server.close();
	rmSync(folder, {recursive: true});
	return shares;
}

/** The CPU time of a process in milliseconds; the kernel counts in hundredths of a second. */
function cpuOf(pid: number): number | undefined {
	try {
		const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
		return (Number(fields[11]) + Number(fields[12])) * 10;
	} catch {
		return undefined;
	}
}
