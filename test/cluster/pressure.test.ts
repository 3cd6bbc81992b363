import {afterEach, beforeEach, expect, test} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import type {PressureLook} from '../../src/core/nodepressure/pressureLook.ts';
import {answerJson, answerStatus, FakeApiServer} from '../support/fakeApiServer.ts';
import {bareEnvironment} from '../support/testEnvironment.ts';

let server: FakeApiServer;
beforeEach(async () => {
	server = await FakeApiServer.start();
	server.apply('pods', aPod('cart', 'n1', 'Running'));
	server.apply('pods', aPod('done', 'n1', 'Succeeded'));
	server.apply('pods', aPod('elsewhere', 'n2', 'Running'));
});
afterEach(() => server[Symbol.asyncDispose]());

const aPod = (name: string, nodeName: string, phase: string) => ({
	metadata: {name, namespace: 'shop', uid: name},
	spec: {nodeName, containers: [{name: 'app', resources: {requests: {memory: '1Gi'}}}]},
	status: {phase},
});

/** Answers requests to the kubelet of n1, by path. */
function kubelet(answers: Readonly<Record<string, unknown>>): void {
	server.intercept(({url}, response) => {
		const [, what = ''] = url.pathname.split('/nodes/n1/proxy/');
		if (!(what in answers)) return false;
		const answer = answers[what];
		if (typeof answer === 'number') answerStatus(response, answer, 'nodes "n1" is forbidden');
		else if (typeof answer === 'string') response.end(answer);
		else answerJson(response, answer);
		return true;
	});
}

async function look(options: object = {}) {
	const cluster = await connect({server: server.url, ...options}, bareEnvironment());
	const looker = cluster.pressureLooker();
	const looks: PressureLook[] = [];
	await looker.lookAt(['n1'], (look) => looks.push(look)).finally(() => cluster.close());
	const [found] = looks;
	if (!found) throw new Error('it did not look');
	return {...found, problems: looker.problems};
}

const kubeletconfig = {
	evictionHard: {'memory.available': '100Mi'},
	evictionSoft: {},
	evictionPressureTransitionPeriod: '5m0s',
	evictionMaxPodGracePeriod: 0,
	enforceNodeAllocatable: ['pods'],
	localStorageCapacityIsolation: true,
	kernelMemcgNotification: false,
	clusterDNS: ['10.0.0.10'],
};

test('a look brings the statistics exactly, the configuration, and the pods that have not ended', async () => {
	kubelet({
		'stats/summary':
			'{"node":{"memory":{"availableBytes":18446744073604694016,"workingSetBytes":7}},"pods":[]}',
		configz: {kubeletconfig},
	});
	const {summary, config, pods, problems} = await look();
	expect(summary?.node.memory).toEqual({availableBytes: 18446744073604694016n, workingSetBytes: 7n});
	const {clusterDNS: _, ...wanted} = kubeletconfig;
	expect(config).toEqual(wanted);
	expect(pods.map(({name}) => name)).toEqual(['cart']);
	expect(problems).toEqual([]);
});

test('nothing but what is needed is asked, and only to get it', async () => {
	kubelet({'stats/summary': {}, configz: {}});
	await look();
	const asked = server.asked.map(({url}) => `${url.pathname}${url.search}`).toSorted();
	expect(asked).toEqual([
		'/api/v1/nodes/n1/proxy/configz',
		'/api/v1/nodes/n1/proxy/stats/summary',
		'/api/v1/pods?fieldSelector=spec.nodeName%3Dn1',
	]);
});

test('that kubelets are forbidden is one problem that says what is lost, and the rest is there', async () => {
	kubelet({'stats/summary': 403, configz: 403});
	const found = await look();
	expect([found.summary, found.config]).toEqual([undefined, undefined]);
	expect(found.pods).toHaveLength(1);
	expect(found.problems.map(({reason}) => reason)).toEqual(['SummaryForbidden', 'MetricsMissing']);
	expect(found.problems.map(({message}) => message).join()).toContain(
		'the right to get nodes/proxy is missing',
	);
});

test('a kubelet that is gone, or talks nonsense, is a problem as well', async () => {
	kubelet({'stats/summary': 'not json', configz: 503});
	const {problems} = await look();
	expect(problems.map(({reason}) => reason).toSorted()).toEqual([
		'KubeletConfigUnreadable',
		'MetricsMissing',
		'SummaryUnreadable',
	]);
});

/** A pod that is only being deleted, ends because of a shutdown, or is refused at admission, was not evicted. */
test('a pod whose containers end with 0 is Succeeded, without reason or message: only its condition tells', async () => {
	kubelet({'stats/summary': {}, configz: {kubeletconfig}});
	const ended = (name: string, phase: string, message: string, fields: object = {}) =>
		server.apply('pods', {
			...aPod(name, 'n1', phase),
			status: {
				phase,
				...fields,
				conditions: [
					{
						...{type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message},
						lastTransitionTime: '2026-01-01T00:00:07Z',
					},
				],
			},
		});
	const low = 'The node was low on resource: memory. ';
	ended('failed', 'Failed', low, {reason: 'Evicted', message: low});
	ended('well', 'Succeeded', low);
	ended('shutdown', 'Failed', 'Pod was terminated in response to imminent node shutdown.');
	ended('going', 'Running', low);
	const message = 'Pod was rejected: The node had condition: [DiskPressure]. ';
	server.apply('pods', {
		...aPod('refused', 'n1', 'Failed'),
		status: {phase: 'Failed', reason: 'Evicted', message},
	});
	const {evicted} = await look();
	const at = Date.UTC(2026, 0, 1, 0, 0, 7);
	expect(evicted.map(({name, at: when, message}) => [name, when, message])).toEqual([
		['failed', at, low],
		['well', at, low],
	]);
});

test('a kubelet that hangs is told as such: the API server has answered', async () => {
	server.intercept(({url}) => url.pathname.includes('/proxy/'));
	const {problems, summary} = await look({requestTimeout: '100ms'});
	expect(summary).toBeUndefined();
	expect(problems.map(({message}) => message).join('\n')).toContain(
		'the kubelet of node n1 did not answer in time: what the node has left is not seen',
	);
});
