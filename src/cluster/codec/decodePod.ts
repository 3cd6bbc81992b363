import type {
	V1ObjectMeta,
	V1Pod,
	V1PodCondition,
	V1PodResourceClaim,
	V1PodResourceClaimStatus,
	V1PodSpec,
	V1PodStatus,
	V1Toleration,
} from '@kubernetes/client-node';
import {kept} from '../../core/collections/kept.ts';
import type {PodClaim} from '../../core/model/device.ts';
import {
	deviceEvictionReason,
	disrupters,
	evictionReason,
	type Pod,
	type PodOwner,
} from '../../core/model/pod.ts';
import type {Toleration} from '../../core/model/toleration.ts';
import {decodeConditionStatus, type ReportFlaw} from './decodeNode.ts';
import {
	decodeOwner,
	decodeTime,
	eachOf,
	entriesOf,
	type Fields,
	fieldsOf,
	isNamespaceName,
	isObjectName,
	numberOf,
	textMapOf,
	textOf,
} from './rawJson.ts';

/** Shares equal values between pods, to save memory. One per cluster. */
export class PodParts {
	readonly #texts = new Map<string, string>();
	readonly #labels = new Map<string, Readonly<Record<string, string>>>();
	readonly #tolerations = new Map<string, readonly Toleration[]>();
	readonly #owners = new Map<string, PodOwner>();

	text(value: unknown): string {
		const text = textOf(value);
		return kept(this.#texts, text, () => text, maxShared);
	}

	labels(value: unknown): Readonly<Record<string, string>> {
		const labels = textMapOf(value);
		return kept(this.#labels, JSON.stringify(labels), () => labels, maxShared);
	}

	tolerations(value: unknown, report: ReportFlaw): readonly Toleration[] {
		// The key is made of decoded values: raw ones may be nested too deeply for JSON.stringify.
		const tolerations = entriesOf(value).map((toleration) => decodeToleration(toleration, report));
		return kept(this.#tolerations, JSON.stringify(tolerations), () => tolerations, maxShared);
	}

	owner(references: unknown): PodOwner | undefined {
		const owner = decodeOwner(references);
		return owner && kept(this.#owners, `${owner.uid}/${owner.kind}/${owner.name}`, () => owner, maxShared);
	}
}

/** Decodes a core/v1 Pod of a list or a watch; undefined if its name or namespace is missing or invalid. */
export function decodePod(value: unknown, parts: PodParts, report: ReportFlaw): Pod | undefined {
	const pod = fieldsOf<V1Pod>(value);
	const metadata = fieldsOf<V1ObjectMeta>(pod.metadata);
	const spec = fieldsOf<V1PodSpec>(pod.spec);
	const name = textOf(metadata.name);
	const namespace = parts.text(metadata.namespace);
	if (name === '' || namespace === '') {
		report('Pod without a name or a namespace');
		return undefined;
	}
	const nodeName = parts.text(spec.nodeName);
	if (!isObjectName(name) || !isNamespaceName(namespace) || !(nodeName === '' || isObjectName(nodeName))) {
		report('Pod with a name, a namespace or a node that no API server takes');
		return undefined;
	}
	const annotations = fieldsOf<Record<string, unknown>>(metadata.annotations);
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
	decodeStatus(fieldsOf<V1PodStatus>(pod.status), parts, decoded);
	set(decoded, 'deletionTimestamp', decodeTime(metadata.deletionTimestamp));
	set(decoded, 'deletionGracePeriodSeconds', numberOf(metadata.deletionGracePeriodSeconds));
	set(decoded, 'owner', parts.owner(metadata.ownerReferences));
	set(decoded, 'priority', numberOf(spec.priority));
	if (spec.resourceClaims !== undefined) set(decoded, 'claims', decodePodClaims(spec, fieldsOf(pod.status)));
	return decoded;
}

/**
 * The resource claims that a pod names, generated ones once they are created; undefined if there are none.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/resourceclaim.go Name
 */
function decodePodClaims(
	{resourceClaims}: Fields<V1PodSpec>,
	{resourceClaimStatuses}: Fields<V1PodStatus>,
): readonly PodClaim[] | undefined {
	const statuses = eachOf(resourceClaimStatuses, (entry) => fieldsOf<V1PodResourceClaimStatus>(entry));
	const claims = eachOf(resourceClaims, (entry) => {
		const {name, resourceClaimName} = fieldsOf<V1PodResourceClaim>(entry);
		const own = textOf(resourceClaimName);
		if (own !== '') return {name: own, isGenerated: false};
		const made = textOf(statuses.find((status) => status.name === name)?.resourceClaimName);
		return made === '' ? undefined : {name: made, isGenerated: true};
	});
	return claims.length > 0 ? claims : undefined;
}

/** Written by the monitor pass that evicted nodes without taints (until v1.26). */
const nodeLost = 'NodeLost';

/** Written by a kubelet of pods that it ends because its node shuts down (since v1.22). */
const terminated = 'Terminated';

function decodeStatus(status: Fields<V1PodStatus>, parts: PodParts, pod: Writable<Pod>): void {
	const conditions = entriesOf(status.conditions).map((entry) => fieldsOf<V1PodCondition>(entry));
	const find = (type: string) => conditions.find((condition) => condition.type === type);
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
	if (reason === terminated && pod.phase === 'Failed') pod.isShutDown = true;
	if (disruption?.status !== 'True') return;
	pod.isDisruptionTarget = true;
	const at = decodeTime(disruption.lastTransitionTime);
	if (disruption.reason === evictionReason) set(pod, 'evictedAt', at);
	if (disruption.reason === deviceEvictionReason) set(pod, 'deviceEvictedAt', at);
	set(
		pod,
		'disruptedBy',
		disrupters.find((one) => one === disruption.reason),
	);
}

/** Decodes a toleration; unreadable tolerationSeconds are reported. */
export function decodeToleration(value: unknown, report: ReportFlaw): Toleration {
	const toleration = fieldsOf<V1Toleration>(value);
	const tolerationSeconds = numberOf(toleration.tolerationSeconds);
	// Absent means forever, so an unreadable value must not silently count as absent.
	if (tolerationSeconds === undefined && (toleration.tolerationSeconds ?? undefined) !== undefined) {
		report('Pod toleration with unreadable tolerationSeconds');
	}
	const decoded: Writable<Toleration> = {
		key: textOf(toleration.key),
		operator: textOf(toleration.operator),
		value: textOf(toleration.value),
		effect: textOf(toleration.effect),
	};
	set(decoded, 'tolerationSeconds', tolerationSeconds);
	return decoded;
}

type Writable<T> = {-readonly [Name in keyof T]: T[Name]};

// Absent fields are left out, as the model's optional fields require.
function set<T, Name extends keyof T>(object: T, name: Name, value: T[Name] | undefined): void {
	if (value !== undefined) object[name] = value;
}

/** Maximum number of shared values; a full cache is cleared, and values in use stay shared. */
const maxShared = 20_000;
