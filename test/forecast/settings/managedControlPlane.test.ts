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

const assumed = (serverVersion: string, labels: Readonly<Record<string, string>> = {}) => {
	const managed = managedControlPlane(serverVersion, [node(labels)]);
	const {settings, span, list, notes} = resolveSettings({...hidden, serverVersion, managed});
	const grace = list.find(({name}) => name === 'node-monitor-grace-period');
	const ends = [span.earlyEnd, span.lateEnd].map((one) => one.nodeMonitorGracePeriod / second);
	return {settings, ends, grace, notes};
};

test.for([
	['OpenShift', 'v1.31.6', {'node.openshift.io/os_id': 'rhcos'}, 40, [40, 120]],
	['OpenShift', 'v1.32.5', {'node.openshift.io/os_id': 'rhcos'}, 50, [40, 120]],
	[
		'OpenShift with a hosted control plane',
		'v1.32.5',
		{'hypershift.openshift.io/nodePool': 'a'},
		50,
		[40, 55],
	],
	['IBM Cloud', 'v1.31.9+IKS', {}, 50, [40, 55]],
	['Gardener', 'v1.33.1', {'worker.gardener.cloud/pool': 'a'}, 40, [40, 120]],
	['Gardener', 'v1.26.9', {'worker.gardener.cloud/pool': 'a'}, 120, [40, 120]],
	['Amazon EKS', 'v1.33.1-eks-7f9249a', {}, 50, [20, 120]],
	['RKE2', 'v1.33.1+rke2r1', {}, 50, [20, 120]],
] as const)(
	'the grace period of %s in %s is assumed, and spans what it may be',
	([name, version, labels, value, span]) => {
		const {settings, ends, grace, notes} = assumed(version, labels);
		expect(settings.nodeMonitorGracePeriod).toBe(value * second);
		expect(ends).toEqual(span);
		expect(grace?.isInDoubt).toBe(true);
		expect(notes).toContainEqual({
			reason: 'ManagedControlPlane',
			message: expect.stringContaining(`the control plane seems to be ${name} (`),
		});
	},
);

test('the controllers of OpenShift may call more often', () => {
	const {settings} = assumed('v1.33.6', {'node.openshift.io/os_id': 'rhcos'});
	expect([settings.kubeApiQps, settings.kubeApiBurst]).toEqual([150, 300]);
});
