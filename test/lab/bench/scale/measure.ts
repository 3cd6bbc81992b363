import {freemem} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {build} from 'rolldown';
import {ApiClient} from '../../../e2e/apiClient.ts';
import type {ApiServer} from '../../../e2e/controlPlane.ts';
import {type Candidate, compare, type FullCost, program, tenAtOnce} from './compare.ts';
import {Etcd} from './etcd.ts';
import {Filling, type Size} from './fill.ts';
import {firstFrame, zonesFrame, zonesFrameName} from './firstFrame.ts';
import {shareOfCore} from './program.ts';
import {Renewals, renewInterval} from './renewals.ts';

/** The costs at one size. The first row of each table is the lower bound: a transfer without parsing. */
export type SizeResult = {
	readonly size: Size;
	/** With a third of the nodes dead. */
	readonly dead: readonly FullCost[];
	/** With healthy nodes. */
	readonly well?: {
		readonly costs: readonly FullCost[];
		readonly watching: {
			readonly renewalsPerSecond: number;
			readonly percent: number;
			readonly peakMegabytes: number;
		};
	};
};

export type Plan = {
	readonly rounds: number;
	/**
	 * `short` leaves out what takes minutes: kubectl with all pods, and ten programs at once; `ratio` all but `--all`, and
	 * `frames` all but the dashboard's first frames, and what they are compared with.
	 */
	readonly extent: 'full' | 'short' | 'ratio' | 'frames';
};

/** The ratio of `--all` to the bare transfer, in wall time. */
export function allToBare({dead}: SizeResult): number {
	const [bare, all] = [dead[0], dead.find(({name}) => name === rowNames.all)];
	return (all?.wallSeconds ?? Number.NaN) / (bare?.wallSeconds ?? Number.NaN);
}

/** The ratio of the first frame with zones and nodes to another row, in wall time. */
export function frameTo({dead}: SizeResult, name: string): number {
	const [frame, other] = [zonesFrameName, name].map((row) => dead.find((cost) => cost.name === row));
	return (frame?.wallSeconds ?? Number.NaN) / (other?.wallSeconds ?? Number.NaN);
}

/** The names of the rows by which the goals are judged. */
export const rowNames = {
	default: '`evictwatch pods -A -o json`',
	all: '`evictwatch pods -A --all -o json`',
	kubectlPods: '`kubectl get pods -A`',
	nodes: 'the pages of nodes and leases, nothing read',
	kubectlNodes: '`kubectl get nodes` and `kubectl get leases`',
	zonesFrame: zonesFrameName,
} as const;

const plugin = join(import.meta.dirname, '../../../../dist/kubectl-evictwatch');
const podsPath = '/api/v1/pods';
const nodesPath = '/api/v1/nodes';
const leasesPath = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';
const isDead = (index: number) => index % 3 === 0;

/** kubectl's memory for each pod that it lists, in bytes: 6.9 GB for 150,000. */
const kubectlPerPod = 50_000;

/** A filled cluster, and the candidates to compare in it. */
type Field = {
	readonly size: Size;
	readonly rounds: number;
	readonly env: NodeJS.ProcessEnv;
	readonly api: ApiClient;
	readonly filling: Filling;
	readonly bare: (name: string, paths: readonly string[]) => Candidate;
	readonly once: Candidate;
	readonly frame: Candidate;
	readonly zones: Candidate;
};

/** Fills a cluster, and measures everything in it. */
export async function measureSize(
	server: ApiServer,
	size: Size,
	{rounds, extent}: Plan,
	folder: string,
): Promise<SizeResult> {
	const env = {...process.env, KUBECONFIG: server.adminKubeconfig};
	const bundled = await bundleBareTransfer(folder);
	const api = new ApiClient(server.admin, 'kubelet/v1.36.3');
	const filling = new Filling(api, new Etcd(server.etcd), size);
	const field: Field = {
		...{size, rounds, env, api, filling},
		bare: (name, paths) => program(name, [process.execPath, bundled, server.adminKubeconfig, ...paths], env),
		once: program(rowNames.default, [plugin, 'pods', '-A', '-o', 'json'], env),
		frame: firstFrame(plugin, env),
		zones: zonesFrame(plugin, env),
	};
	await filling.fill();
	await caughtUp(api);
	const well = extent === 'ratio' || extent === 'frames' ? undefined : await measureWell(field);
	const dead = await measureDead(field, extent);
	api.close();
	return {size, dead, ...(well && {well})};
}

const caughtUpWithin = 300_000;

/** Waits until the API server's caches have what was written to etcd directly: it answers no list until then. */
async function caughtUp(api: ApiClient): Promise<void> {
	const end = performance.now() + caughtUpWithin;
	for (const path of [podsPath, nodesPath, leasesPath]) {
		const isAnswered = () =>
			api.request('GET', `${path}?limit=1`).then(
				() => true,
				(error) => {
					if (performance.now() > end) throw error;
				},
			);
		while (!(await isAnswered())) await sleep(1000);
	}
}

async function measureWell(field: Field): Promise<SizeResult['well']> {
	const {size, rounds, env, api, filling, bare, once, frame} = field;
	const all = new Renewals(filling, filling.names);
	const costs = await compare(api, rounds, [bare(rowNames.nodes, [nodesPath, leasesPath]), once, frame]);
	const times = {warmUp: 15_000, measured: 20_000};
	const share = await shareOfCore([plugin, 'pods', '-A', '-w'], env, times);
	await all.end();
	return {costs, watching: {...share, renewalsPerSecond: (size.nodes / renewInterval) * 1000}};
}

async function measureDead(field: Field, extent: Plan['extent']): Promise<readonly FullCost[]> {
	const {size, rounds, env, api, filling, bare, once, frame} = field;
	await filling.setDead(isDead);
	await caughtUp(api);
	const rest = new Renewals(
		filling,
		filling.names.filter((_, index) => !isDead(index)),
	);
	const everything = [podsPath, nodesPath, leasesPath];
	const limit = bare('the pages of all pods, nodes and leases, nothing read', everything);
	const all = program(rowNames.all, [plugin, 'pods', '-A', '--all', '-o', 'json'], env);
	const nodes = program('`kubectl get nodes -o json`', ['kubectl', 'get', 'nodes', '-o', 'json'], env);
	const transfer = bare(rowNames.nodes, [nodesPath, leasesPath]);
	const runtime = program('`node -e 0`', [process.execPath, '-e', '0'], env);
	const kubectl = program(rowNames.kubectlNodes, ['sh', '-c', kubectlNodes], env);
	const candidates = {
		ratio: [limit, all],
		frames: [transfer, runtime, kubectl, field.zones, frame],
		short: [limit, once, all, transfer, field.zones, frame, nodes],
	};
	const costs = await compare(api, rounds, candidates[extent === 'full' ? 'short' : extent]);
	const slow =
		extent === 'full' ? await compare(api, 1, [...kubectlPods(size, env), tenAtOnce(plugin, env)]) : [];
	await rest.end();
	return [...costs, ...slow];
}

const kubectlNodes = 'kubectl get nodes && kubectl get leases -n kube-node-lease';

/** kubectl with all pods, if there is enough memory. */
function kubectlPods({nodes, podsPerNode}: Size, env: NodeJS.ProcessEnv) {
	const needed = nodes * podsPerNode * kubectlPerPod;
	if (freemem() > needed) return [program(rowNames.kubectlPods, ['kubectl', 'get', 'pods', '-A'], env)];
	const [has, needs] = [freemem(), needed].map((bytes) => (bytes / 1e9).toFixed(1));
	console.error(`left out: kubectl get pods -A needs some ${needs} GB, and ${has} GB are free`);
	return [];
}

async function bundleBareTransfer(folder: string): Promise<string> {
	const outfile = join(folder, 'bareTransfer.mjs');
	const entryPoint = join(import.meta.dirname, 'bareTransfer.ts');
	await build({input: entryPoint, platform: 'node', output: {file: outfile, format: 'esm'}});
	return outfile;
}
