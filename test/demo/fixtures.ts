import {request} from 'node:http';
import {createInterface} from 'node:readline';
import {onTestFinished} from 'vitest';
import type {Lease} from '../../src/core/model/lease.ts';
import type {Node} from '../../src/core/model/node.ts';
import type {Pod} from '../../src/core/model/pod.ts';
import {minute, second} from '../../src/core/time/instant.ts';
import {type ApiServer, type ApiServerOptions, startApiServer} from '../../src/demo/apiserver/apiServer.ts';
import type {ApiObject} from '../../src/demo/encode/apiObject.ts';
import {encodeDemoPod} from '../../src/demo/encode/encodePod.ts';
import type {ObjectStore} from '../../src/demo/world/objectStore.ts';

export const now = Date.UTC(2026, 0, 2, 3, 4, 5);

export const aNode = (name: string, overrides: Partial<Node> = {}): Node => ({
	name,
	uid: `uid-of-${name}`,
	createdAt: now - 3 * 24 * 60 * minute,
	labels: {},
	unschedulable: false,
	taints: [],
	conditions: [
		{
			type: 'Ready',
			status: 'True',
			lastHeartbeatTime: now - 2 * minute,
			lastTransitionTime: now - 60 * minute,
		},
	],
	...overrides,
});

export const aPod = (name: string, overrides: Partial<Pod> = {}): Pod => ({
	namespace: 'shop',
	name,
	uid: `uid-of-${name}`,
	nodeName: 'a1',
	createdAt: now - 15 * minute,
	labels: {},
	tolerations: [],
	phase: 'Running',
	ready: 'True',
	isMirror: false,
	...overrides,
});

/** The same pod as an API server shows it. */
export const aPodObject = (name: string, overrides: Partial<Pod> = {}): ApiObject =>
	encodeDemoPod(aPod(name, overrides), {name: 'app'});

export const aLease = (name: string, overrides: Partial<Lease> = {}): Lease => ({
	namespace: 'kube-node-lease',
	name,
	holderIdentity: name,
	leaseDuration: 40 * second,
	renewTime: now - 4 * second,
	...overrides,
});

/** Serves a store until the test ends. */
export async function serve(store: ObjectStore, options: Partial<ApiServerOptions> = {}): Promise<ApiServer> {
	const server = await startApiServer(store, {port: 0, gitVersion: 'v1.36.3', now: () => now, ...options});
	onTestFinished(server.close);
	return server;
}

/** The fields of a JSON response that tests read. */
export type Body = {
	readonly kind: string;
	readonly apiVersion: string;
	readonly metadata: {
		readonly name: string;
		readonly resourceVersion: string;
		readonly continue?: string;
		readonly remainingItemCount?: number;
	};
	readonly items: readonly Body[];
	readonly rows: readonly {readonly cells: readonly unknown[]; readonly object?: Body}[];
	readonly columnDefinitions: readonly {readonly name: string; readonly priority: number}[] | null;
	readonly message: string;
	readonly reason: string;
	readonly code: number;
};

/** Requests a path, and parses its JSON. */
export async function get(server: ApiServer, path: string, accept = 'application/json'): Promise<Body> {
	const response = await fetch(`${server.url}${path}`, {headers: {accept}});
	return (await response.json()) as Body;
}

export const namesOf = ({items}: Body): string[] => items.map(({metadata}) => metadata.name);

type Line = {readonly type: string; readonly object: Body};

/** Opens a watch; returns its lines up to the end of the response. */
export async function watch(
	server: ApiServer,
	path: string,
	accept = 'application/json',
): Promise<AsyncIterator<Line, undefined>> {
	const {promise, resolve, reject} = Promise.withResolvers<AsyncIterator<Line, undefined>>();
	const outgoing = request(`${server.url}${path}`, {headers: {accept}}, (response) => {
		// The iterator must exist before the first line, or that line is lost.
		resolve(linesOf(createInterface({input: response})[Symbol.asyncIterator]()));
	});
	outgoing.on('error', reject).end();
	onTestFinished(() => {
		outgoing.destroy();
	});
	return promise;
}

async function* linesOf(lines: AsyncIterator<string, undefined>): AsyncGenerator<Line, undefined> {
	for (let line = await lines.next(); !line.done; line = await lines.next())
		yield JSON.parse(line.value) as Line;
	return undefined;
}

/** The next lines of a watch as `TYPE name`. */
export async function nextOf(lines: AsyncIterator<Line, undefined>, count: number): Promise<string[]> {
	const seen: string[] = [];
	while (seen.length < count) {
		const {value} = await lines.next();
		if (!value) break;
		seen.push(`${value.type} ${value.object.metadata.name ?? ''}`.trim());
	}
	return seen;
}
