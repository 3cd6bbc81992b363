import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {text} from 'node:stream/consumers';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {resolveAccess} from '../../../src/cluster/access/access.ts';
import {openLease} from '../../../src/cluster/controlplane/leaseWriter.ts';
import {openTransport} from '../../../src/cluster/transport/transport.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

const collection = '/apis/coordination.k8s.io/v1/namespaces/watch/leases';
const asked: {readonly method: string; readonly url: string; readonly body: string; readonly type: string}[] =
	[];
let stored: {metadata: {resourceVersion: string}; spec: object} | undefined;
let version = 0;

/** What an API server does with one lease. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const body = await text(request);
	const {method = '', url = '', headers} = request;
	asked.push({method, url, body, type: headers['content-type'] ?? ''});
	const reply = (status: number, value: unknown) =>
		response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(value));
	const status = (code: number, message: string) => reply(code, {kind: 'Status', code, message});
	if (method === 'GET') return void (stored ? reply(200, stored) : status(404, 'leases "shadow" not found'));
	if (method === 'POST' && stored) return void status(409, 'already exists');
	const written = JSON.parse(body);
	if (method === 'PUT' && written.metadata.resourceVersion !== stored?.metadata.resourceVersion) {
		return void status(409, 'the object has been modified');
	}
	version += 1;
	stored = {...written, metadata: {...written.metadata, resourceVersion: String(version)}};
	reply(method === 'POST' ? 201 : 200, stored);
}

let stack: AsyncDisposableStack;
let server: string;
beforeEach(async () => {
	stack = new AsyncDisposableStack();
	[asked.length, stored] = [0, undefined];
	const http = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
	await new Promise((resolve) => http.once('listening', resolve));
	stack.defer(() => {
		http.closeAllConnections();
		http.close();
	});
	server = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});
afterEach(() => stack.disposeAsync());

const {signal} = new AbortController();
const record = {
	holderIdentity: 'me',
	leaseDurationSeconds: 15,
	acquireTime: Date.parse('2026-01-31T14:00:00.123Z'),
	renewTime: Date.parse('2026-01-31T14:00:02Z'),
	leaseTransitions: 3,
};

async function open() {
	const lease = await openLease(
		{server},
		{namespace: 'watch', name: 'shadow'},
		bareEnvironment({}),
		instantTiming(),
	);
	stack.defer(() => lease.close());
	return lease;
}

test('a lease is made, read and renewed as the API has it', async () => {
	const lease = await open();
	expect(await lease.read(signal)).toBeUndefined();
	const made = await lease.create(record, signal);
	expect(made).toEqual({...record, resourceVersion: made.resourceVersion});
	expect(await lease.read(signal)).toEqual(made);
	const renewed = await lease.update({...made, renewTime: made.renewTime + 2000}, signal);
	expect(renewed.renewTime).toBe(record.renewTime + 2000);
	expect(asked.map(({method, url}) => `${method} ${url}`)).toEqual([
		`GET ${collection}/shadow`,
		`POST ${collection}`,
		`GET ${collection}/shadow`,
		`PUT ${collection}/shadow`,
	]);
	expect(asked[1]?.type).toBe('application/json');
	expect(JSON.parse(asked[1]?.body ?? '')).toEqual({
		apiVersion: 'coordination.k8s.io/v1',
		kind: 'Lease',
		metadata: {namespace: 'watch', name: 'shadow'},
		spec: {
			holderIdentity: 'me',
			leaseDurationSeconds: 15,
			acquireTime: '2026-01-31T14:00:00.123000Z',
			renewTime: '2026-01-31T14:00:02.000000Z',
			leaseTransitions: 3,
		},
	});
});

test('what else a lease has stays as it is, over every renewal', async () => {
	const metadata = {
		name: 'shadow',
		namespace: 'watch',
		uid: 'u1',
		labels: {'app.kubernetes.io/managed-by': 'helm'},
		annotations: {note: 'ours'},
		ownerReferences: [{apiVersion: 'apps/v1', kind: 'Deployment', name: 'shadow', uid: 'u2'}],
		resourceVersion: '7',
	};
	stored = {metadata, spec: {}};
	const lease = await open();
	const found = await lease.read(signal);
	if (!found) throw new Error('it is there');
	const taken = await lease.update({...record, resourceVersion: found.resourceVersion}, signal);
	await lease.update(taken, signal);
	expect(stored.metadata).toEqual({...metadata, resourceVersion: String(version)});
	expect(stored.spec).toMatchObject({holderIdentity: 'me'});
});

test('who writes what another has changed is refused', async () => {
	const lease = await open();
	const made = await lease.create(record, signal);
	await lease.update(made, signal);
	await expect(lease.update(made, signal)).rejects.toMatchObject({
		status: 409,
		message: `the server answered 409 to PUT ${collection}/shadow: the object has been modified`,
	});
	await expect(lease.create(record, signal)).rejects.toMatchObject({
		status: 409,
		message: `the server answered 409 to POST ${collection}: already exists`,
	});
});

test.for([
	'/api/v1/nodes/n1',
	'/api/v1/namespaces/kube-system/pods',
	`${collection}/shadow/status`,
	`${collection}/../pods/x`,
	`${collection}/..`,
	'/apis/coordination.k8s.io/v1/namespaces/../leases',
	`${collection}?dryRun=All`,
	'/apis/coordination.k8s.io/v1/leases',
	'/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager',
	'/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube%2Dscheduler',
	'/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
	'/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n1',
])('the way to write takes no other path: %s', async (path) => {
	const access = await resolveAccess({server}, bareEnvironment({}));
	const transport = await openTransport(access, bareEnvironment({}), instantTiming());
	stack.defer(() => transport.close());
	await expect(transport.writeLease('PUT', path, {}, signal)).rejects.toThrow('is no lease');
	expect(asked).toEqual([]);
});

test.for([
	{namespace: 'kube-system', name: 'kube-controller-manager'},
	{namespace: 'kube-system', name: 'kube-scheduler'},
	{namespace: 'elsewhere', name: 'cloud-controller-manager'},
	{namespace: 'kube-system', name: 'apiserver-x2nh4yr3'},
	{namespace: 'kube-node-lease', name: 'evictwatch-shadow'},
])('a lease of the control plane or of a node is refused: $namespace/$name', async ({namespace, name}) => {
	const opening = openLease({server}, {namespace, name}, bareEnvironment({}), instantTiming());
	await expect(opening).rejects.toMatchObject({
		message: `the lease ${name} in ${namespace} is not for evictwatch to write`,
		hint: expect.stringContaining('--leader-elect-resource-name'),
	});
	expect(asked).toEqual([]);
});
