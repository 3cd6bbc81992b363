import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {systemTiming} from '../../../src/async/timing.ts';
import {resolveAccess} from '../../../src/cluster/access/access.ts';
import {systemEnvironment} from '../../../src/cluster/access/environment.ts';
import {openTransport} from '../../../src/cluster/transport/transport.ts';
import {buildControlPlane, hasGo, kubernetesVersion} from '../../e2e/buildControlPlane.ts';
import {startCluster} from '../../e2e/cluster.ts';
import {Processes} from '../../e2e/processes.ts';
import {dataArgs, dataOf, isUnmeasurable, runAsProgram, type Unmeasurable} from './bench.ts';

// Measures many concurrent watches over HTTP/2 and over HTTP/1.1, on a real API server through the tool's own transport.
// Each run has its own process.

const atOnce = 50;

/** Times in milliseconds. */
type Run = {
	readonly watches: number;
	readonly sockets: number;
	readonly opening: number;
	/** The time of a list while the watches are open. */
	readonly listing: number;
	readonly cpu: number;
	readonly megabytes: number;
};

type ConnectionsMeasured = readonly (Run & {readonly protocol: string})[] | Unmeasurable;

/** @param args a kubeconfig and a number of watches, for one run; by default all runs, on a new control plane */
async function measure([kubeconfig, watches]: readonly string[]): Promise<ConnectionsMeasured> {
	if (kubeconfig !== undefined) return [{protocol: '', ...(await measureRun(kubeconfig, Number(watches)))}];
	if (process.platform !== 'linux' || !hasGo())
		return {unmeasurable: 'needs Linux, and Go to build the control plane'};
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-connections-'));
	const say = (line: string) => console.error(line);
	const processes = new Processes(buildControlPlane(say), join(folder, 'logs'));
	try {
		const {controlPlane} = await startCluster(processes, folder, kubernetesVersion(), say);
		return [0, 10, 100, 500, 1000].flatMap((count) =>
			[
				{protocol: 'HTTP/1.1', env: {DISABLE_HTTP2: '1'}},
				{protocol: 'HTTP/2', env: {}},
			].flatMap(({protocol, env}) => {
				const args = dataArgs([controlPlane.viewerKubeconfig, String(count)]);
				const out = execFileSync(process.execPath, [import.meta.filename, ...args], {
					env: {...process.env, ...env},
					encoding: 'utf8',
				});
				return dataOf<readonly Run[]>(out).map((run) => ({...run, protocol}));
			}),
		);
	} finally {
		await processes.stop();
		rmSync(folder, {recursive: true, force: true});
	}
}

/** Opens watches, and lists at the same time, in this process. */
async function measureRun(kubeconfig: string, watches: number): Promise<Run> {
	const environment = systemEnvironment();
	const access = await resolveAccess({kubeconfig}, environment);
	const transport = await openTransport(access, environment, systemTiming);
	await transport.json('/version');
	const openedAt = performance.now();
	const {signal} = new AbortController();
	const query = {watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: '300'};
	const open = async (index: number) => {
		const fieldSelector = `spec.nodeName=node-${index}`;
		const stream = await transport.stream('/api/v1/pods', {...query, fieldSelector}, 300_000, signal);
		stream.on('error', () => undefined).resume();
	};
	// More at once are answered with 429: API Priority and Fairness counts their initialization as work.
	for (let start = 0; start < watches; start += atOnce) {
		const group = Array.from({length: Math.min(atOnce, watches - start)}, (_, index) => open(start + index));
		await Promise.all(group);
	}
	const opening = performance.now() - openedAt;
	const listedAt = performance.now();
	const lists = 100;
	for (let i = 0; i < lists; i++) await transport.json('/api/v1/nodes', {limit: '500'});
	const listing = (performance.now() - listedAt) / lists;
	const {user, system} = process.cpuUsage();
	const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
	return {
		...{watches, sockets, opening, listing},
		cpu: (user + system) / 1000,
		megabytes: process.memoryUsage().rss / 1e6,
	};
}

const report = (measured: ConnectionsMeasured): string =>
	isUnmeasurable(measured)
		? measured.unmeasurable
		: measured
				.map(({protocol, watches, sockets, opening, listing, cpu, megabytes}) =>
					[
						`${protocol.padEnd(9)}${watches} watches`,
						`${sockets} connections`,
						`opened in ${opening.toFixed(0)} ms`,
						`a list ${listing.toFixed(1)} ms`,
						`CPU ${cpu.toFixed(0)} ms`,
						`memory ${megabytes.toFixed(0)} MB`,
					].join(', '),
				)
				.join('\n');

if (import.meta.main) {
	await runAsProgram({measure, report});
	// The watches are still open.
	process.exit();
}
