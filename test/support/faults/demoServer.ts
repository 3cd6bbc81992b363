import {second} from '../../../src/core/time/instant.ts';
import {type ApiServer, startApiServer} from '../../../src/demo/apiserver/apiServer.ts';
import {objectStore} from '../../../src/demo/world/objectStore.ts';
import {demoWorld} from '../../../src/demo/world/world.ts';
import {demoScenario} from '../demoScenario.ts';
import type {FaultServer} from './faultServer.ts';

const start = Date.UTC(2026, 0, 1);
const gitVersion = 'v1.36.3';
/** Longer than the interval at which kubelets renew their leases. */
const step = 11 * second;

/** Serves a demo whose time passes only on request. */
export async function startDemoServer(): Promise<FaultServer> {
	const scenario = demoScenario('node-dies');
	const store = objectStore();
	const world = demoWorld(scenario, store, {now: start, gitVersion, seed: 1});
	const now = () => world.now;
	const serve = (port: number) => startApiServer(store, {port, gitVersion, now});
	let server: ApiServer = await serve(0);
	const {port, url} = server;
	let changes = 0;
	const addPod = async (name: string, bytes: number) => {
		store.put('pods', {
			apiVersion: 'v1',
			kind: 'Pod',
			metadata: {namespace: 'shop', name, creationTimestamp: new Date(world.now).toISOString()},
			spec: {nodeName: 'a1', containers: [{name: 'main', args: ['x'.repeat(bytes)]}]},
			status: {phase: 'Running'},
		});
	};
	return {
		upstream: {url},
		now,
		addPod,
		change: async () => {
			changes += 1;
			world.advanceTo(world.now + step);
			await addPod(`change-${changes}`, 10);
			store.delete('pods', `change-${changes - 1}`, 'shop');
		},
		kill: () => server.close(),
		restart: async () => {
			server = await serve(port);
		},
		[Symbol.asyncDispose]: () => server.close(),
	};
}
