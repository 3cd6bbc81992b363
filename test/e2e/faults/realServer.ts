import {setTimeout as sleep} from 'node:timers/promises';
import type {FaultServer} from '../../support/faults/faultServer.ts';
import {type ApiClient, mergePatch, unless} from '../apiClient.ts';
import type {Session} from '../session.ts';

const node = 'a-1';
const pods = '/api/v1/namespaces/shop/pods';
/** A connection that was just closed fails once; a server that was just started refuses requests for a while. */
const attempts = 20;

/** The real API server of a session, its controller manager, and kubelets that keep renewing their leases. */
export function realServer({cluster, processes}: Session): FaultServer {
	const {admin, controlPlane} = cluster;
	const {server: url, ca, cert, key} = controlPlane.admin;
	let changes = 0;
	const addPod = (name: string, bytes: number) =>
		again(() => unless(409, admin.request('POST', pods, podOf(name, bytes))));
	return {
		upstream: {url, ca, cert, key},
		now: Date.now,
		addPod,
		change: async () => {
			changes += 1;
			await again(() => label(admin, `${changes}`));
			await addPod(`change-${changes}`, 10);
			const path = `${pods}/change-${changes - 1}`;
			await again(() => unless(404, admin.request('DELETE', path, {gracePeriodSeconds: 0})));
		},
		freeze: async () => {
			// It would exit by itself if it could not renew its lease in time.
			await processes.kill('controller-manager');
			processes.signal('apiserver', 'SIGSTOP');
			return async () => {
				processes.signal('apiserver', 'SIGCONT');
				controlPlane.startControllerManager();
			};
		},
		kill: async () => {
			// It would exit by itself if it could not renew its lease in time.
			await processes.kill('controller-manager');
			await processes.kill('apiserver');
		},
		restart: async () => {
			await controlPlane.startApiServer();
			controlPlane.startControllerManager();
		},
		[Symbol.asyncDispose]: async () => {},
	};
}

const label = (admin: ApiClient, change: string) =>
	admin.request('PATCH', `/api/v1/nodes/${node}`, {metadata: {labels: {change}}}, mergePatch);

const podOf = (name: string, bytes: number) => ({
	metadata: {name},
	spec: {
		nodeName: node,
		terminationGracePeriodSeconds: 0,
		automountServiceAccountToken: false,
		containers: [{name: 'main', image: 'registry.example/none', args: ['x'.repeat(bytes)]}],
	},
});

async function again(request: () => Promise<unknown>): Promise<void> {
	for (let attempt = 1; ; attempt += 1) {
		try {
			await request();
			return;
		} catch (error) {
			if (attempt === attempts) throw error;
			await sleep(250);
		}
	}
}
