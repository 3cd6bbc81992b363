import {freemem} from 'node:os';
import {join} from 'node:path';
import {build} from 'esbuild';
import {ApiClient} from '../../../e2e/apiClient.ts';
import type {ApiServer} from '../../../e2e/controlPlane.ts';
import {compare, type FullCost, program, tenAtOnce} from './compare.ts';
import {Etcd} from './etcd.ts';
import {Filling, type Size} from './fill.ts';
import {firstFrame} from './firstFrame.ts';
import {shareOfCore} from './program.ts';
import {Renewals, renewInterval} from './renewals.ts';

/** What one size has cost. The first row of each table is the limit: a transfer of which nothing is read. */
export type SizeResult = {
	readonly size: Size;
	readonly healthy: readonly FullCost[];
	readonly watching: {
		readonly renewalsPerSecond: number;
		readonly percent: number;
		readonly peakMegabytes: number;
	};
	/** With a third of the nodes dead. */
	readonly dead: readonly FullCost[];
};

export type Plan = {
	readonly rounds: number;
	/** Leaves out what takes minutes: kubectl with all pods, and ten programs at once. */
	readonly isShort: boolean;
};

/** The names of the rows by which the goals are judged. */
export const rowNames = {
	default: '`evictwatch pods -A -o json`',
	all: '`evictwatch pods -A --all -o json`',
	kubectlPods: '`kubectl get pods -A`',
} as const;

const plugin = join(import.meta.dirname, '../../../../dist/kubectl-evictwatch');
const nodesPath = '/api/v1/nodes';
const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const isDead = (index: number) => index % 3 === 0;

/** What kubectl takes for each pod that it lists, in bytes: 6.9 GB for 150,000. */
const kubectlPerPod = 50_000;

/** Fills a cluster, and measures all in it. */
export async function measure(
	server: ApiServer,
	size: Size,
	{rounds, isShort}: Plan,
	folder: string,
): Promise<SizeResult> {
	const env = {...process.env, KUBECONFIG: server.adminKubeconfig};
	const bundled = await bundleBareTransfer(folder);
	const bare = (name: string, paths: readonly string[]) =>
		program(name, [process.execPath, bundled, server.adminKubeconfig, ...paths], env);
	const once = program(rowNames.default, [plugin, 'pods', '-A', '-o', 'json'], env);
	const frame = firstFrame(plugin, env);
	const api = new ApiClient(server.admin, 'kubelet/v1.36.3');
	const filling = new Filling(api, new Etcd(server.etcd), size);
	await filling.fill();

	const all = new Renewals(filling, filling.names);
	const healthy = await compare(api, rounds, [
		bare('the pages of nodes and leases, nothing read', [nodesPath, leasesPath]),
		once,
		frame,
	]);
	const times = {warmUp: 15_000, measured: 20_000};
	const share = await shareOfCore([plugin, 'pods', '-A', '-w'], env, times);
	const watching = {...share, renewalsPerSecond: (size.nodes / renewInterval) * 1000};
	await all.end();

	await filling.setDead(isDead);
	const rest = new Renewals(
		filling,
		filling.names.filter((_, index) => !isDead(index)),
	);
	const dead = await compare(api, rounds, [
		bare('the pages of all pods, nodes and leases, nothing read', ['/api/v1/pods', nodesPath, leasesPath]),
		once,
		program(rowNames.all, [plugin, 'pods', '-A', '--all', '-o', 'json'], env),
		frame,
		program('`kubectl get nodes -o json`', ['kubectl', 'get', 'nodes', '-o', 'json'], env),
	]);
	const slow = isShort ? [] : await compare(api, 1, [...kubectlPods(size, env), tenAtOnce(plugin, env)]);
	await rest.end();
	api.close();
	return {size, healthy, watching, dead: [...dead, ...slow]};
}

/** kubectl with all pods, where there is memory for it. */
function kubectlPods({nodes, podsPerNode}: Size, env: NodeJS.ProcessEnv) {
	const needed = nodes * podsPerNode * kubectlPerPod;
	if (freemem() > needed) return [program(rowNames.kubectlPods, ['kubectl', 'get', 'pods', '-A'], env)];
	const [has, needs] = [freemem(), needed].map((bytes) => (bytes / 1e9).toFixed(1));
	console.log(`left out: kubectl get pods -A needs some ${needs} GB, and ${has} GB are free`);
	return [];
}

async function bundleBareTransfer(folder: string): Promise<string> {
	const outfile = join(folder, 'bareTransfer.mjs');
	const entryPoint = join(import.meta.dirname, 'bareTransfer.ts');
	await build({entryPoints: [entryPoint], outfile, bundle: true, platform: 'node', format: 'esm'});
	return outfile;
}
