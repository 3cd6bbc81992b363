import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Node} from '../../core/model/node.ts';
import {second} from '../../core/time/instant.ts';

/** A control plane that a vendor runs or ships, whose flags no object of the cluster shows. */
export type ManagedControlPlane = {
	/** `Amazon EKS`. */
	readonly name: string;
	/** How it was recognised: `version v1.33.1-eks-abc`. */
	readonly by: string;
	/** The settings in its documentation that differ from the defaults of Kubernetes. */
	readonly documented: Partial<ControllerSettings>;
	/** Where they are documented. */
	readonly source: string;
};

type Vendor = Pick<ManagedControlPlane, 'name' | 'documented' | 'source'> & {
	readonly version?: RegExp;
	/** Labels of its nodes, or their prefixes. */
	readonly labels: readonly string[];
	/** The prefix of its nodes' provider IDs, if that is unique. */
	readonly providerId?: string;
};

const vendors: readonly Vendor[] = [
	{
		name: 'Amazon EKS',
		version: /-eks-/,
		labels: ['eks.amazonaws.com/'],
		documented: {},
		source:
			'runs upstream Kubernetes, by aws.github.io/aws-eks-best-practices, and documents no values of its own',
	},
	{
		name: 'Google Kubernetes Engine',
		version: /-gke\./,
		labels: ['cloud.google.com/gke-'],
		documented: {},
		source: 'documents no values of its own in cloud.google.com/kubernetes-engine/docs',
	},
	{
		name: 'Azure Kubernetes Service',
		labels: ['kubernetes.azure.com/'],
		documented: {},
		source: 'documents no values of its own in learn.microsoft.com/azure/aks',
	},
	{
		name: 'OpenShift',
		labels: ['node.openshift.io/'],
		documented: {nodeMonitorGracePeriod: 40 * second},
		source:
			'worker latency profile Default of docs.okd.io/latest/nodes/clusters/nodes-cluster-worker-latency-profiles.html',
	},
	{
		name: 'k3s',
		version: /\+k3s\d/,
		labels: ['k3s.io/'],
		providerId: 'k3s://',
		documented: {},
		source: 'sets none of its own; --kube-controller-manager-arg may, by docs.k3s.io/cli/server',
	},
];

/** Recognises a managed control plane by the version of its API server, or by a node; undefined if it is not a known one. */
export function managedControlPlane(
	serverVersion: string | undefined,
	nodes: Iterable<Pick<Node, 'labels' | 'providerId'>> = [],
): ManagedControlPlane | undefined {
	const ofVersion = vendors.find(({version}) => serverVersion !== undefined && version?.test(serverVersion));
	if (ofVersion) return recognised(ofVersion, `version ${serverVersion}`);
	for (const {labels, providerId} of nodes) {
		for (const vendor of vendors) {
			const label = Object.keys(labels).find((name) => vendor.labels.some((own) => name.startsWith(own)));
			if (label) return recognised(vendor, `label ${label} of its nodes`);
			if (vendor.providerId && providerId?.startsWith(vendor.providerId))
				return recognised(vendor, `provider id ${providerId}`);
		}
	}
	return undefined;
}

const recognised = ({name, documented, source}: Vendor, by: string): ManagedControlPlane => ({
	...{name, by, documented, source},
});
