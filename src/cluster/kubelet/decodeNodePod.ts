import type {
	V1Container,
	V1EmptyDirVolumeSource,
	V1Pod,
	V1PodStatus,
	V1ResourceRequirements,
	V1Volume,
} from '@kubernetes/client-node';
import type {
	ContainerResources,
	InitContainer,
	NodePod,
	PodContainer,
	PodVolume,
	QosClass,
	ResourceList,
} from '../../core/nodepressure/nodePod.ts';
import {parseQuantity} from '../../core/nodepressure/quantities/parseQuantity.ts';
import type {Quantity} from '../../core/nodepressure/quantities/quantity.ts';
import type {ReportFlaw} from '../codec/decodeNode.ts';
import {decodeToleration} from '../codec/decodePod.ts';
import {
	decodeTime,
	entriesOf,
	type Fields,
	fieldsOf,
	isObject,
	numberOf,
	partsOf,
	type Raw,
	textOf,
} from '../codec/rawJson.ts';

const qosClasses: readonly QosClass[] = ['Guaranteed', 'Burstable', 'BestEffort'];

/** Decodes a Pod as its kubelet's eviction manager knows it: a static pod by its hash, a resized one as allocated. */
export function decodeNodePod(value: unknown, report: ReportFlaw): NodePod {
	const {metadata, spec, status} = partsOf<V1Pod>(value);
	const annotation = (name: string) => metadata.annotations?.[`kubernetes.io/config.${name}`];
	const allocated = allocatedRequests(status, report);
	const source = annotation('source');
	return {
		namespace: textOf(metadata.namespace),
		name: textOf(metadata.name),
		uid: uidOnNode(metadata.uid, annotation('mirror'), annotation('hash')),
		configSource: typeof source === 'string' ? source : undefined,
		isMirror: annotation('mirror') !== undefined,
		priority: numberOf(spec.priority),
		containers: entriesOf(spec.containers).map((entry) => decodeContainer(entry, allocated, report)),
		initContainers: entriesOf(spec.initContainers).map((entry) => decodeInit(entry, allocated, report)),
		resources: isObject(spec.resources) ? decodeResources(spec.resources, report) : undefined,
		overhead: decodeList(spec.overhead, report),
		volumes: entriesOf(spec.volumes).map((entry) => decodeVolume(entry, report)),
		terminationGracePeriodSeconds: numberOf(spec.terminationGracePeriodSeconds),
		deletionTimestamp: decodeTime(metadata.deletionTimestamp),
		tolerations: entriesOf(spec.tolerations).map((entry) => decodeToleration(entry, report)),
		qosClass: qosClasses.find((name) => name === status.qosClass),
	};
}

/** A mirror pod has its own UID at the API server; the kubelet knows the static pod by its manifest's hash. */
const uidOnNode = (uid: unknown, mirror: unknown, hash: unknown): string =>
	typeof hash === 'string' && mirror === hash ? hash : textOf(uid);

/** The requests that the kubelet has allocated to each container; an in-place resize may have changed them. */
function allocatedRequests(
	status: Fields<V1PodStatus>,
	report: ReportFlaw,
): ReadonlyMap<string, ResourceList> {
	const statuses = [...entriesOf(status.containerStatuses), ...entriesOf(status.initContainerStatuses)];
	return new Map(
		statuses.map((container) => [textOf(container?.name), decodeList(container?.allocatedResources, report)]),
	);
}

function decodeContainer(
	container: Raw<V1Container>,
	allocated: ReadonlyMap<string, ResourceList>,
	report: ReportFlaw,
): PodContainer {
	const name = textOf(container?.name);
	const {requests, limits} = decodeResources(container?.resources, report);
	return {name, requests: {...requests, ...allocated.get(name)}, limits};
}

const decodeInit = (
	container: Raw<V1Container>,
	allocated: ReadonlyMap<string, ResourceList>,
	report: ReportFlaw,
): InitContainer => ({
	...decodeContainer(container, allocated, report),
	isSidecar: container?.restartPolicy === 'Always',
});

const decodeResources = (resources: Raw<V1ResourceRequirements>, report: ReportFlaw): ContainerResources => ({
	requests: decodeList(resources?.requests, report),
	limits: decodeList(resources?.limits, report),
});

function decodeList(value: unknown, report: ReportFlaw): ResourceList {
	const entries = Object.entries(fieldsOf<Record<string, unknown>>(value)).map(
		([name, amount]) => [name, decodeQuantity(amount, report)] as const,
	);
	return Object.fromEntries(entries.filter((entry): entry is [string, Quantity] => entry[1] !== undefined));
}

function decodeVolume(volume: Raw<V1Volume>, report: ReportFlaw): PodVolume {
	const kind = (['emptyDir', 'hostPath', 'configMap', 'gitRepo'] as const).find((one) =>
		isObject(volume?.[one]),
	);
	const emptyDir = kind === 'emptyDir' ? fieldsOf<V1EmptyDirVolumeSource>(volume?.emptyDir) : undefined;
	return {
		name: textOf(volume?.name),
		kind: kind ?? 'other',
		medium: emptyDir && textOf(emptyDir.medium),
		sizeLimit: decodeQuantity(emptyDir?.sizeLimit, report),
	};
}

function decodeQuantity(value: unknown, report: ReportFlaw): Quantity | undefined {
	if (value === undefined || value === null) return undefined;
	const quantity = validQuantity(value);
	if (!quantity) report('a quantity that makes no sense');
	return quantity;
}

/** Quantities with more digits are invalid in practice, and too slow to compute with. */
const maxDigits = 60;

/** Parses a quantity; undefined if it is invalid or absurdly large. */
export function validQuantity(value: unknown): Quantity | undefined {
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const text = String(value).trim();
	if (text.length > maxDigits) return undefined;
	try {
		const quantity = parseQuantity(text);
		const digits = quantity.unscaled.toString().length + Math.abs(quantity.exponent);
		return digits <= maxDigits ? quantity : undefined;
	} catch {
		return undefined;
	}
}
