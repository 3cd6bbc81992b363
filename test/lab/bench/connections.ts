import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {resolveAccess} from '../../../src/cluster/access.ts';
import {systemSurroundings} from '../../../src/cluster/surroundings.ts';
import {systemTiming} from '../../../src/cluster/timing.ts';
import {openTransport} from '../../../src/cluster/transport.ts';
import {buildControlPlane, kubernetesVersion} from '../../e2e/buildControlPlane.ts';
import {startCluster} from '../../e2e/cluster.ts';
import {Processes} from '../../e2e/processes.ts';

// How many watches at once fare over HTTP/2 and over HTTP/1.1, on a real API server through the tool's own transport. It
// prints numbers and never fails. Each run has a process of its own.

const atOnce = 50;

const [kubeconfig, watches] = process.argv.slice(2);
if (kubeconfig === undefined) await main();
else await measure(kubeconfig, Number(watches));

async function main(): Promise<void> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-connections-'));
	const say = (line: string) => console.error(line);
	const processes = new Processes(buildControlPlane(say), join(folder, 'logs'));
	try {
		const {controlPlane} = await startCluster(processes, folder, kubernetesVersion(), say);
		for (const count of [0, 10, 100, 500, 1000]) {
			for (const [protocol, env] of [
				['HTTP/1.1', {DISABLE_HTTP2: '1'}],
				['HTTP/2', {}],
			] as const) {
				const args = [import.meta.filename, controlPlane.viewerKubeconfig, String(count)];
				const out = execFileSync(process.execPath, args, {env: {...process.env, ...env}});
				console.log(`${protocol.padEnd(9)}${out.toString().trimEnd()}`);
			}
		}
	} finally {
		await processes.stop();
		rmSync(folder, {recursive: true, force: true});
	}
	process.exit();
}

/** Opens watches, and reads lists beside them. */
async function measure(kubeconfig: string, watches: number): Promise<void> {
	const surroundings = systemSurroundings();
	const access = await resolveAccess({kubeconfig}, surroundings);
	const transport = await openTransport(access, surroundings, systemTiming);
	await transport.json('/version');
	const openedAt = performance.now();
	const {signal} = new AbortController();
	const query = {watch: 'true', allowWatchBookmarks: 'true', timeoutSeconds: '300'};
	const open = async (index: number) => {
		const fieldSelector = `spec.nodeName=node-${index}`;
		const stream = await transport.stream('/api/v1/pods', {...query, fieldSelector}, 300_000, signal);
		stream.on('error', () => undefined).resume();
	};
	// More at once are answered by 429: API Priority and Fairness takes their opening for work.
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
	console.log(
		[
			`${watches} watches`,
			`${sockets} connections`,
			`opened in ${opening.toFixed(0)} ms`,
			`a list ${listing.toFixed(1)} ms`,
			`CPU ${((user + system) / 1000).toFixed(0)} ms`,
			`memory ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB`,
		].join(', '),
	);
	process.exit();
}
