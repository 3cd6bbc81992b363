import type {V1Container, V1ObjectMeta, V1Pod, V1PodSpec} from '@kubernetes/client-node';
import type {ComponentFlags, ComponentName} from '../../core/model/controlPlane.ts';
import {readComponentFlags} from '../controlplane/componentFlags.ts';
import {entriesOf, fieldsOf, textOf} from './rawJson.ts';

/** A static pod of the control plane, and the node it runs on. */
export type StaticPod = ComponentFlags & {readonly component: ComponentName; readonly nodeName: string};

const components: readonly ComponentName[] = ['kube-controller-manager', 'kube-apiserver'];

/**
 * Reads the mirror of a static pod of the control plane; undefined for any other pod, whose arguments are not even
 * looked at. A pod that is no mirror may belong to some other, hosted cluster.
 */
export function decodeStaticPod(value: unknown): StaticPod | undefined {
	const pod = fieldsOf<V1Pod>(value);
	const metadata = fieldsOf<V1ObjectMeta>(pod.metadata);
	const name = textOf(metadata.name);
	const label = fieldsOf<Record<string, unknown>>(metadata.labels)['component'];
	const component = components.find((one) => label === one || name === one || name.startsWith(`${one}-`));
	const annotations = fieldsOf<Record<string, unknown>>(metadata.annotations);
	if (!component || annotations['kubernetes.io/config.mirror'] === undefined) return undefined;
	const spec = fieldsOf<V1PodSpec>(pod.spec);
	const containers = entriesOf(spec.containers).map((container) => fieldsOf<V1Container>(container));
	const own = containers.find((container) => textOf(container.name) === component) ?? containers[0] ?? {};
	const words = [...entriesOf(own.command), ...entriesOf(own.args)].map(textOf);
	return {component, pod: name, nodeName: textOf(spec.nodeName), flags: readComponentFlags(component, words)};
}
