import type {
	V1Affinity,
	V1DaemonSet,
	V1DaemonSetSpec,
	V1DaemonSetStatus,
	V1Job,
	V1JobSpec,
	V1JobStatus,
	V1NodeAffinity,
	V1ObjectMeta,
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
import type {Budget, Controller, PodTemplate} from '../../core/model/workloads/related.ts';
import {decodeToleration} from '../codec/decodePod.ts';
import {decodeSelector} from '../codec/decodeSelector.ts';
import {countOf} from '../codec/objectOf.ts';
import {decodeOwner, entriesOf, fieldsOf, numberOf, textMapOf, textOf} from '../codec/rawJson.ts';
import {decodeNodeTerms, decodeRequests, otherRulesOf} from './schedulingRules.ts';

const nothingToReport = () => undefined;

/** What identifies an object, and who owns it. */
export function namedOf(metadata: unknown) {
	const {name, namespace, uid, ownerReferences} = fieldsOf<V1ObjectMeta>(metadata);
	const owner = decodeOwner(ownerReferences);
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
		ready: countOf(status.readyReplicas),
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
		desired: countOf(status.desiredNumberScheduled),
		ready: countOf(status.numberReady),
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
		ready: countOf(status.ready),
		template: decodeTemplate(spec.template),
		claimTemplates: [],
		backoff: {
			limit: numberOf(spec.backoffLimit) ?? defaultBackoffLimit,
			failed: countOf(status.failed),
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
		currentHealthy: countOf(status.currentHealthy),
		desiredHealthy: countOf(status.desiredHealthy),
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
