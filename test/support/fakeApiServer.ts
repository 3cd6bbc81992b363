import {randomUUID} from 'node:crypto';
import {once} from 'node:events';
import {createServer as createHttpServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {createServer as createHttpsServer, type ServerOptions} from 'node:https';
import type {AddressInfo} from 'node:net';
import {gzipSync} from 'node:zlib';

export type Resource = 'nodes' | 'pods' | 'leases' | 'endpoints' | 'events' | DeviceResource;
/** The API server has no such API until a device object exists. */
const deviceResources = ['resourceslices', 'resourceclaims', 'devicetaintrules'] as const;
type DeviceResource = (typeof deviceResources)[number];
const devicePath = '/apis/resource.k8s.io';
const notServed = 'the server could not find the requested resource';

/** An API object in its JSON form. */
export type RawObject = {
	readonly metadata: {readonly name: string; readonly namespace?: string; readonly [field: string]: unknown};
	readonly [field: string]: unknown;
};

type Change = {
	readonly type: string;
	readonly resource: Resource;
	readonly object: RawObject;
	readonly version: number;
};
type Watch = {
	readonly resource: Resource;
	readonly response: ServerResponse;
	readonly matches: (object: RawObject) => boolean;
};
type Asked = {
	readonly url: URL;
	readonly resource: Resource | undefined;
	readonly headers: IncomingMessage['headers'];
};

/** Answers a request in the server's place; false lets the server answer. */
type Intercept = (asked: Asked, response: ServerResponse) => boolean;

const kinds: Readonly<Record<Resource, string>> = {
	nodes: 'NodeList',
	pods: 'PodList',
	leases: 'LeaseList',
	endpoints: 'EndpointsList',
	events: 'EventList',
	resourceslices: 'ResourceSliceList',
	resourceclaims: 'ResourceClaimList',
	devicetaintrules: 'DeviceTaintRuleList',
};

/**
 * The list and watch part of a Kubernetes API server, on loopback, with what a real server does to clients: pages,
 * bookmarks, expired versions, refusals, closed connections. Nothing in it waits for time to pass.
 */
export class FakeApiServer {
	/** Every request so far. */
	readonly asked: Asked[] = [];
	/** The version that it reports. */
	gitVersion = 'v1.36.3';
	/** By version of `resource.k8s.io`, the preferred one first: what it serves once a device object exists. */
	deviceApi: Readonly<Record<string, readonly DeviceResource[]>> = {
		v1: ['resourceslices', 'resourceclaims'],
		v1beta2: ['resourceslices', 'resourceclaims', 'devicetaintrules'],
	};
	/** The time in its Date headers, if not this machine's. */
	clock: (() => number) | undefined;
	readonly #server: ReturnType<typeof createHttpServer>;
	readonly #scheme: string;
	readonly #objects: Record<Resource, Map<string, RawObject>> = {
		nodes: new Map(),
		pods: new Map(),
		leases: new Map(),
		endpoints: new Map(),
		events: new Map(),
		resourceslices: new Map(),
		resourceclaims: new Map(),
		devicetaintrules: new Map(),
	};
	readonly #changes: Change[] = [];
	/** The items of paginated lists, by their version. */
	readonly #pagedLists = new Map<string, readonly RawObject[]>();
	readonly #watches = new Set<Watch>();
	readonly #waiting: {readonly resource: Resource; readonly resolve: () => void}[] = [];
	#intercepts: Intercept[] = [];
	#version = 100;
	#oldestVersion = 0;

	private constructor(tls?: ServerOptions) {
		const listener = (request: IncomingMessage, response: ServerResponse) => this.#answer(request, response);
		this.#server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener);
		this.#scheme = tls ? 'https' : 'http';
	}

	static async start(tls?: ServerOptions, address = '127.0.0.1'): Promise<FakeApiServer> {
		const fake = new FakeApiServer(tls);
		fake.#server.listen(0, address);
		await once(fake.#server, 'listening');
		return fake;
	}

	get url(): string {
		return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	async [Symbol.asyncDispose](): Promise<void> {
		this.#server.closeAllConnections();
		if (this.#server.listening) await this.#server[Symbol.asyncDispose]();
	}

	/** Counts the new connections from now on. */
	countConnections(): () => number {
		let count = 0;
		this.#server.on('connection', () => count++);
		return () => count;
	}

	/** Creates or changes an object, and notifies the watches. */
	apply(resource: Resource, object: RawObject): void {
		const version = ++this.#version;
		const key = keyOf(object);
		const stored = {...object, metadata: {...object.metadata, resourceVersion: String(version)}};
		const type = this.#objects[resource].has(key) ? 'MODIFIED' : 'ADDED';
		this.#objects[resource].set(key, stored);
		this.#publish({type, resource, object: stored, version});
	}

	remove(resource: Resource, key: string): void {
		const object = this.#objects[resource].get(key);
		if (!object) throw new Error(`no ${resource} ${key}`);
		this.#objects[resource].delete(key);
		this.#publish({type: 'DELETED', resource, object, version: ++this.#version});
	}

	/** Removes an object without notifying the watches. */
	cutOff(resource: Resource, key: string): void {
		this.#objects[resource].delete(key);
		this.#version += 1;
	}

	/** How many watches of a resource are open. */
	watchesOf(resource: Resource): number {
		return [...this.#watches].filter((watch) => watch.resource === resource).length;
	}

	/** Drops all history: from now on, an older version or continue token is answered with 410. */
	compact(): void {
		this.#oldestVersion = ++this.#version;
	}

	/** Sends a bookmark with the current version to all watches, as a real server does about each minute. */
	bookmark(): void {
		const metadata = {name: '', resourceVersion: String(this.#version)};
		for (const {response} of this.#watches) response.write(line('BOOKMARK', {metadata}));
	}

	/** Writes raw text to the watches of nodes. */
	writeToNodes(text: string): void {
		for (const {resource, response} of this.#watches) if (resource === 'nodes') response.write(text);
	}

	/** Cuts the connections of all watches. */
	cutWatches(): void {
		for (const {response} of this.#watches) response.destroy();
		this.#watches.clear();
	}

	/** Ends all watches as a server does after their timeout. */
	endWatches(): void {
		for (const {response} of this.#watches) response.end();
		this.#watches.clear();
	}

	/** Resolves when the next watch of this resource is opened. */
	nextWatch(resource: Resource): Promise<void> {
		return new Promise((resolve) => this.#waiting.push({resource, resolve}));
	}

	/** Lets a function answer first, until the returned function is called. */
	intercept(intercept: Intercept): () => void {
		this.#intercepts.unshift(intercept);
		return () => {
			this.#intercepts = this.#intercepts.filter((one) => one !== intercept);
		};
	}

	/** Drops the connections of requests for a resource, or for any, until the returned function is called. */
	drop(resource?: Resource): () => void {
		return this.intercept((asked, response) => {
			if (resource !== undefined && asked.resource !== resource) return false;
			response.destroy();
			return true;
		});
	}

	/** Refuses requests with a status, until the returned function is called. */
	refuse(code: number, message: string, isMeant: (asked: Asked) => boolean = () => true): () => void {
		return this.intercept((asked, response) => {
			if (isMeant(asked)) answerStatus(response, code, message);
			return response.headersSent;
		});
	}

	/** Refuses a resource with 403, until the returned function is called. */
	forbid(resource: Resource, isForbidden: (url: URL) => boolean = () => true): () => void {
		const message = `${resource} is forbidden: User "someone" cannot list resource "${resource}"`;
		return this.refuse(403, message, (asked) => asked.resource === resource && isForbidden(asked.url));
	}

	#publish(change: Change): void {
		this.#changes.push(change);
		for (const watch of this.#watches) {
			if (watch.resource === change.resource && watch.matches(change.object)) {
				watch.response.write(line(change.type, change.object));
			}
		}
	}

	#answer(request: IncomingMessage, response: ServerResponse): void {
		const url = new URL(request.url ?? '', this.url);
		const resource = (Object.keys(kinds) as Resource[]).find((name) => url.pathname.endsWith(`/${name}`));
		const asked = {url, resource, headers: request.headers};
		this.asked.push(asked);
		response.setHeader('audit-id', randomUUID());
		if (this.clock) response.setHeader('date', new Date(this.clock()).toUTCString());
		if (this.#intercepts.some((intercept) => intercept(asked, response))) return;
		if (url.pathname.endsWith('/version')) answerJson(response, {gitVersion: this.gitVersion});
		// Every API server has this namespace.
		else if (url.pathname.endsWith('/namespaces/default'))
			answerJson(response, {kind: 'Namespace', metadata: {name: 'default'}});
		else if (url.pathname.startsWith(devicePath) && !this.#servesDevices(url.pathname, resource, response))
			return;
		else if (!resource) answerStatus(response, 404, notServed);
		else if (url.searchParams.has('watch')) this.#watch(resource, url, response);
		else this.answerList(resource, asked, response);
	}

	/** Answers a request to the device API, unless it is for a collection that it serves; returns whether it is. */
	#servesDevices(path: string, resource: Resource | undefined, response: ServerResponse): boolean {
		const hasObjects = deviceResources.some((name) => this.#objects[name].size > 0);
		const [version = '', collection] = path.slice(devicePath.length + 1).split('/');
		const served = hasObjects ? this.deviceApi[version] : undefined;
		if (hasObjects && version === '') {
			const versions = Object.keys(this.deviceApi).map((one) => ({
				groupVersion: `${devicePath.slice(6)}/${one}`,
			}));
			answerJson(response, {kind: 'APIGroup', versions});
		} else if (served && collection === undefined)
			answerJson(response, {kind: 'APIResourceList', resources: served.map((name) => ({name}))});
		else if (served?.some((name) => name === resource)) return true;
		else answerStatus(response, 404, notServed);
		return false;
	}

	/** Answers a list; for tests that intercept it. */
	answerList(resource: Resource, {url, headers}: Asked, response: ServerResponse): void {
		const token = url.searchParams.get('continue');
		const [version, start] = token ? token.split(':').map(Number) : [this.#version, 0];
		if (version === undefined || start === undefined || version < this.#oldestVersion) {
			answerStatus(response, 410, 'The provided continue parameter is too old', 'Expired');
			return;
		}
		const all = this.#pagedLists.get(`${resource}:${token && version}`) ?? [
			...this.#objects[resource].values(),
		];
		const matching = all.filter(matcherOf(url));
		const end = start + Number(url.searchParams.get('limit') ?? matching.length);
		const remainingItemCount = matching.length - end;
		const rest = remainingItemCount > 0 ? {continue: `${version}:${end}`, remainingItemCount} : {};
		if (remainingItemCount > 0) this.#pagedLists.set(`${resource}:${version}`, all);
		const list = {
			kind: kinds[resource],
			apiVersion: 'v1',
			metadata: {resourceVersion: String(version), ...rest},
			items: matching.length === 0 ? null : matching.slice(start, end),
		};
		answerJson(response, list, 200, String(headers['accept-encoding']).includes('gzip'));
	}

	#watch(resource: Resource, url: URL, response: ServerResponse): void {
		const from = Number(url.searchParams.get('resourceVersion'));
		const watch = {resource, response, matches: matcherOf(url)};
		response.writeHead(200, {'content-type': 'application/json'}).flushHeaders();
		if (from < this.#oldestVersion) {
			response.end(line('ERROR', {kind: 'Status', code: 410, reason: 'Expired', message: 'too old'}));
			return;
		}
		this.#watches.add(watch);
		response.on('close', () => this.#watches.delete(watch));
		for (const change of this.#changes) {
			if (change.version > from && change.resource === resource && watch.matches(change.object)) {
				response.write(line(change.type, change.object));
			}
		}
		const index = this.#waiting.findIndex((waiter) => waiter.resource === resource);
		if (index >= 0) this.#waiting.splice(index, 1)[0]?.resolve();
	}
}

/** Answers with a Status object, as all refusals of the API server do. */
export function answerStatus(response: ServerResponse, code: number, message: string, reason = ''): void {
	answerJson(response, {kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code}, code);
}

export function answerJson(response: ServerResponse, body: unknown, code = 200, zip = false): void {
	const text = JSON.stringify(body);
	response.writeHead(code, {'content-type': 'application/json', ...(zip && {'content-encoding': 'gzip'})});
	response.end(zip ? gzipSync(text) : text);
}

const line = (type: string, object: unknown) => `${JSON.stringify({type, object})}\n`;

const keyOf = ({metadata: {namespace, name}}: RawObject) => (namespace ? `${namespace}/${name}` : name);

function matcherOf(url: URL): (object: RawObject) => boolean {
	const namespace = /\/namespaces\/([^/]+)\//.exec(url.pathname)?.[1];
	const [field, value] = (url.searchParams.get('fieldSelector') ?? '').split(/[=,]/);
	return (object) => {
		if (namespace !== undefined && object.metadata.namespace !== namespace) return false;
		if (field === 'metadata.name') return object.metadata.name === value;
		if (field === 'source') return (object['source'] as {component?: string}).component === value;
		if (field === 'reason') return object['reason'] === value;
		if (field === 'spec.nodeName') return (object['spec'] as {nodeName?: string}).nodeName === value;
		return true;
	};
}
