import type {V1ObjectMeta, V1Pod, V1PodSpec, V1PodStatus, V1Toleration} from '@kubernetes/client-node';
import {kept} from '../../core/collections/kept.ts';
import type {PodClaim} from '../../core/model/device.ts';
import {
	collectionReason,
	deviceEvictionReason,
	disrupters,
	evictionReason,
	isPodTerminal,
	isRefusal,
	kubeletEvictionReason,
	type Pod,
	type PodOwner,
} from '../../core/model/pod.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import {completionIndexAnnotation, indexFailuresAnnotation} from '../../core/workloads/job.ts';
import {defaultGracePeriod} from '../../core/workloads/podEnd.ts';
import type {TextMap} from '../../text/textMap.ts';
import {decodeConditionStatus, type ReportFlaw} from './decodeNode.ts';
import {
	decodeOwner,
	decodeTime,
	eachOf,
	entriesOf,
	type Fields,
	isNamespaceName,
	isObject,
	isObjectName,
	numberOf,
	partsOf,
	type Raw,
	textMapOf,
	textOf,
} from './rawJson.ts';

/** Shares equal values between pods, to save memory. One per cluster. */
export class PodParts {
	readonly #texts = new Map<string, string>();
	readonly #labels = new Map<string, TextMap>();
	readonly #tolerations = new Map<string, readonly Toleration[]>();
	readonly #owners = new Map<string, PodOwner>();

	text(value: unknown): string {
		const text = textOf(value);
		return kept(this.#texts, text, () => text, maxShared);
	}

	labels(value: unknown): TextMap {
		const labels = textMapOf(value);
		return kept(this.#labels, JSON.stringify(labels), () => labels, maxShared);
	}

	tolerations(value: Fields<V1PodSpec>['tolerations'], report: ReportFlaw): readonly Toleration[] {
		// The key is made of decoded values: raw ones may be nested too deeply for JSON.stringify.
		const tolerations = entriesOf(value).map((toleration) => decodeToleration(toleration, report));
		return kept(this.#tolerations, JSON.stringify(tolerations), () => tolerations, maxShared);
	}

	owner(references: Fields<V1ObjectMeta>['ownerReferences']): PodOwner | undefined {
		const owner = decodeOwner(references);
		return owner && kept(this.#owners, `${owner.uid}/${owner.kind}/${owner.name}`, () => owner, maxShared);
	}
}

/** Decodes a core/v1 Pod of a list or a watch; undefined if its name or namespace is missing or invalid. */
export function decodePod(value: unknown, parts: PodParts, report: ReportFlaw): Pod | undefined {
	const {metadata, spec, status} = partsOf<V1Pod>(value);
	const name = textOf(metadata.name);
	const namespace = parts.text(metadata.namespace);
	if (name === '' || namespace === '') return void report('Pod without a name or a namespace');
	const nodeName = parts.text(spec.nodeName);
	if (!isObjectName(name) || !isNamespaceName(namespace) || !(nodeName === '' || isObjectName(nodeName)))
		return void report('Pod with a name, a namespace or a node that no API server takes');
	const annotations = metadata.annotations ?? {};
	const decoded: Writable<Pod> = {
		namespace,
		name,
		uid: textOf(metadata.uid),
		nodeName,
		createdAt: decodeTime(metadata.creationTimestamp) ?? 0,
		labels: parts.labels(metadata.labels),
		tolerations: parts.tolerations(spec.tolerations, report),
		isMirror: annotations['kubernetes.io/config.mirror'] !== undefined,
		phase: '',
	};
	decodeStatus(status, parts, decoded);
	set(decoded, 'deletionTimestamp', decodeTime(metadata.deletionTimestamp));
	set(decoded, 'deletionGracePeriodSeconds', numberOf(metadata.deletionGracePeriodSeconds));
	const grace = numberOf(spec.terminationGracePeriodSeconds);
	set(decoded, 'gracePeriodSeconds', grace === defaultGracePeriod ? undefined : grace);
	const finalizers = eachOf(metadata.finalizers, (finalizer) => parts.text(finalizer) || undefined);
	set(decoded, 'finalizers', finalizers.length > 0 ? finalizers : undefined);
	set(decoded, 'completionIndex', wholeNumber(annotations[completionIndexAnnotation]));
	set(decoded, 'indexFailures', wholeNumber(annotations[indexFailuresAnnotation]));
	set(decoded, 'owner', parts.owner(metadata.ownerReferences));
	set(decoded, 'priority', numberOf(spec.priority));
	if (entriesOf(spec.volumes).some((volume) => isObject(volume?.emptyDir))) decoded.hasEmptyDir = true;
	if (spec.resourceClaims !== undefined || status.extendedResourceClaimStatus !== undefined)
		set(decoded, 'claims', decodePodClaims(spec, status));
	return decoded;
}

const wholeNumber = (value: unknown): number | undefined =>
	typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : undefined;

/**
 * The resource claims that a pod names, generated ones once they are created; undefined if there are none.
 *
 * @upstream k8s.io/dynamic-resource-allocation v0.38.0-beta.0 resourceclaim/pod.go PodClaims
 */
function decodePodClaims(
	{resourceClaims}: Fields<V1PodSpec>,
	{resourceClaimStatuses, extendedResourceClaimStatus}: Fields<V1PodStatus>,
): readonly PodClaim[] | undefined {
	const named = eachOf(resourceClaims, (claim) => {
		const own = textOf(claim?.resourceClaimName);
		if (own !== '') return {name: own, isGenerated: false};
		const status = entriesOf(resourceClaimStatuses).find((one) => one?.name === claim?.name);
		const made = textOf(status?.resourceClaimName);
		return made === '' ? undefined : {name: made, isGenerated: true};
	});
	const extended = textOf(extendedResourceClaimStatus?.resourceClaimName);
	const claims: readonly PodClaim[] =
		extended === '' ? named : [...named, {name: extended, isGenerated: true, isExtended: true}];
	return claims.length > 0 ? claims : undefined;
}

/** Written by the monitor pass that evicted nodes without taints (until v1.26). */
const nodeLost = 'NodeLost';

/**
 * Written by a kubelet of pods that it ends to admit a critical one: its node is short of nothing that evicts others.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/preemption/preemption.go evictPodsToFreeRequests
 */
const preempting = 'Preempting';

/**
 * Written by a kubelet of pods that it ends because its node shuts down; the first until v1.21. A pod whose containers end with
 * 0 is Succeeded, and keeps only the condition.
 *
 * @upstream kubernetes v1.36.3 pkg/kubelet/nodeshutdown/nodeshutdown_manager.go killPods
 * @upstream kubernetes v1.36.3 pkg/kubelet/kubelet_pods.go generateAPIPodStatus
 */
const shutDown = ['Shutdown', 'Terminated'];
const shutdownMessage = 'Pod was terminated in response to imminent node shutdown.';

function decodeStatus(status: Fields<V1PodStatus>, parts: PodParts, pod: Writable<Pod>) {
	const conditions = entriesOf(status.conditions);
	const find = (type: string) => conditions.find((condition) => condition?.type === type);
	const [ready, scheduled, disruption] = [find('Ready'), find('PodScheduled'), find('DisruptionTarget')];
	const scheduledAt = scheduled?.status === 'True' ? decodeTime(scheduled.lastTransitionTime) : undefined;
	const changedAt = decodeTime(ready?.lastTransitionTime);
	const [readySince, readyChangedAt] = ready?.status === 'True' ? [changedAt] : [undefined, changedAt];
	// A kubelet always gives a reason for a pod that is not ready; the node lifecycle controller never does.
	const isMarked = ready?.status === 'False' && textOf(ready.reason) === '';
	pod.phase = parts.text(status.phase);
	set(pod, 'ready', decodeConditionStatus(ready?.status));
	set(pod, 'readyChangedAt', readyChangedAt);
	set(pod, 'readySince', readySince);
	set(pod, 'markedNotReadyAt', isMarked ? readyChangedAt : undefined);
	set(pod, 'scheduledAt', scheduledAt);
	const reason = textOf(status.reason);
	if (reason === nodeLost) pod.isNodeLost = true;
	const isEndedForShutdown = shutDown.includes(reason) || textOf(disruption?.message) === shutdownMessage;
	if (isEndedForShutdown && isPodTerminal(pod)) pod.isShutDown = true;
	if (isKubeletEviction(status)) pod.disruptedBy = 'TerminationByKubelet';
	if (disruption?.status !== 'True') return;
	pod.isDisruptionTarget = true;
	const at = decodeTime(disruption.lastTransitionTime);
	if (disruption.reason === evictionReason) set(pod, 'evictedAt', at);
	if (disruption.reason === deviceEvictionReason) set(pod, 'deviceEvictedAt', at);
	if (disruption.reason === collectionReason) pod.isCollected = true;
	if (reason === preempting) return;
	const by = disrupters.find((one) => one === disruption.reason);
	set(pod, 'disruptedBy', by);
	set(pod, 'disruptedAt', by && at);
}

/** Whether a status is of a pod that its kubelet evicted. */
export const isKubeletEviction = ({phase, reason, message}: Fields<V1PodStatus>) =>
	phase === 'Failed' && reason === kubeletEvictionReason && !isRefusal(textOf(message));

/** Decodes a toleration; unreadable tolerationSeconds are reported. */
export function decodeToleration(toleration: Raw<V1Toleration>, report: ReportFlaw): Toleration {
	const tolerationSeconds = numberOf(toleration?.tolerationSeconds);
	// Absent means forever, so an unreadable value must not silently count as absent.
	if (tolerationSeconds === undefined && (toleration?.tolerationSeconds ?? undefined) !== undefined) {
		report('Pod toleration with unreadable tolerationSeconds');
	}
	const decoded: Writable<Toleration> = {
		key: textOf(toleration?.key),
		operator: textOf(toleration?.operator),
		value: textOf(toleration?.value),
		effect: textOf(toleration?.effect),
	};
	set(decoded, 'tolerationSeconds', tolerationSeconds);
	return decoded;
}

type Writable<T> = {-readonly [Name in keyof T]: T[Name]};

// Absent fields are left out, as the model's optional fields require.
function set<T, Name extends keyof T>(object: T, name: Name, value: T[Name] | undefined) {
	if (value !== undefined) object[name] = value;
}

/** Maximum number of shared values; a full cache is cleared, and values in use stay shared. */
const maxShared = 20_000;
