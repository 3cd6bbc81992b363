import {expect, test} from 'vitest';
import {connect} from '../../src/cluster/cluster.ts';
import {decodeReplicated} from '../../src/cluster/workloads/decodeController.ts';
import {startDemo} from '../../src/demo/demo.ts';
import {systemClock} from '../../src/live/clock.ts';
import {demoScenario} from '../support/demoScenario.ts';
import {bareEnvironment, instantTiming} from '../support/testEnvironment.ts';

const raw = {
	metadata: {
		name: 'ledger',
		namespace: 'payments',
		uid: 'u1',
		ownerReferences: [
			{kind: 'Bank', name: 'b', uid: 'u0', controller: true},
			{kind: 'Other', name: 'o', uid: 'u9'},
		],
	},
	spec: {
		replicas: 3,
		volumeClaimTemplates: [{metadata: {name: 'data'}}],
		template: {
			spec: {
				nodeSelector: {disk: 'ssd'},
				tolerations: [{key: 'gpu', operator: 'Exists', effect: 'NoSchedule'}],
				volumes: [
					{name: 'shared', persistentVolumeClaim: {claimName: 'shared'}},
					{name: 'tmp', emptyDir: {}},
				],
				containers: [
					{resources: {requests: {cpu: '250m', memory: '64Mi'}}},
					{resources: {requests: {cpu: '1'}}},
				],
				initContainers: [{resources: {requests: {memory: '1Gi'}}}],
				affinity: {
					nodeAffinity: {
						requiredDuringSchedulingIgnoredDuringExecution: {
							nodeSelectorTerms: [{matchExpressions: [{key: 'zone', operator: 'In', values: ['a', 'b']}]}],
						},
					},
				},
			},
		},
	},
	status: {readyReplicas: 2},
};

const read = {
	kind: 'StatefulSet',
	name: 'ledger',
	namespace: 'payments',
	uid: 'u1',
	owner: {kind: 'Bank', name: 'b', uid: 'u0'},
	desired: 3,
	ready: 2,
	claimTemplates: ['data'],
	template: {
		nodeSelector: {disk: 'ssd'},
		nodeTerms: [[{key: 'zone', operator: 'In', values: ['a', 'b']}]],
		requests: {cpu: 1250, memory: 2 ** 30},
		claims: ['shared'],
		otherRules: [],
	},
};

test('an owner is read with what decides where its pods run', () => {
	expect(decodeReplicated('StatefulSet', raw)).toMatchObject(read);
	expect(decodeReplicated('StatefulSet', {metadata: {}})).toBeUndefined();
	expect(decodeReplicated('ReplicaSet', {metadata: {name: 'x'}})).toMatchObject({desired: 1, ready: 0});
});

test('what is no owner at all is read as one that says nothing', () => {
	for (const spec of [null, 7, [], {template: 'x', replicas: 'y'}]) {
		expect(decodeReplicated('ReplicaSet', {metadata: {name: 'x'}, spec})).toMatchObject({desired: 1});
	}
});

test('what belongs to pods is read of their namespaces, and a server that does not know a kind has none of it', async () => {
	const scenario = demoScenario('zone-dies');
	const demo = await startDemo(scenario, {port: 0, clock: systemClock.now, speed: () => 1, seed: 1});
	const cluster = await connect({server: demo.url}, bareEnvironment(), instantTiming());
	try {
		const related = await cluster.related({
			namespaces: new Set(['payments']),
			ownerKinds: new Set(['ReplicaSet', 'StatefulSet', 'Rollout']),
			nodeCount: 12,
		});
		const kinds = [...related.controllers.values()].map(({kind, name}) => `${kind}/${name.split('-')[0]}`);
		expect(kinds.toSorted()).toEqual([
			'Deployment/fraud',
			'Deployment/gateway',
			'ReplicaSet/fraud',
			'ReplicaSet/gateway',
			'StatefulSet/ledger',
		]);
		expect(related.budgets).toContainEqual(
			expect.objectContaining({name: 'ledger', desiredHealthy: 2, currentHealthy: 3}),
		);
		expect(related).toMatchObject({services: [], attachments: [], problems: []});
	} finally {
		await cluster.close();
		await demo.close();
	}
});
