import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import type {ControllerSettings} from '../../../src/core/model/controllerSettings.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import type {Duration} from '../../../src/core/time/instant.ts';
import {ApiClient, mergePatch} from '../../e2e/apiClient.ts';
import {type Cluster, type ClusterOptions, startCluster} from '../../e2e/cluster.ts';
import {Processes} from '../../e2e/processes.ts';
import {Observer} from './observer.ts';
import type {Recording, Step} from './recording.ts';

/** An outage to play. */
export type Experiment = {
	readonly name: string;
	readonly title: string;
	readonly cluster: ClusterOptions;
	/** The settings that its flags set, for the forecaster. */
	readonly settings?: Partial<ControllerSettings>;
	/** Whether the flags are hidden from the forecaster. */
	readonly hidesFlags?: boolean;
	/** The time between two lists, in milliseconds. */
	readonly lookEvery?: number;
	/** Whether it takes many minutes, so that it is played only if it is named. */
	readonly takesLong?: boolean;
	readonly play: (laboratory: Laboratory) => Promise<void>;
};

/** A request of a user: a strategic merge patch unless a type is given. */
type Write = readonly [method: 'PATCH' | 'POST' | 'DELETE', path: string, body?: object, type?: string];

/** A built control plane. */
export type Kubernetes = {readonly program: string; readonly version: string};

export type Say = (line: string) => void;

/** How long a new cluster runs before the outage; it is watched for most of this time. */
const settling = 25_000;
const unreachable = 'node.kubernetes.io/unreachable:NoExecute';

/** A control plane with its nodes, and the actions of a script, each of which is recorded. */
export class Laboratory {
	readonly steps: Step[] = [];
	/** Pods whose tolerations were changed. */
	readonly editedPods: string[] = [];
	readonly cluster: Cluster;
	readonly #processes: Processes;
	readonly #say: Say;

	constructor(cluster: Cluster, processes: Processes, say: Say) {
		this.cluster = cluster;
		this.#processes = processes;
		this.#say = say;
	}

	/** The last node that fails begins a full disruption of all zones. */
	stop(...nodes: readonly string[]): void {
		const isAnyLeft = this.cluster.fleet.kubelets.some(({name, isAlive}) => isAlive && !nodes.includes(name));
		this.#note('stop', nodes, isAnyLeft ? this.#mates(nodes) : this.#names());
		this.cluster.fleet.stop(nodes);
	}

	/** A node that is back may end a full disruption of all zones. */
	async start(...nodes: readonly string[]): Promise<void> {
		this.#note('start', nodes, this.#names());
		await this.cluster.fleet.start(nodes);
	}

	/** Kills the controller manager and starts another, which waits for the old lease to expire; other flags replace its own. */
	async restartControllers(otherFlags: readonly string[] = [], pause: Duration = 0): Promise<void> {
		this.#note('restart', [], this.#names());
		await this.#processes.kill('controller-manager');
		if (pause > 0) await sleep(pause);
		this.cluster.controlPlane.startControllerManager(otherFlags);
	}

	/** Stops the API server for longer than a leader's lease lasts: the controller manager ends, and is started again afterwards. */
	async loseApiServer(duration: Duration): Promise<void> {
		this.#say(`apiserver is away for ${duration} ms`);
		this.#processes.signal('apiserver', 'SIGSTOP');
		this.#note('restart', [], this.#names());
		await this.#processes.kill('controller-manager');
		await sleep(duration);
		this.#processes.signal('apiserver', 'SIGCONT');
		this.cluster.controlPlane.startControllerManager();
	}

	/** Stops a server for a time, in milliseconds. */
	async pause(server: 'apiserver' | 'controller-manager', duration: Duration): Promise<void> {
		this.#say(`${server} stands still for ${duration} ms`);
		this.#processes.signal(server, 'SIGSTOP');
		await sleep(duration);
		this.#processes.signal(server, 'SIGCONT');
	}

	/** Sets a node's taints without a time, as `kubectl taint` does. */
	async taint(node: string, taints: readonly object[]): Promise<void> {
		this.#note('taint', [node], [node]);
		await this.#write('PATCH', `/api/v1/nodes/${node}`, {spec: {taints}});
	}

	/** Sets labels as the same user, which updates the taints' time in managedFields; the node may change its zone. */
	async label(node: string, labels: object, changesZone: boolean): Promise<void> {
		this.#note('label', [node], changesZone ? this.#names() : [node]);
		await this.#write('PATCH', `/api/v1/nodes/${node}`, {metadata: {labels}});
	}

	/** Deletes a Node object whose machine is gone. */
	async deleteNode(node: string): Promise<void> {
		this.#note('delete', [node], this.#names());
		this.cluster.fleet.stop([node]);
		await this.#write('DELETE', `/api/v1/nodes/${node}`);
	}

	/** Writes anything else as a user; the nodes are those whose pods it may affect. */
	async write(kind: Step['kind'], nodes: readonly string[], ...request: Write): Promise<void> {
		this.#note(kind, nodes, nodes);
		await this.#write(...request);
	}

	/** All nodes, and those of the same zones as some. */
	get everyNode(): readonly string[] {
		return this.#names();
	}

	async #write(method: Write[0], path: string, body?: object, type = mergePatch): Promise<void> {
		const api = new ApiClient(this.cluster.controlPlane.admin, 'kubectl-taint/v1');
		await api.request(method, path, body, type);
		api.close();
	}

	/** When the node got the unreachable taint, since the first step. */
	taintedAt(node: string): number | undefined {
		return this.cluster.recorder.find(`node/${node}`, `+${unreachable}`, this.steps[0]?.at);
	}

	/** Waits for a condition up to a limit; the judge handles what does not come. */
	async until(isTrue: () => boolean, limit: number): Promise<void> {
		for (const deadline = Date.now() + limit; !isTrue() && Date.now() < deadline; ) await sleep(200);
	}

	/** Waits until all doomed pods are deleted, and then a little longer for deletions that must not come. */
	async untilOver(limit: number): Promise<void> {
		const dead = this.cluster.fleet.kubelets.filter(({isAlive}) => !isAlive).map(({name}) => name);
		await this.until(() => dead.every((node) => this.taintedAt(node) && !this.#hasDoomed(node)), limit);
		await sleep(8000);
	}

	#hasDoomed(node: string): boolean {
		const {recorder} = this.cluster;
		return recorder
			.objects(`pod/shop/${node}-`)
			.some((pod) => !pod.endsWith('-patient') && recorder.find(pod, 'Terminating') === undefined);
	}

	#names(): string[] {
		return this.cluster.fleet.kubelets.map(({name}) => name);
	}

	#mates(nodes: readonly string[]): string[] {
		const {fleet} = this.cluster;
		return [...new Set(nodes.map((node) => node.slice(0, 1)))].flatMap((zone) => fleet.namesIn(zone));
	}

	#note(kind: Step['kind'], nodes: readonly string[], touches: readonly string[]): void {
		this.steps.push({at: Date.now(), kind, nodes, touches});
		this.#say(`${kind} ${nodes.length > 9 ? `${nodes.length} nodes` : nodes.join(' ')}`);
	}
}

/** Starts a control plane, plays the outage on it, and returns the recording. */
export async function record(
	experiment: Experiment,
	{program, version}: Kubernetes,
	say: Say,
): Promise<Recording> {
	const folder = mkdtempSync(join(tmpdir(), 'evictwatch-accuracy-'));
	const processes = new Processes(program, join(folder, 'logs'));
	try {
		return await Promise.race([recordIn(folder, processes, version, experiment, say), processes.crash]);
	} finally {
		await processes.stop();
		rmSync(folder, {recursive: true, force: true});
	}
}

async function recordIn(
	folder: string,
	processes: Processes,
	version: string,
	{name, title, cluster: options, settings, hidesFlags = false, lookEvery = 2000, play}: Experiment,
	say: Say,
): Promise<Recording> {
	const startedAt = Date.now();
	const cluster = await startCluster(processes, folder, version, say, options);
	say(`${cluster.fleet.kubelets.length} nodes are ready`);
	const observer = await Observer.start(cluster.controlPlane.viewerKubeconfig, lookEvery, say);
	await sleep(settling + 5000 * Math.random());
	const laboratory = new Laboratory(cluster, processes, say);
	await play(laboratory);
	await observer.stop();
	cluster.fleet.end();
	cluster.recorder.end();
	return {
		name,
		title,
		startedAt,
		kubernetesVersion: version,
		flags: options.flags ?? [],
		settings: {...settingsFor(version), ...settings},
		hidesFlags,
		observed: observer.observed,
		snapshots: observer.snapshots,
		steps: laboratory.steps,
		editedPods: laboratory.editedPods,
		changes: cluster.recorder.changes,
		endedAt: Date.now(),
	};
}
