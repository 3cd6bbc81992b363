import {readFileSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {ApiClient, unless} from './apiClient.ts';
import {type ControlPlane, type ControlPlaneOptions, startControlPlane} from './controlPlane.ts';
import {type ClockOffsets, Fleet, type Layout} from './fleet.ts';
import type {Processes} from './processes.ts';
import {Recorder} from './recorder.ts';
import {createPods, type PodKinds} from './workload.ts';

/** Options that differ from the cluster of the plugin's test. */
export type ClusterOptions = ControlPlaneOptions & {
	readonly layout?: Layout;
	readonly clockOffsets?: ClockOffsets;
	readonly podKinds?: PodKinds;
};

export type Cluster = {
	/** A client that may do everything. */
	readonly admin: ApiClient;
	readonly controlPlane: ControlPlane;
	readonly fleet: Fleet;
	readonly recorder: Recorder;
};

/** Starts a cluster of three zones, in which all nodes are ready and their pods run. */
export async function startCluster(
	processes: Processes,
	folder: string,
	version: string,
	warn: (line: string) => void,
	options: ClusterOptions = {},
): Promise<Cluster> {
	const controlPlane = await startControlPlane(processes, folder, version, options);
	const admin = new ApiClient(controlPlane.admin, 'e2e');
	const kubelet = new ApiClient(controlPlane.admin, `kubelet/${version}`);
	const [fleet, recorder] = [new Fleet(kubelet, warn, options.layout, options.clockOffsets), new Recorder()];
	await allowViewer(admin);
	recorder.start(admin);
	await fleet.register();
	const names = fleet.kubelets.map(({name}) => name);
	await createPods(admin, names, options.podKinds);
	await untilReady(recorder, names);
	return {admin, controlPlane, fleet, recorder};
}

/** The verbs of the viewer's requests, from the API server's audit log. */
export function viewerVerbs({auditLog}: ControlPlane): Set<string> {
	const lines = readFileSync(auditLog, 'utf8').trim().split('\n').filter(Boolean);
	return new Set(lines.map((line) => (JSON.parse(line) as {verb: string}).verb));
}

async function allowViewer(api: ApiClient): Promise<void> {
	const rbac = '/apis/rbac.authorization.k8s.io/v1';
	const metadata = {name: 'viewer'};
	const rules = [{apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch']}];
	await unless(409, api.request('POST', `${rbac}/clusterroles`, {metadata, rules}));
	await unless(
		409,
		api.request('POST', `${rbac}/clusterrolebindings`, {
			metadata,
			roleRef: {apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'viewer'},
			subjects: [{apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'viewer'}],
		}),
	);
}

/** The controller manager's time per node, in milliseconds: two calls at 20 per second, and a reserve. */
const patiencePerNode = 300;

/** New nodes have a not-ready taint until the controller manager leads and has seen that they are ready. */
async function untilReady(recorder: Recorder, names: readonly string[]): Promise<void> {
	const taint = 'node.kubernetes.io/not-ready:NoSchedule';
	const isReady = (name: string) => {
		const added = recorder.find(`node/${name}`, `+${taint}`);
		return added !== undefined && recorder.find(`node/${name}`, `-${taint}`, added) !== undefined;
	};
	for (
		const deadline = Date.now() + 60_000 + patiencePerNode * names.length;
		!names.every(isReady);
		await sleep(100)
	) {
		if (Date.now() > deadline) throw new Error('the nodes did not become ready in time');
	}
}
