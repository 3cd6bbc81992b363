import {setTimeout as sleep} from 'node:timers/promises';
import {ApiClient, mergePatch, unless} from '../apiClient.ts';
import type {ClockOffsets} from '../fleet.ts';
import {time} from '../objects.ts';
import type {Session} from '../session.ts';
import {createPods} from '../workload.ts';

const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
const leaderLease = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager';
const denial = 'soak-denies';

/** The pods that a policy protects from deletion, by the end of their name. */
export const protectedKind = 'default-0';

/** The actions of a soak on a cluster. */
export class World {
	readonly #session: Session;
	readonly #clockOffsets: ClockOffsets;
	readonly #user: ApiClient;
	readonly #kubelet: ApiClient;

	/** @param clockOffsets how far kubelets' clocks are ahead, in milliseconds */
	constructor(session: Session, clockOffsets: ClockOffsets) {
		this.#clockOffsets = clockOffsets;
		const {admin} = session.cluster.controlPlane;
		this.#session = session;
		this.#user = new ApiClient(admin, 'kubectl-taint/v1');
		this.#kubelet = new ApiClient(admin, 'kubelet/v1');
	}

	/** Each zone's nodes. */
	zones(): readonly string[][] {
		const {fleet} = this.#session.cluster;
		const names = [...new Set(fleet.kubelets.map(({zone}) => zone))];
		return names.map((zone) => fleet.namesIn(zone));
	}

	stop(...nodes: readonly string[]): void {
		this.#session.cluster.fleet.stop(nodes);
	}

	async start(...nodes: readonly string[]): Promise<void> {
		await again(() => this.#session.cluster.fleet.start(nodes));
	}

	/** Sets a node's taints as a user would. */
	async taint(node: string, taints: readonly object[]): Promise<void> {
		await again(() =>
			this.#user.request('PATCH', `/api/v1/nodes/${node}`, {spec: {taints}}, 'application/merge-patch+json'),
		);
	}

	/** Sets a node's Ready condition, as its kubelet would. */
	async setReady(node: string, status: 'True' | 'False'): Promise<void> {
		const now = time(Date.now() + (this.#clockOffsets[node] ?? 0));
		const ready = {type: 'Ready', status, lastHeartbeatTime: now, lastTransitionTime: now};
		const body = {status: {conditions: [ready]}};
		await again(() => this.#kubelet.request('PATCH', `/api/v1/nodes/${node}/status`, body, mergePatch));
	}

	/** Denies the deletion of some pods, or allows it again. */
	async deny(isDenied: boolean): Promise<void> {
		const {admin} = this.#session.cluster;
		if (!isDenied) {
			await again(() => unless(404, admin.request('DELETE', `${bindings}/${denial}`)));
			await again(() => unless(404, admin.request('DELETE', `${policies}/${denial}`)));
			return;
		}
		const metadata = {name: denial};
		const rule = {apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['pods']};
		const expression = `!has(oldObject.metadata.labels) || !('app' in oldObject.metadata.labels) || oldObject.metadata.labels['app'] != '${protectedKind}'`;
		const spec = {
			failurePolicy: 'Fail',
			matchConstraints: {resourceRules: [rule]},
			validations: [{expression}],
		};
		await again(() => unless(409, admin.request('POST', policies, {metadata, spec})));
		const binding = {policyName: denial, validationActions: ['Deny']};
		await again(() => unless(409, admin.request('POST', bindings, {metadata, spec: binding})));
	}

	/** Makes a harmless change to a node's protected pod, which shows a shadow that its watch works. */
	async touch(node: string): Promise<void> {
		const path = `/api/v1/namespaces/shop/pods/${node}-${protectedKind}`;
		const body = {metadata: {annotations: {'evictwatch.test/touched': time(Date.now())}}};
		await again(() => unless(404, this.#user.request('PATCH', path, body, mergePatch)));
	}

	async killControllers(): Promise<void> {
		await this.#session.processes.kill('controller-manager');
	}

	/** Starts controllers, and waits until they lead: the previous lease must expire. */
	async startControllers(flags: readonly string[] = []): Promise<void> {
		const before = await this.#acquired();
		this.#session.cluster.controlPlane.startControllerManager(flags);
		for (const deadline = Date.now() + 60_000; (await this.#acquired()) === before; await sleep(200)) {
			if (Date.now() > deadline) throw new Error('no controller manager took the lease');
		}
	}

	/**
	 * Kills the API server this many times in a row, and the controllers, which cannot run without it; then starts both again.
	 */
	async restartApiServer(times: number, pause: () => Promise<void>): Promise<void> {
		const {processes, cluster} = this.#session;
		await processes.kill('controller-manager');
		for (let left = times; left > 0; left -= 1) {
			await processes.kill('apiserver');
			await cluster.controlPlane.startApiServer();
			await pause();
		}
		await this.startControllers();
	}

	/** Restores everything that a round has broken. */
	async restore(): Promise<void> {
		const {admin, fleet} = this.#session.cluster;
		await this.deny(false);
		const names = fleet.kubelets.map(({name}) => name);
		await this.start(...names);
		for (const name of names) await this.setReady(name, 'True');
		await sleep(12_000);
		for (const name of names) {
			const path = `/api/v1/namespaces/shop/pods/${name}-${protectedKind}`;
			await again(() => unless(404, admin.request('DELETE', path, {gracePeriodSeconds: 1})));
		}
		await sleep(4000);
		await again(() => createPods(admin, names));
	}

	async #acquired(): Promise<string> {
		const {admin} = this.#session.cluster;
		return again(async () => {
			const lease = await admin.request<{spec: {acquireTime?: string}}>('GET', leaderLease);
			return lease.spec.acquireTime ?? '';
		});
	}
}

/** A server that was just started refuses requests for a while. */
async function again<T>(request: () => Promise<T>): Promise<T> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			return await request();
		} catch (error) {
			if (attempt === 20) throw error;
			await sleep(300);
		}
	}
}
