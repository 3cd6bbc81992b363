import type {
	V1Affinity,
	V1DaemonSet,
	V1Job,
	V1NodeAffinity,
	V1ObjectMeta,
	V1PersistentVolumeClaimVolumeSource,
	V1PodDisruptionBudget,
	V1PodTemplateSpec,
	V1StatefulSet,
	V1Volume,
} from '@kubernetes/client-node';
import type {Budget, Controller, PodTemplate} from '../../core/model/workloads/related.ts';
import {decodeToleration} from '../codec/decodePod.ts';
import {decodeSelector} from '../codec/decodeSelector.ts';
import {countOf} from '../codec/objectOf.ts';
import {decodeOwner, entriesOf, fieldsOf, numberOf, partsOf, textMapOf, textOf} from '../codec/rawJson.ts';
import {decodeNodeTerms, decodeRequests, otherRulesOf} from './schedulingRules.ts';

const ignoreFlaw = () => undefined;

/** An object's name, namespace, UID and owner. */
export function namedOf(metadata: unknown) {
	const {name, namespace, uid, ownerReferences} = fieldsOf<V1ObjectMeta>(metadata);
	const owner = decodeOwner(ownerReferences);
	return {name: textOf(name), namespace: textOf(namespace), uid: textOf(uid), ...(owner && {owner})};
}

type ControllerParts = ReturnType<typeof partsOf<V1StatefulSet & V1DaemonSet & V1Job>>;

/** Decodes a controller of pods, with its kind's own fields; undefined if it has no name. */
function decodeController(
	kind: string,
	value: unknown,
	ownOf: (parts: ControllerParts) => Pick<Controller, 'desired' | 'ready'> & Partial<Controller>,
): Controller | undefined {
	const parts: ControllerParts = partsOf(value);
	const named = namedOf(parts.metadata);
	if (named.name === '') return undefined;
	return {kind, ...named, template: decodeTemplate(parts.spec.template), claimTemplates: [], ...ownOf(parts)};
}

/** Decodes a ReplicaSet, ReplicationController, Deployment or StatefulSet; undefined if it has no name. */
export const decodeReplicated = (kind: string, value: unknown): Controller | undefined =>
	decodeController(kind, value, ({spec, status}) => ({
		desired: numberOf(spec.replicas) ?? 1,
		ready: countOf(status.readyReplicas),
		claimTemplates: entriesOf(spec.volumeClaimTemplates).flatMap(
			(entry) => textOf(partsOf(entry).metadata.name) || [],
		),
	}));

/** Decodes a DaemonSet; undefined if it has no name. */
export const decodeDaemonSet = (value: unknown): Controller | undefined =>
	decodeController('DaemonSet', value, ({status}) => ({
		desired: countOf(status.desiredNumberScheduled),
		ready: countOf(status.numberReady),
	}));

const defaultBackoffLimit = 6;

/** Decodes a Job; undefined if it has no name. */
export const decodeJob = (value: unknown): Controller | undefined =>
	decodeController('Job', value, ({spec, status}) => ({
		desired: numberOf(spec.parallelism) ?? 1,
		ready: countOf(status.ready),
		backoff: {
			limit: numberOf(spec.backoffLimit) ?? defaultBackoffLimit,
			failed: countOf(status.failed),
			waitsForEnd: spec.podReplacementPolicy === 'Failed',
		},
	}));

/** Decodes a PodDisruptionBudget; undefined if it has no name. */
export function decodeBudget(value: unknown): Budget | undefined {
	const {metadata, spec, status} = partsOf<V1PodDisruptionBudget>(value);
	const {name, namespace} = namedOf(metadata);
	if (name === '') return undefined;
	return {
		name,
		namespace,
		selector: decodeSelector(spec.selector),
		currentHealthy: countOf(status.currentHealthy),
		desiredHealthy: countOf(status.desiredHealthy),
		expectedPods: countOf(status.expectedPods),
	};
}

function decodeTemplate(value: unknown): PodTemplate {
	const {spec} = partsOf<V1PodTemplateSpec>(value);
	const affinity = fieldsOf<V1Affinity>(spec.affinity);
	return {
		tolerations: entriesOf(spec.tolerations).map((entry) => decodeToleration(entry, ignoreFlaw)),
		nodeSelector: textMapOf(spec.nodeSelector),
		nodeTerms: decodeNodeTerms(
			fieldsOf<V1NodeAffinity>(affinity.nodeAffinity).requiredDuringSchedulingIgnoredDuringExecution,
		),
		requests: decodeRequests(spec),
		claims: entriesOf(spec.volumes).flatMap((entry) => {
			// In protobuf the source is a nested message.
			const volume = fieldsOf<V1Volume & {volumeSource: V1Volume}>(entry);
			const source =
				volume.persistentVolumeClaim ?? fieldsOf<V1Volume>(volume.volumeSource).persistentVolumeClaim;
			return textOf(fieldsOf<V1PersistentVolumeClaimVolumeSource>(source).claimName) || [];
		}),
		otherRules: otherRulesOf(spec),
	};
}
