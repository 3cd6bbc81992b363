import {expect, test} from 'vitest';
import {unseenControlPlane} from '../../../src/core/model/controlPlane.ts';
import {second} from '../../../src/core/time/instant.ts';
import {managedControlPlane} from '../../../src/forecast/settings/managedControlPlane.ts';
import {resolveSettings} from '../../../src/forecast/settings/resolve.ts';

const node = (labels: Readonly<Record<string, string>>, providerId?: string) => ({
	labels: {'kubernetes.io/os': 'linux', ...labels},
	...(providerId !== undefined && {providerId}),
});

test.for([
	['v1.33.1-eks-7f9249a', node({}), 'Amazon EKS', 'version v1.33.1-eks-7f9249a'],
	[
		'v1.33.1',
		node({'eks.amazonaws.com/nodegroup': 'a'}),
		'Amazon EKS',
		'label eks.amazonaws.com/nodegroup of its nodes',
	],
	['v1.32.4-gke.1415000', node({}), 'Google Kubernetes Engine', 'version v1.32.4-gke.1415000'],
	[
		'v1.33.0',
		node({'kubernetes.azure.com/cluster': 'x'}),
		'Azure Kubernetes Service',
		'label kubernetes.azure.com/cluster of its nodes',
	],
	[
		'v1.31.6',
		node({'node.openshift.io/os_id': 'rhel'}),
		'OpenShift',
		'label node.openshift.io/os_id of its nodes',
	],
	['v1.33.1+k3s1', node({}), 'k3s', 'version v1.33.1+k3s1'],
	['v1.33.1', node({}, 'k3s://server-0'), 'k3s', 'provider id k3s://server-0'],
] as const)('%s is recognised', ([version, one, name, by]) => {
	expect(managedControlPlane(version, [one])).toMatchObject({name, by});
});

test('a cluster of its own, on the machines of a cloud, is none of them', () => {
	expect(managedControlPlane('v1.36.3', [node({}, 'aws:///eu-west-1a/i-0123')])).toBeUndefined();
	expect(managedControlPlane(undefined, [])).toBeUndefined();
});

const hidden = {flags: {}, versionFlag: undefined, controlPlane: unseenControlPlane('hidden'), learned: {}};

test('documented values are assumed, with their source; a flag wins over them', () => {
	const managed = managedControlPlane('v1.33.6', [node({'node.openshift.io/os_id': 'rhel'})]);
	const evidence = {...hidden, serverVersion: 'v1.33.6', managed};
	const {settings, list, notes} = resolveSettings(evidence);
	expect(settings.nodeMonitorGracePeriod).toBe(40 * second);
	expect(list.find(({name}) => name === 'node-monitor-grace-period')?.source.detail).toMatch(
		/^default of OpenShift \(worker latency profile Default of docs\.okd\.io.*recognised by label node\.openshift\.io/,
	);
	expect(notes).toContainEqual({
		reason: 'ManagedControlPlane',
		message: expect.stringMatching(/OpenShift has defaults of its own \(worker latency profile Default of /),
	});
	const given = resolveSettings({...evidence, flags: {nodeMonitorGracePeriod: 35 * second}});
	expect(given.settings.nodeMonitorGracePeriod).toBe(35 * second);
});

test('where nothing else is documented, the defaults are assumed, and that is said', () => {
	const {settings, notes} = resolveSettings({...hidden, serverVersion: 'v1.33.1-eks-7f9249a'});
	expect(settings.nodeMonitorGracePeriod).toBe(50 * second);
	expect(notes).toContainEqual({
		reason: 'ManagedControlPlane',
		message: expect.stringMatching(
			/taken for Amazon EKS, by version v1.33.1-eks-7f9249a: .*defaults are assumed$/,
		),
	});
});
