import type {V1Node} from '@kubernetes/client-node';
import type {ComponentName} from '../../core/model/controlPlane.ts';
import type {TextMap} from '../../text/textMap.ts';
import {entriesOf, fieldsOf, partsOf, textOf} from '../codec/rawJson.ts';
import {type ComponentSource, components, readComponentFlags} from './componentFlags.ts';

/** The annotations in which a server of k3s or RKE2 writes its own arguments, those of its configuration file among them. */
const nodeArgs = ['k3s.io/node-args', 'rke2.io/node-args'];

const passedOn: Readonly<Record<string, ComponentName>> = {
	'--kube-controller-manager-arg': 'kube-controller-manager',
	'--kube-controller-arg': 'kube-controller-manager',
	'--kube-apiserver-arg': 'kube-apiserver',
};

/**
 * The flags that a server of k3s or RKE2 passes on to its components, by the annotation of its Node; none for other nodes.
 *
 * @see https://github.com/k3s-io/k3s/blob/master/pkg/nodeconfig/nodeconfig.go
 */
export function flagsOfServer(node: unknown): readonly ComponentSource[] {
	const {metadata} = partsOf<V1Node>(node);
	const annotations = metadata.annotations ?? {};
	const annotation = nodeArgs.find((name) => annotations[name] !== undefined);
	const args = annotation === undefined ? [] : argumentsIn(textOf(annotations[annotation]));
	if (args[0] !== 'server') return [];
	const nodeName = textOf(metadata.name);
	return components.map((component) => {
		const words = args.flatMap((arg, index) =>
			passedOn[args[index - 1] ?? ''] === component ? `--${arg.replace(/^-+/, '')}` : [],
		);
		return {
			component,
			seenIn: `annotation ${annotation} of node ${nodeName}`,
			isOfVendor: true,
			nodeName,
			flags: readComponentFlags(component, [component, ...words]),
		};
	});
}

function argumentsIn(text: string): readonly string[] {
	try {
		return entriesOf(JSON.parse(text)).map(textOf);
	} catch {
		return [];
	}
}

/** What the operator of OpenShift's controller manager sets without being told to. */
const ofOperator = ['--kube-api-qps=150', '--kube-api-burst=300'];

/** The grace periods of the worker latency profiles. */
const profiles: TextMap = {
	Default: '40s',
	MediumUpdateAverageReaction: '2m',
	LowUpdateSlowReaction: '5m',
};

/**
 * The flags of OpenShift's controller manager: by the configuration that its operator observed, or else by the worker latency
 * profile; none without either.
 *
 * @param operator the KubeControllerManager `cluster` of operator.openshift.io
 * @param config the Node `cluster` of config.openshift.io
 * @see https://github.com/openshift/library-go/blob/master/pkg/operator/configobserver/node/observe_latency_profile.go
 */
export function flagsOfOpenShift(operator: unknown, config: unknown): readonly ComponentSource[] {
	const source = (seenIn: string, words: readonly string[]): ComponentSource => {
		const component = 'kube-controller-manager';
		const flags = readComponentFlags(component, [component, ...ofOperator, ...words]);
		return {component, seenIn, isOfVendor: true, nodeName: '', flags};
	};
	const {observedConfig, unsupportedConfigOverrides} = partsOf<{
		spec: Record<'observedConfig' | 'unsupportedConfigOverrides', unknown>;
	}>(operator).spec;
	if (observedConfig !== undefined)
		return [
			source('kubecontrollermanager.operator.openshift.io/cluster', [
				...extendedArguments(observedConfig),
				...extendedArguments(unsupportedConfigOverrides),
			]),
		];
	const {workerLatencyProfile} = partsOf<{spec: {workerLatencyProfile: string}}>(config).spec;
	const grace = profiles[textOf(workerLatencyProfile)];
	return grace === undefined
		? []
		: [source('node.config.openshift.io/cluster', [`--node-monitor-grace-period=${grace}`])];
}

const extendedArguments = (config: unknown): readonly string[] =>
	Object.entries(
		fieldsOf<{extendedArguments: Record<string, unknown>}>(config).extendedArguments ?? {},
	).flatMap(([name, values]) => entriesOf(values).map((value) => `--${name}=${textOf(value)}`));
