import type {V1ObjectMeta} from '@kubernetes/client-node';
import type {
	EvictionRequest,
	IntOrPercent,
	Machine,
	MachineFailure,
	MachineHealthCheck,
	NodeClaim,
	NodeHealthCheck,
	NodeReadinessRule,
	RepairObject,
	UnhealthyCondition,
} from '../../core/model/repairObject.ts';
import type {TaintEffect} from '../../core/model/taint.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {TextMap} from '../../text/textMap.ts';
import {decodeConditionStatus} from './decodeNode.ts';
import {decodeSelector} from './decodeSelector.ts';
import {
	decodeDuration,
	decodeOwner,
	decodeTime,
	eachOf,
	entriesOf,
	type Fields,
	fieldsOf,
	isObject,
	isObjectName,
	numberOf,
	partsOf,
	textIn,
	textMapOf,
	textOf,
	valueAt,
} from './rawJson.ts';

/** The API groups of the programs that repair nodes, and of requests to evict pods. */
export const repairGroups = [
	'karpenter.sh',
	'machine.openshift.io',
	'cluster.x-k8s.io',
	'remediation.medik8s.io',
	'readiness.node.x-k8s.io',
	'lifecycle.k8s.io',
] as const;

type RepairGroup = (typeof repairGroups)[number];

/** The kinds that are read of each group. */
export const repairKinds: Readonly<Record<RepairGroup, readonly RepairObject['kind'][]>> = {
	'karpenter.sh': ['NodeClaim'],
	'machine.openshift.io': ['Machine', 'MachineHealthCheck'],
	'cluster.x-k8s.io': ['Machine', 'MachineHealthCheck'],
	'remediation.medik8s.io': ['NodeHealthCheck'],
	'readiness.node.x-k8s.io': ['NodeReadinessRule'],
	'lifecycle.k8s.io': ['EvictionRequest'],
};

type Any = Record<string, unknown>;

const textAt = (value: unknown, path: string): string => textOf(valueAt(value, path));

/** Decodes an object of one of these kinds; undefined if its name is missing or invalid. */
export function decodeRepair(
	kind: RepairObject['kind'],
	group: string,
	object: unknown,
): RepairObject | undefined {
	const metadata = partsOf(object).metadata;
	const name = textOf(metadata.name);
	if (!isObjectName(name)) return undefined;
	switch (kind) {
		case 'NodeClaim':
			return nodeClaimOf(object, name, metadata);
		case 'Machine':
			return machineOf(object, name, group, metadata);
		case 'MachineHealthCheck':
			return machineCheckOf(object, name, group, metadata);
		case 'NodeHealthCheck':
			return nodeCheckOf(object, name);
		case 'NodeReadinessRule':
			return readinessRuleOf(object, name);
		case 'EvictionRequest':
			return evictionRequestOf(object, name, textOf(metadata.namespace));
	}
}

const readinessRuleOf = (object: unknown, name: string): NodeReadinessRule => ({
	kind: 'NodeReadinessRule',
	name,
	taint: {
		key: textAt(object, 'spec.taint.key'),
		effect: textAt(object, 'spec.taint.effect') as TaintEffect,
	},
	selector: decodeSelector(valueAt(object, 'spec.nodeSelector')),
	conditions: eachOf(valueAt(object, 'spec.conditions'), (entry) => {
		const fields = fieldsOf<Any>(entry);
		const status = decodeConditionStatus(fields['requiredStatus']);
		return status && {type: textOf(fields['type']), status};
	}),
	isDryRun: valueAt(object, 'spec.dryRun') === true,
});

const evictionRequestOf = (object: unknown, name: string, namespace: string): EvictionRequest => ({
	kind: 'EvictionRequest',
	namespace,
	name,
	podUid: textAt(object, 'spec.target.pod.uid'),
	requester: textAt(object, 'spec.requester'),
	isOpen:
		textAt(object, 'spec.intent') === 'Eviction' &&
		!entriesOf(valueAt(object, 'status.conditions')).some(
			(entry) => fieldsOf<Any>(entry)['status'] === 'True',
		),
});

/** `Never` is no duration. */
function expiryOf(object: unknown, {creationTimestamp}: Fields<V1ObjectMeta>): Instant | undefined {
	const [created, after] = [
		decodeTime(creationTimestamp),
		decodeDuration(valueAt(object, 'spec.expireAfter')),
	];
	return created === undefined || after === undefined ? undefined : created + after;
}

const nodeClaimOf = (object: unknown, name: string, metadata: Fields<V1ObjectMeta>): NodeClaim => ({
	kind: 'NodeClaim',
	name,
	nodeName: textAt(object, 'status.nodeName'),
	providerId: textAt(object, 'status.providerID'),
	pool: textMapOf(metadata.labels)['karpenter.sh/nodepool'] ?? '',
	provider: textAt(object, 'spec.nodeClassRef.group'),
	expiresAt: expiryOf(object, metadata),
	deletionTimestamp: decodeTime(metadata.deletionTimestamp),
});

/** Annotations that exclude a Machine of Cluster API from repair; OpenShift ignores them. */
const skipping = ['cluster.x-k8s.io/paused', 'cluster.x-k8s.io/skip-remediation'];

function machineOf(object: unknown, name: string, group: string, metadata: Fields<V1ObjectMeta>): Machine {
	const annotations = textMapOf(metadata.annotations);
	const isOfCluster = group === 'cluster.x-k8s.io';
	const failure = isOfCluster
		? failureOfCluster(object, annotations)
		: textAt(object, 'status.phase') === 'Failed' && 'phase';
	const conditions = isOfCluster ? eachOf(valueAt(object, 'status.conditions'), machineConditionOf) : [];
	const isBeingRepaired = !isOfCluster && Object.hasOwn(annotations, 'host.metal3.io/external-remediation');
	return {
		kind: 'Machine',
		group,
		namespace: textOf(metadata.namespace),
		name,
		nodeName: textAt(object, 'status.nodeRef.name'),
		providerId: textAt(object, 'spec.providerID'),
		labels: textMapOf(metadata.labels),
		isControlled: decodeOwner(metadata.ownerReferences) !== undefined,
		isSkipped: isOfCluster && skipping.some((key) => Object.hasOwn(annotations, key)),
		isBeingRepaired: isBeingRepaired || undefined,
		failure: failure || undefined,
		conditions: conditions.length > 0 ? conditions : undefined,
		deletionTimestamp: decodeTime(metadata.deletionTimestamp),
	};
}

/** Until v1.10, which prefers v1beta1, a failure in the status counts as well; later releases moved it elsewhere. */
function failureOfCluster(object: unknown, annotations: TextMap): MachineFailure | undefined {
	if (Object.hasOwn(annotations, 'cluster.x-k8s.io/remediate-machine')) return 'annotation';
	const failure = textAt(object, 'status.failureReason') || textAt(object, 'status.failureMessage');
	return failure === '' ? undefined : 'failureReason';
}

function machineConditionOf(entry: unknown) {
	const fields = fieldsOf<Any>(entry);
	const status = decodeConditionStatus(fields['status']);
	const lastTransitionTime = decodeTime(fields['lastTransitionTime']);
	if (!status || lastTransitionTime === undefined) return undefined;
	return {type: textOf(fields['type']), status, lastTransitionTime};
}

/** v1beta2 of Cluster API moved fields of `spec` to `spec.checks` and `spec.remediation`. */
function machineCheckOf(
	object: unknown,
	name: string,
	group: string,
	metadata: Fields<V1ObjectMeta>,
): MachineHealthCheck {
	const annotations = textMapOf(metadata.annotations);
	const template =
		valueAt(object, 'spec.remediationTemplate') ?? valueAt(object, 'spec.remediation.templateRef');
	const machineConditions = conditionsOf(valueAt(object, 'spec.checks.unhealthyMachineConditions'), 0);
	return {
		kind: 'MachineHealthCheck',
		group,
		namespace: textOf(metadata.namespace),
		name,
		cluster: textAt(object, 'spec.clusterName'),
		selector: decodeSelector(valueAt(object, 'spec.selector')),
		conditions: [
			...conditionsOf(valueAt(object, 'spec.unhealthyConditions'), 5 * minute),
			...conditionsOf(valueAt(object, 'spec.checks.unhealthyNodeConditions'), 0),
		],
		machineConditions: machineConditions.length > 0 ? machineConditions : undefined,
		maxUnhealthy:
			intOrPercentOf(valueAt(object, 'spec.maxUnhealthy')) ??
			intOrPercentOf(valueAt(object, 'spec.remediation.triggerIf.unhealthyLessThanOrEqualTo')) ??
			'100%',
		unhealthyRange:
			textIn(valueAt(object, 'spec.unhealthyRange')) ??
			textIn(valueAt(object, 'spec.remediation.triggerIf.unhealthyInRange')),
		isExternal:
			isObject(template) || annotations['machine.openshift.io/remediation-strategy'] === 'external-baremetal',
		isPaused: Object.hasOwn(annotations, 'cluster.x-k8s.io/paused') || isPausedByStatus(object),
	};
}

/** Whether a check of Cluster API reports that it is paused, as with its Cluster, which is not read. */
const isPausedByStatus = (object: unknown) =>
	[
		...entriesOf(valueAt(object, 'status.conditions')),
		...entriesOf(valueAt(object, 'status.v1beta2.conditions')),
	].some((entry) => {
		const {type, status} = fieldsOf<Any>(entry);
		return type === 'Paused' && status === 'True';
	});

function nodeCheckOf(object: unknown, name: string): NodeHealthCheck {
	const [escalating] = entriesOf(valueAt(object, 'spec.escalatingRemediations'));
	return {
		kind: 'NodeHealthCheck',
		name,
		selector: decodeSelector(valueAt(object, 'spec.selector')),
		conditions: conditionsOf(valueAt(object, 'spec.unhealthyConditions'), 5 * minute),
		minHealthy: intOrPercentOf(valueAt(object, 'spec.minHealthy')),
		maxUnhealthy: intOrPercentOf(valueAt(object, 'spec.maxUnhealthy')),
		template:
			textAt(object, 'spec.remediationTemplate.kind') || textAt(escalating, 'remediationTemplate.kind'),
		isPaused:
			entriesOf(valueAt(object, 'spec.pauseRequests')).length > 0 ||
			textAt(object, 'status.phase') === 'Disabled',
	};
}

/** Decodes conditions with their timeouts, whose field has had three names. */
const conditionsOf = (value: unknown, without: Duration): readonly UnhealthyCondition[] =>
	eachOf(value, (entry) => {
		const fields = fieldsOf<Any>(entry);
		const status = decodeConditionStatus(fields['status']);
		const type = textOf(fields['type']);
		if (!status || type === '') return undefined;
		const seconds = numberOf(fields['timeoutSeconds']);
		const timeout =
			seconds === undefined
				? (decodeDuration(fields['timeout']) ?? decodeDuration(fields['duration']) ?? without)
				: seconds * second;
		return {type, status, timeout};
	});

function intOrPercentOf(value: unknown): IntOrPercent | undefined {
	return numberOf(value) ?? textIn(value);
}
