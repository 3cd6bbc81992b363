import type {
	V1Affinity,
	V1DaemonSet,
	V1DaemonSetSpec,
	V1DaemonSetStatus,
	V1Job,
	V1JobSpec,
	V1JobStatus,
	V1LabelSelector,
	V1NodeAffinity,
	V1ObjectMeta,
	V1OwnerReference,
	V1PersistentVolumeClaim,
	V1PersistentVolumeClaimVolumeSource,
	V1PodDisruptionBudget,
	V1PodDisruptionBudgetSpec,
	V1PodDisruptionBudgetStatus,
	V1PodSpec,
	V1PodTemplateSpec,
	V1StatefulSet,
	V1StatefulSetSpec,
	V1StatefulSetStatus,
	V1Volume,
} from '@kubernetes/client-node';
import type {Budget, Controller, LabelSelector, PodTemplate} from '../../core/model/workloads/related.ts';
import {decodeToleration} from '../codec/decodePod.ts';
import {entriesOf, fieldsOf, numberOf, textMapOf, textOf} from '../codec/rawJson.ts';
import {decodeNodeTerms, decodeRequests, decodeRequirement, otherRulesOf} from './schedulingRules.ts';

const nothingToReport = () => undefined;

/** What identifies an object, and who owns it. */
export function namedOf(metadata: unknown) {
	const {name, namespace, uid, ownerReferences} = fieldsOf<V1ObjectMeta>(metadata);
	const reference = entriesOf(ownerReferences)
		.map((entry) => fieldsOf<V1OwnerReference>(entry))
		.find(({controller}) => controller === true);
	const owner = reference && {
		kind: textOf(reference.kind),
		name: textOf(reference.name),
		uid: textOf(reference.uid),
	};
	return {name: textOf(name), namespace: textOf(namespace), uid: textOf(uid), ...(owner && {owner})};
}

/** Reads a ReplicaSet, ReplicationController, Deployment or StatefulSet; undefined where it has no name. */
export function decodeReplicated(kind: string, value: unknown): Controller | undefined {
	const object = fieldsOf<V1StatefulSet>(value);
	const spec = fieldsOf<V1StatefulSetSpec>(object.spec);
	const status = fieldsOf<V1StatefulSetStatus>(object.status);
	const named = namedOf(object.metadata);
	if (named.name === '') return undefined;
	return {
		kind,
		...named,
		desired: numberOf(spec.replicas) ?? 1,
		ready: numberOf(status.readyReplicas) ?? 0,
		template: decodeTemplate(spec.template),
		claimTemplates: entriesOf(spec.volumeClaimTemplates).flatMap(
			(entry) => namedOf(fieldsOf<V1PersistentVolumeClaim>(entry).metadata).name || [],
		),
	};
}

/** Reads a DaemonSet; undefined where it has no name. */
export function decodeDaemonSet(value: unknown): Controller | undefined {
	const object = fieldsOf<V1DaemonSet>(value);
	const status = fieldsOf<V1DaemonSetStatus>(object.status);
	const named = namedOf(object.metadata);
	if (named.name === '') return undefined;
	return {
		kind: 'DaemonSet',
		...named,
		desired: numberOf(status.desiredNumberScheduled) ?? 0,
		ready: numberOf(status.numberReady) ?? 0,
		template: decodeTemplate(fieldsOf<V1DaemonSetSpec>(object.spec).template),
		claimTemplates: [],
	};
}

const defaultBackoffLimit = 6;

/** Reads a Job; undefined where it has no name. */
export function decodeJob(value: unknown): Controller | undefined {
	const object = fieldsOf<V1Job>(value);
	const spec = fieldsOf<V1JobSpec>(object.spec);
	const status = fieldsOf<V1JobStatus>(object.status);
	const named = namedOf(object.metadata);
	if (named.name === '') return undefined;
	return {
		kind: 'Job',
		...named,
		desired: numberOf(spec.parallelism) ?? 1,
		ready: numberOf(status.ready) ?? 0,
		template: decodeTemplate(spec.template),
		claimTemplates: [],
		backoff: {
			limit: numberOf(spec.backoffLimit) ?? defaultBackoffLimit,
			failed: numberOf(status.failed) ?? 0,
			waitsForEnd: spec.podReplacementPolicy === 'Failed',
		},
	};
}

/** Reads a PodDisruptionBudget; undefined where it has no name. */
export function decodeBudget(value: unknown): Budget | undefined {
	const object = fieldsOf<V1PodDisruptionBudget>(value);
	const status = fieldsOf<V1PodDisruptionBudgetStatus>(object.status);
	const {name, namespace} = namedOf(object.metadata);
	if (name === '') return undefined;
	return {
		name,
		namespace,
		selector: decodeSelector(fieldsOf<V1PodDisruptionBudgetSpec>(object.spec).selector),
		currentHealthy: numberOf(status.currentHealthy) ?? 0,
		desiredHealthy: numberOf(status.desiredHealthy) ?? 0,
	};
}

function decodeTemplate(value: unknown): PodTemplate {
	const spec = fieldsOf<V1PodSpec>(fieldsOf<V1PodTemplateSpec>(value).spec);
	const affinity = fieldsOf<V1Affinity>(spec.affinity);
	return {
		tolerations: entriesOf(spec.tolerations).map((entry) => decodeToleration(entry, nothingToReport)),
		nodeSelector: textMapOf(spec.nodeSelector),
		nodeTerms: decodeNodeTerms(
			fieldsOf<V1NodeAffinity>(affinity.nodeAffinity).requiredDuringSchedulingIgnoredDuringExecution,
		),
		requests: decodeRequests(spec),
		claims: entriesOf(spec.volumes).flatMap((entry) => {
			// In protobuf the source is a part of its own.
			const volume = fieldsOf<V1Volume & {volumeSource: V1Volume}>(entry);
			const source =
				volume.persistentVolumeClaim ?? fieldsOf<V1Volume>(volume.volumeSource).persistentVolumeClaim;
			return textOf(fieldsOf<V1PersistentVolumeClaimVolumeSource>(source).claimName) || [];
		}),
		otherRules: otherRulesOf(spec),
	};
}

/** Reads a selector of labels; what is no condition is none. */
export const decodeSelector = (value: unknown): LabelSelector => {
	const {matchLabels, matchExpressions} = fieldsOf<V1LabelSelector>(value);
	return {
		matchLabels: textMapOf(matchLabels),
		matchExpressions: entriesOf(matchExpressions).map(decodeRequirement),
	};
};
