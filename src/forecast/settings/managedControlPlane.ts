import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Node} from '../../core/model/node.ts';
import {type Duration, minute, second} from '../../core/time/instant.ts';

/** What a vendor's grace period is assumed to be: the likeliest value, by default the release's, and what else it may be. */
type AssumedGrace = {
	readonly value?: (minorVersion: number) => Duration;
	readonly range: readonly [lo: Duration, hi: Duration];
};

type Vendor = Readonly<{
	/** `Amazon EKS`. */
	name: string;
	version?: RegExp;
	/** Prefixes of labels of its nodes. */
	labels: readonly string[];
	/** The prefix of its nodes' provider IDs, if that is unique. */
	providerId?: string;
	/** Absent if nothing is known of it. */
	grace?: AssumedGrace;
	/** Other settings that differ from the defaults of Kubernetes. */
	others?: Partial<ControllerSettings>;
	/** What it sets, and where that stands: `sets ...`. */
	sets: string;
}>;

/** A control plane that a vendor runs or ships. What is known of its flags is an assumption, until an object of the cluster shows them. */
export type ManagedControlPlane = Vendor & {
	/** How it was recognised: `version v1.33.1-eks-abc`. */
	readonly by: string;
};

/** IBM runs OpenShift with a hosted control plane, too. */
const hostedGrace: AssumedGrace = {value: () => 50 * second, range: [40 * second, 55 * second]};

/** The first that fits counts: an OpenShift may be hosted, and run by IBM. */
const vendors: readonly Vendor[] = [
	{
		name: 'Amazon EKS',
		version: /-eks-/,
		labels: ['eks.amazonaws.com/'],
		sets: 'documents no values of its own, and lets nobody change them (aws/containers-roadmap#159)',
	},
	{
		name: 'Google Kubernetes Engine',
		version: /-gke\./,
		labels: ['cloud.google.com/gke-'],
		sets: 'documents no values of its own (cloud.google.com/kubernetes-engine/docs)',
	},
	{
		name: 'Azure Kubernetes Service',
		labels: ['kubernetes.azure.com/'],
		sets: 'documents no values of its own, and lets nobody change them (Azure/AKS#227)',
	},
	{
		name: 'IBM Cloud',
		version: /\+IKS/,
		labels: ['ibm-cloud.kubernetes.io/'],
		grace: hostedGrace,
		sets: 'sets a grace period of 50s since v1.30 (cloud.ibm.com/docs/containers?topic=containers-service-settings), and of 55s in OpenShift (openshift/hypershift, kube-controller-manager)',
	},
	{
		name: 'OpenShift with a hosted control plane',
		labels: ['hypershift.openshift.io/'],
		grace: hostedGrace,
		sets: 'sets a grace period of 50s, and of 55s on IBM Cloud (openshift/hypershift, kube-controller-manager)',
	},
	{
		name: 'OpenShift',
		labels: ['node.openshift.io/'],
		grace: {range: [40 * second, 2 * minute]},
		others: {kubeApiQps: 150, kubeApiBurst: 300},
		sets: 'sets --kube-api-qps=150, and no grace period without a worker latency profile: 40s, 2m or 5m with one (openshift/library-go, observe_latency_profile.go)',
	},
	{
		name: 'Gardener',
		labels: ['worker.gardener.cloud/'],
		grace: {
			value: (minorVersion) => (minorVersion >= 27 ? 40 * second : 2 * minute),
			range: [40 * second, 2 * minute],
		},
		sets: 'sets a grace period of 40s since v1.27 and of 2m before, where the Shoot names none (gardener/gardener, controllermanager.go)',
	},
	{
		name: 'k3s',
		version: /\+k3s\d/,
		labels: ['k3s.io/'],
		providerId: 'k3s://',
		sets: 'sets none of its own; --kube-controller-manager-arg may, which k3s.io/node-args of its servers shows',
	},
	{
		name: 'RKE2',
		version: /\+rke2/,
		labels: ['rke2.io/'],
		providerId: 'rke2://',
		sets: 'sets none of its own; --kube-controller-manager-arg may, which rke2.io/node-args of its servers shows',
	},
];

/** Recognises a managed control plane by the version of its API server, or by a node; undefined if it is not a known one. */
export function managedControlPlane(
	serverVersion: string | undefined,
	nodes: Iterable<Pick<Node, 'labels' | 'providerId'>> = [],
): ManagedControlPlane | undefined {
	const ofVersion = vendors.find(({version}) => serverVersion !== undefined && version?.test(serverVersion));
	if (ofVersion) return {...ofVersion, by: `version ${serverVersion}`};
	for (const {labels, providerId} of nodes) {
		for (const vendor of vendors) {
			const label = Object.keys(labels).find((name) =>
				vendor.labels.some((prefix) => name.startsWith(prefix)),
			);
			if (label) return {...vendor, by: `label ${label} of its nodes`};
			if (vendor.providerId && providerId?.startsWith(vendor.providerId))
				return {...vendor, by: `provider id ${providerId}`};
		}
	}
	return undefined;
}
