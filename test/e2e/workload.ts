import {type ApiClient, unless} from './apiClient.ts';
import type {Outage} from './judge.ts';

const namespace = 'shop';

/** The tolerations of each node's pods, by the end of the pod's name. */
export type PodKinds = Readonly<Record<string, readonly object[]>>;

/** The API server accepts this many concurrent calls without refusing any. */
const callsAtOnce = 50;

const fatalTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

export const tolerate = (rest: object) => fatalTaints.map((key) => ({key, effect: 'NoExecute', ...rest}));

/** The kinds of pods on each node, with their tolerations. */
export const usualPods: PodKinds = {
	/** Gets its tolerations from the API server. */
	'default-0': [],
	'default-1': [],
	brief: tolerate({operator: 'Exists', tolerationSeconds: 20}),
	patient: tolerate({operator: 'Exists'}),
	// The API server adds its defaults only if no toleration has the taint's key. This one has the key, and does not match
	// because of its value.
	fragile: tolerate({operator: 'Equal', value: 'never'}),
};

/** The pods that an outage deletes, `namespace/name`; if the nodes come back, only those without a toleration. */
export function doomedPods({nodes, backAt}: Outage): string[] {
	const kinds = Object.keys(usualPods).filter((kind) => (backAt ? kind === 'fragile' : kind !== 'patient'));
	return nodes.flatMap((node) => kinds.map((kind) => `${namespace}/${node}-${kind}`));
}

/** The pod of a node that no outage deletes, `namespace/name`. */
export const steadfastPod = (node: string) => `${namespace}/${node}-patient`;

/** Creates the missing pods, already bound to their nodes: there is no scheduler. */
export async function createPods(
	api: ApiClient,
	nodes: readonly string[],
	kinds: PodKinds = usualPods,
): Promise<void> {
	await unless(409, api.request('POST', '/api/v1/namespaces', {metadata: {name: namespace}}));
	const pods = nodes.flatMap((node) => Object.entries(kinds).map(([kind, list]) => pod(node, kind, list)));
	for (let start = 0; start < pods.length; start += callsAtOnce) {
		const some = pods.slice(start, start + callsAtOnce);
		const path = `/api/v1/namespaces/${namespace}/pods`;
		await Promise.all(some.map((body) => unless(409, api.request('POST', path, body))));
	}
}

function pod(nodeName: string, kind: string, list: readonly object[]): object {
	return {
		metadata: {name: `${nodeName}-${kind}`, labels: {app: kind}},
		spec: {
			nodeName,
			tolerations: list,
			terminationGracePeriodSeconds: 10,
			automountServiceAccountToken: false,
			containers: [{name: 'main', image: 'registry.example/none'}],
		},
	};
}
