import type {
	V1ContainerStateTerminated,
	V1ContainerStatus,
	V1ObjectMeta,
	V1Pod,
	V1PodCondition,
	V1PodStatus,
} from '@kubernetes/client-node';
import type {EvictedPod} from '../../core/nodepressure/pressureLook.ts';
import type {Instant} from '../../core/time/instant.ts';
import {decodeTime} from '../codec/decodeTime.ts';
import {entriesOf, type Fields, fieldsOf, present, textOf} from '../codec/rawJson.ts';

/** The reason that a kubelet gives to the pods that it evicts. */
const evictedReason = 'Evicted';

/** What a core/v1 Pod says of its eviction by its kubelet; undefined where it was not evicted so. */
export function evictedPodOf(value: unknown): EvictedPod | undefined {
	const pod = fieldsOf<V1Pod>(value);
	const status = fieldsOf<V1PodStatus>(pod.status);
	if (status.phase !== 'Failed' || textOf(status.reason) !== evictedReason) return undefined;
	const metadata = fieldsOf<V1ObjectMeta>(pod.metadata);
	return {
		namespace: textOf(metadata.namespace),
		name: textOf(metadata.name),
		uid: textOf(metadata.uid),
		...present('at', evictedAt(status)),
		message: textOf(status.message),
	};
}

/** Since 1.26 a condition says when; limits of local storage write none, and there the end of the containers tells. */
function evictedAt(status: Fields<V1PodStatus>): Instant | undefined {
	const disruption = entriesOf(status.conditions)
		.map((entry) => fieldsOf<V1PodCondition>(entry))
		.find(({type, reason}) => type === 'DisruptionTarget' && reason === 'TerminationByKubelet');
	const announced = disruption && decodeTime(disruption.lastTransitionTime);
	if (announced !== undefined) return announced;
	const ends = entriesOf(status.containerStatuses).flatMap((entry) => {
		const {state} = fieldsOf<V1ContainerStatus>(entry);
		const {terminated} = fieldsOf<{terminated: unknown}>(state);
		return decodeTime(fieldsOf<V1ContainerStateTerminated>(terminated).finishedAt) ?? [];
	});
	return ends.length > 0 ? Math.max(...ends) : undefined;
}
