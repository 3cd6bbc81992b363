import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../../src/cluster/cluster.ts';
import {answerStatus, FakeApiServer} from '../../support/fakeApiServer.ts';
import {bareEnvironment, instantTiming} from '../../support/testEnvironment.ts';

let server: FakeApiServer;
beforeEach(async () => {
	server = await FakeApiServer.start();
});
afterEach(() => server[Symbol.asyncDispose]());

const listOf = (kind: string, items: readonly object[]) =>
	JSON.stringify({kind, apiVersion: 'v1', metadata: {resourceVersion: '7'}, items});

const aClaim = (name: string) => ({
	metadata: {namespace: 'shop', name},
	spec: {volumeName: `pv-${name}`, accessModes: ['ReadWriteOnce']},
	status: {phase: 'Bound'},
});

const ledger = {
	metadata: {namespace: 'shop', name: 'ledger', uid: 'ledger'},
	spec: {
		volumeClaimTemplates: [{metadata: {name: 'data'}}],
		template: {spec: {volumes: [{name: 'all', persistentVolumeClaim: {claimName: 'shared'}}]}},
	},
};

/** Serves a StatefulSet, these claims, their volumes and many others; returns the requested volumes. */
function serve(claims: readonly string[]): readonly (string | null)[] {
	const asked: (string | null)[] = [];
	const volumes = [...claims, 'a', 'b', 'c'].map((name) => ({metadata: {name: `pv-${name}`}, spec: {}}));
	server.intercept(({url}, response) => {
		const answer = (kind: string, items: readonly object[]) => {
			response.writeHead(200, {'content-type': 'application/json'});
			response.end(listOf(kind, items));
			return true;
		};
		if (url.pathname.endsWith('/statefulsets')) return answer('StatefulSetList', [ledger]);
		if (url.pathname.endsWith('/persistentvolumeclaims'))
			return answer('PersistentVolumeClaimList', claims.map(aClaim));
		if (!url.pathname.endsWith('/persistentvolumes')) return false;
		const selector = url.searchParams.get('fieldSelector');
		asked.push(selector);
		const isMeant = ({metadata}: {metadata: {name: string}}) =>
			selector === null || selector === `metadata.name=${metadata.name}`;
		return answer('PersistentVolumeList', volumes.filter(isMeant));
	});
	return asked;
}

async function related() {
	const cluster = await connect({server: server.url}, bareEnvironment(), instantTiming());
	try {
		return await cluster.related({
			...{namespaces: new Set(['shop']), ownerKinds: new Set(['StatefulSet']), nodeCount: 3},
		});
	} finally {
		await cluster.close();
	}
}

test('few volumes are asked for by name, and only those that decide where pods of owners may run', async () => {
	const asked = serve(['data-ledger-0', 'data-ledger-1', 'shared', 'data-other-0', 'data-ledger-backup']);
	const {claims, volumes} = await related();
	expect(claims).toHaveLength(5);
	const names = ['pv-data-ledger-0', 'pv-data-ledger-1', 'pv-shared'];
	expect(volumes.map(({name}) => name)).toEqual(names);
	expect(asked.toSorted()).toEqual(names.map((name) => `metadata.name=${name}`));
});

test('where no claim is of a pod that has an owner, no volume is asked for', async () => {
	const asked = serve(['data-other-0']);
	expect((await related()).volumes).toEqual([]);
	expect(asked).toEqual([]);
});

test('many volumes are one list', async () => {
	const claims = Array.from({length: 21}, (_, index) => `data-ledger-${index}`);
	const asked = serve(claims);
	expect((await related()).volumes.map(({name}) => name)).toEqual(claims.map((name) => `pv-${name}`));
	expect(asked).toEqual([null]);
});

test('volumes that may not be read are one problem', async () => {
	serve(Array.from({length: 20}, (_, index) => `data-ledger-${index}`));
	let refusals = 0;
	server.intercept(({url}, response) => {
		if (!url.pathname.endsWith('/persistentvolumes')) return false;
		refusals += 1;
		answerStatus(response, 403, 'persistentvolumes is forbidden');
		return true;
	});
	const {volumes, problems} = await related();
	expect(volumes).toEqual([]);
	expect(problems.map(({reason}) => reason)).toEqual(['PersistentVolumesForbidden']);
	// Only the requests that were already in flight, and none after them.
	expect(refusals).toBeLessThanOrEqual(8);
});

test.for([
	{version: 'v1', names: ['all', 'web'], endpoints: 1},
	{version: 'v1beta1', names: ['web'], endpoints: 1},
	{version: 'v1alpha1', names: [], endpoints: 0},
])(
	'of a server that has budgets and endpoints as $version, these are read',
	async ({version, names, endpoints}) => {
		const budgets = [{}, {matchLabels: {app: 'web'}}].map((selector, index) => ({
			metadata: {namespace: 'shop', name: index === 0 ? 'all' : 'web'},
			spec: {selector},
		}));
		const slice = {
			metadata: {namespace: 'shop', name: 'web-1', labels: {'kubernetes.io/service-name': 'web'}},
			endpoints: [{targetRef: {kind: 'Pod', name: 'web-0'}}],
		};
		server.intercept(({url: {pathname}}, response) => {
			const isBudgets = pathname.endsWith('/poddisruptionbudgets');
			if (!isBudgets && !pathname.endsWith('/endpointslices')) return false;
			const group = isBudgets ? 'policy' : 'discovery.k8s.io';
			const isServed = pathname.startsWith(`/apis/${group}/${version}/`);
			if (!isServed) answerStatus(response, 404, 'the server could not find the requested resource');
			else {
				response.writeHead(200, {'content-type': 'application/json'});
				response.end(
					listOf(isBudgets ? 'PodDisruptionBudgetList' : 'EndpointSliceList', isBudgets ? budgets : [slice]),
				);
			}
			return true;
		});
		const found = await related();
		expect(found.budgets.map(({name}) => name)).toEqual(names);
		expect(found.endpoints).toHaveLength(endpoints);
		expect(found.problems).toEqual([]);
	},
);
