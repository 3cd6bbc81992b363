import {expect, test} from 'vitest';
import {PortTakenError} from '../../../src/demo/apiserver/apiServer.ts';
import {objectStore} from '../../../src/demo/world/objectStore.ts';
import {aPodObject, get, serve} from '../fixtures.ts';

test('an object is found by its path, alone and in its namespace', async () => {
	const store = objectStore();
	store.put('pods', aPodObject('cart-0'));
	const server = await serve(store);
	expect(await get(server, '/api/v1/namespaces/shop/pods/cart-0')).toMatchObject({
		kind: 'Pod',
		apiVersion: 'v1',
	});
	expect(await get(server, '/api/v1/namespaces/shop/pods/cart-1')).toMatchObject({
		kind: 'Status',
		status: 'Failure',
		code: 404,
		reason: 'NotFound',
		message: 'pods "cart-1" not found',
		details: {name: 'cart-1', kind: 'pods'},
	});
});

test.for([
	'/',
	'/openapi/v2',
	'/api/v2',
	'/api/v1/gadgets',
	'/apis/apps/v1beta1',
	'/apis/nowhere',
	'/apis//v1/nodes',
	'/api/v1/pods/cart-0',
	'/api/v1/namespaces/shop/nodes',
	'/api/v1/namespaces/shop/pods/cart-0/log',
])('%s is not found', async (path) => {
	const response = await fetch(`${(await serve(objectStore())).url}${path}`);
	expect(response.status).toBe(404);
	expect(await response.json()).toMatchObject({kind: 'Status', reason: 'NotFound'});
});

test('a path that cannot be decoded is a bad request', async () => {
	expect(await get(await serve(objectStore()), '/api/v1/%E0%A4%A')).toMatchObject({code: 400});
});

test.for(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is refused, whatever the path', async (method) => {
	const store = objectStore();
	store.put('pods', aPodObject('cart-0'));
	const before = store.resourceVersion;
	const server = await serve(store);
	for (const path of ['/api/v1/namespaces/shop/pods/cart-0', '/nowhere']) {
		const response = await fetch(`${server.url}${path}`, {method});
		expect(response.status).toBe(405);
		expect(await response.json()).toMatchObject({
			kind: 'Status',
			reason: 'MethodNotAllowed',
			message: `the demo is read-only: ${method} is refused`,
		});
	}
	expect(store.resourceVersion).toBe(before);
});

test('a client is told what it may do: read, and write nothing', async () => {
	const server = await serve(objectStore());
	const ask = async (kind: string, body: string) => {
		const url = `${server.url}/apis/authorization.k8s.io/v1/${kind}`;
		const response = await fetch(url, {method: 'POST', body});
		return {code: response.status, ...((await response.json()) as {readonly status: unknown})};
	};
	const access = (spec: object) => ask('selfsubjectaccessreviews', JSON.stringify({spec}));
	expect(await access({resourceAttributes: {verb: 'watch', resource: 'pods'}})).toMatchObject({
		code: 201,
		kind: 'SelfSubjectAccessReview',
		status: {allowed: true},
	});
	expect(await access({nonResourceAttributes: {verb: 'post', path: '/'}})).toMatchObject({
		status: {allowed: false, reason: 'the demo is read-only'},
	});
	expect(await ask('selfsubjectrulesreviews', '{}')).toMatchObject({
		status: {resourceRules: [{verbs: ['get', 'list', 'watch']}]},
	});
	for (const body of ['k8s', 'null', '{}', '{"spec":null}'])
		expect(await ask('selfsubjectaccessreviews', body)).toMatchObject({code: 400, reason: 'BadRequest'});
	for (const name of ['constructor', '__proto__', 'toString'])
		expect(await ask(name, '{}')).toMatchObject({code: 405});
});

test('the Date header is of the simulated world', async () => {
	const response = await fetch(`${(await serve(objectStore())).url}/readyz`);
	expect(response.headers.get('date')).toBe('Fri, 02 Jan 2026 03:04:05 GMT');
});

test('a port that is in use is an error that names it', async () => {
	const {port} = await serve(objectStore());
	const second = serve(objectStore(), {port});
	await expect(second).rejects.toThrow(PortTakenError);
	await expect(second).rejects.toThrow(`port ${port} on 127.0.0.1 is already in use`);
});
