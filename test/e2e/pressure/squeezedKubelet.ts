import {readFileSync} from 'node:fs';
import type {ServerResponse} from 'node:http';
import {createServer, type Server} from 'node:https';
import type {AddressInfo} from 'node:net';
import {networkInterfaces} from 'node:os';
import {join} from 'node:path';
import {EvictionLoop} from '../../../src/core/nodepressure/evictionLoop.ts';
import type {Summary} from '../../../src/core/nodepressure/summary.ts';
import {evictionSettings} from '../../../src/core/nodepressure/thresholds/evictionSettings.ts';
import {encodeSummary} from '../../support/fakeKubelet.ts';
import {type Leak, LeakyNode} from '../../support/leakyNode.ts';
import type {Fault} from './faults.ts';

/** The kubelet's configuration, which its configz shows. */
const kubeletconfig = {
	evictionHard: {'memory.available': '500Mi'},
	evictionPressureTransitionPeriod: '5m0s',
	evictionMaxPodGracePeriod: 0,
	enforceNodeAllocatable: ['pods'],
	localStorageCapacityIsolation: true,
	kernelMemcgNotification: false,
};

/** A pod that it evicted. */
export type Eviction = {readonly pod: string; readonly at: number; readonly message: string};

/**
 * A node's kubelet whose pods leak, reduced to its API server and its eviction manager: it serves statistics and configuration
 * with TLS to the API server's proxy, and runs the ported manager in real time.
 */
export class SqueezedKubelet {
	readonly #node: LeakyNode;
	readonly #uids: ReadonlyMap<string, string>;
	readonly #startedAt = Date.now();
	readonly #loop: EvictionLoop;
	readonly #server: Server;
	#timer: NodeJS.Timeout | undefined;
	#fault: Fault | undefined;

	/**
	 * @param uids of the pods in the API server, by name
	 * @param pki the folder of a server certificate
	 */
	constructor(leaks: readonly Leak[], uids: ReadonlyMap<string, string>, pki: string) {
		this.#node = new LeakyNode(leaks, {noise: 3});
		this.#uids = uids;
		this.#loop = new EvictionLoop(evictionSettings(kubeletconfig), this.#node, 0);
		const [cert, key] = ['crt', 'key'].map((end) => readFileSync(join(pki, `apiserver.${end}`)));
		this.#server = createServer({cert, key}, ({url}, response) => {
			response.setHeader('content-type', 'application/json');
			if (url?.startsWith('/stats/summary')) this.#answer(response);
			else if (url?.startsWith('/configz')) response.end(JSON.stringify({kubeletconfig}));
			else response.writeHead(404).end();
		});
	}

	/** Starts its passes, and listens where the API server can reach it; returns the address. */
	async start(onEviction: (eviction: Eviction) => void): Promise<{address: string; port: number}> {
		const address = addressOfThisMachine();
		await new Promise<void>((resolve) => this.#server.listen(0, address, resolve));
		this.#timer = setInterval(() => this.#advance(onEviction), 20);
		return {address, port: (this.#server.address() as AddressInfo).port};
	}

	/** From now on it returns this instead of its statistics. */
	answerWith(fault: Fault): void {
		this.#fault = fault;
	}

	stop(): void {
		clearInterval(this.#timer);
		this.#server.close();
		this.#server.closeAllConnections();
	}

	#advance(onEviction: (eviction: Eviction) => void): void {
		for (const {at, effect} of this.#loop.advanceTo(Date.now() - this.#startedAt)) {
			if (effect.type !== 'killed') continue;
			onEviction({pod: effect.pod.name, at: this.#startedAt + at, message: effect.message});
		}
	}

	#answer(response: ServerResponse): void {
		const summary = this.#summary();
		const answer = this.#fault ? this.#fault.answer(summary) : encodeSummary(summary);
		if (typeof answer === 'number') response.writeHead(answer).end('no statistics');
		else if (answer !== undefined) response.end(answer);
	}

	#summary(): Summary {
		const {node, pods} = this.#node.summary(Date.now() - this.#startedAt);
		const time = Date.now();
		return {
			node: {memory: {...node.memory, time}},
			pods: pods.map((stats) => ({
				...stats,
				uid: this.#uids.get(stats.uid.replace('uid-', '')) ?? stats.uid,
				memory: {...stats.memory, time},
			})),
		};
	}
}

/** The API server does not proxy to a loopback address. */
function addressOfThisMachine(): string {
	const found = Object.values(networkInterfaces())
		.flatMap((addresses) => addresses ?? [])
		.find(({family, internal}) => family === 'IPv4' && !internal);
	if (!found)
		throw new Error('this machine has no address but loopback, to which an API server proxies nothing');
	return found.address;
}
