import {existsSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {ApiClient} from '../e2e/apiClient.ts';
import {buildControlPlane, hasGo} from '../e2e/buildControlPlane.ts';
import {type ApiServer, startApiServer} from '../e2e/controlPlane.ts';
import {Processes} from '../e2e/processes.ts';
import {leasesPath, nodesPath, podsPath} from './scale/bareTransfer.ts';
import {bare, compare, program, tenAtOnce} from './scale/compare.ts';
import {Etcd} from './scale/etcd.ts';
import {Filling} from './scale/fill.ts';
import {shareOfCore} from './scale/program.ts';
import {Renewals, renewInterval} from './scale/renewals.ts';

// What a look at a large cluster costs, the API server and us, beside kubectl and beside the bare transfer of the same
// pages. Each figure is the best of some rounds, in which all take turns: other work on the machine hits all alike.

const {values} = parseArgs({
	options: {
		nodes: {type: 'string', default: '1000'},
		'pods-per-node': {type: 'string', default: '20'},
		rounds: {type: 'string', default: '3'},
		/** Leaves out what takes minutes. */
		short: {type: 'boolean'},
	},
});

const plugin = join(import.meta.dirname, '../../dist/kubectl-evictwatch');
const size = {nodes: Number(values.nodes), podsPerNode: Number(values['pods-per-node'])};
const rounds = Number(values.rounds);
const isDead = (index: number) => index % 3 === 0;

process.exitCode = await main();

async function main(): Promise<number> {
	if (process.platform !== 'linux' || !hasGo()) {
		console.log('skipped: it needs Linux, and Go to build the control plane');
		return 0;
	}
	if (!existsSync(plugin)) {
		console.error(`error: there is no ${plugin}; npm run build makes it`);
		return 1;
	}
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-scale-'));
	const processes = new Processes(buildControlPlane(console.log), join(folder, 'logs'));
	try {
		await Promise.race([measureAll(await startApiServer(processes, folder)), processes.crash]);
		return 0;
	} finally {
		await processes.stop();
		rmSync(folder, {recursive: true, force: true});
	}
}

async function measureAll(server: ApiServer): Promise<void> {
	const api = new ApiClient(server.admin, 'kubelet/v1.36.3');
	const filling = new Filling(api, new Etcd(server.etcd), size);
	const startedAt = performance.now();
	await filling.fill();
	const pods = size.nodes * size.podsPerNode;
	console.log(
		`${size.nodes} nodes, ${pods} pods, made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
	);
	const env = {...process.env, KUBECONFIG: server.adminKubeconfig};

	const healthy = new Renewals(filling, filling.names);
	console.log('\nall nodes well');
	await compare(api, rounds, [
		bare('bare transfer of nodes and leases', server, [nodesPath, leasesPath]),
		program('evictwatch pods -A -o json', [plugin, 'pods', '-A', '-o', 'json'], env),
	]);
	const watching = {warmUp: 15_000, measured: 20_000};
	const {percent, peakMegabytes} = await shareOfCore([plugin, 'pods', '-A', '-w'], env, watching);
	const rate = (size.nodes / renewInterval) * 1000;
	console.log(
		`watching ${rate} renewals a second: ${percent.toFixed(1)} % of a core, ${peakMegabytes.toFixed(0)} MB`,
	);
	await healthy.end();

	await filling.setDead(isDead);
	const rest = new Renewals(
		filling,
		filling.names.filter((_, index) => !isDead(index)),
	);
	console.log('\na third of the nodes dead');
	await compare(api, rounds, [
		bare('bare transfer of all pods, nodes and leases', server, [podsPath, nodesPath, leasesPath]),
		program('evictwatch pods -A -o json', [plugin, 'pods', '-A', '-o', 'json'], env),
		program('evictwatch pods -A --all -o json', [plugin, 'pods', '-A', '--all', '-o', 'json'], env),
		program('kubectl get nodes -o json', ['kubectl', 'get', 'nodes', '-o', 'json'], env),
		...(values.short ? [] : [program('kubectl get pods -A', ['kubectl', 'get', 'pods', '-A'], env)]),
		tenAtOnce(plugin, env),
	]);
	if (!values.short) await compare(api, 1, [tenAtOnce(plugin, env)]);
	await rest.end();
	api.close();
}
