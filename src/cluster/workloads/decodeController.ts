import type {
	V1DaemonSet,
	V1Job,
	V1ObjectMeta,
	V1PodDisruptionBudget,
	V1PodFailurePolicy,
	V1PodTemplateSpec,
	V1StatefulSet,
} from '@kubernetes/client-node';
import type {FailureRule, JobRules} from '../../core/model/workloads/jobRules.ts';
import type {Budget, Controller, PodTemplate} from '../../core/model/workloads/related.ts';
import {type Instant, second} from '../../core/time/instant.ts';
import {ofHostNetwork} from '../../core/workloads/daemonSet.ts';
import {hasEnded, wantedPods} from '../../core/workloads/job.ts';
import {decodeConditionStatus} from '../codec/decodeNode.ts';
import {decodeToleration} from '../codec/decodePod.ts';
import {decodeSelector} from '../codec/decodeSelector.ts';
import {countOf} from '../codec/objectOf.ts';
import {
	decodeOwner,
	decodeTime,
	eachOf,
	entriesOf,
	type Fields,
	fieldsOf,
	isObject,
	numberOf,
	partsOf,
	type Raw,
	textIn,
	textMapOf,
	textOf,
} from '../codec/rawJson.ts';
import {decodeNodeTerms, decodeRequests, otherRulesOf} from './schedulingRules.ts';

const ignoreFlaw = () => undefined;

/** An object's name, namespace, UID and owner. */
export function namedOf({name, namespace, uid, ownerReferences}: Fields<V1ObjectMeta>) {
	const owner = decodeOwner(ownerReferences);
	return {name: textOf(name), namespace: textOf(namespace), uid: textOf(uid), owner};
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
	const isDeleted = decodeTime(parts.metadata.deletionTimestamp) !== undefined;
	const own = ownOf(parts);
	return {
		kind,
		...named,
		template: decodeTemplate(parts.spec.template, kind),
		claimTemplates: [],
		...own,
		desired: isDeleted ? 0 : own.desired,
		isDeleted: isDeleted || undefined,
	};
}

/** Decodes a ReplicaSet, ReplicationController, Deployment or StatefulSet; undefined if it has no name. */
export const decodeReplicated = (kind: string, value: unknown): Controller | undefined =>
	decodeController(kind, value, ({spec, status}) => ({
		desired: numberOf(spec.replicas) ?? 1,
		ready: countOf(status.readyReplicas),
		replicas: countOf(status.replicas),
		claimTemplates: entriesOf(spec.volumeClaimTemplates).flatMap(
			(entry) => textOf(partsOf(entry).metadata.name) || [],
		),
		ordinals:
			kind === 'StatefulSet'
				? {
						start: countOf(spec.ordinals?.start),
						isParallel: spec.podManagementPolicy === 'Parallel',
					}
				: undefined,
	}));

/** Decodes a DaemonSet; undefined if it has no name. */
export const decodeDaemonSet = (value: unknown): Controller | undefined =>
	decodeController('DaemonSet', value, ({spec, status}) => ({
		desired: countOf(status.desiredNumberScheduled),
		ready: countOf(status.numberReady),
		maySurge: isSome(spec.updateStrategy?.rollingUpdate?.maxSurge) || undefined,
	}));

/** Whether a number or percentage is more than none. */
const isSome = (value: unknown) => countOf(value) > 0 || Number.parseInt(textOf(value), 10) > 0;

const defaultBackoffLimit = 6;

/** Decodes a Job; undefined if it has no name. */
export const decodeJob = (value: unknown): Controller | undefined =>
	decodeController('Job', value, ({spec, status}) => {
		const job = decodeJobRules(spec, status);
		const desired = hasEnded(job) || job.isSuspended ? 0 : wantedPods(job, job.succeeded, job.active);
		// Before v1.24 the status has no ready pods.
		return {desired, ready: numberOf(status.ready) ?? job.active, job};
	});

/** Ways in which a Job ends; the last two are set before its pods are gone. */
const ends: readonly unknown[] = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet'];

function decodeJobRules(spec: ControllerParts['spec'], status: ControllerParts['status']): JobRules {
	const backoffLimitPerIndex = numberOf(spec.backoffLimitPerIndex);
	const ofEach = backoffLimitPerIndex === undefined ? defaultBackoffLimit : Number.POSITIVE_INFINITY;
	return {
		parallelism: numberOf(spec.parallelism) ?? 1,
		completions: numberOf(spec.completions),
		isIndexed: spec.completionMode === 'Indexed',
		isSuspended: spec.suspend === true,
		backoffLimit: numberOf(spec.backoffLimit) ?? ofEach,
		backoffLimitPerIndex,
		maxFailedIndexes: numberOf(spec.maxFailedIndexes),
		replacesOnlyFailed: spec.podReplacementPolicy === 'Failed',
		deadline: deadlineOf(spec, status),
		failurePolicy: spec.podFailurePolicy ? decodeFailurePolicy(spec.podFailurePolicy) : undefined,
		ended: textIn(
			entriesOf(status.conditions).findLast((one) => one?.status === 'True' && ends.includes(one.type))?.type,
		),
		active: countOf(status.active),
		succeeded: countOf(status.succeeded),
		failed: countOf(status.failed),
		completedIndexes: indexListOf(status.completedIndexes),
		failedIndexes: indexListOf(status.failedIndexes),
	};
}

/** A Job that is suspended has no start time. */
function deadlineOf(spec: ControllerParts['spec'], status: ControllerParts['status']): Instant | undefined {
	const [start, seconds] = [decodeTime(status.startTime), numberOf(spec.activeDeadlineSeconds)];
	return start === undefined || seconds === undefined ? undefined : start + seconds * second;
}

const indexListOf = (value: unknown): string => (/^[\d,-]*$/.test(textOf(value)) ? textOf(value) : '');

const actions = ['Ignore', 'Count', 'FailIndex', 'FailJob'];
/** Of other conditions of pods nothing is known. */
const knownConditions = ['DisruptionTarget', 'Ready'];

const decodeFailurePolicy = ({rules}: Fields<V1PodFailurePolicy>): readonly FailureRule[] =>
	entriesOf(rules).map((rule) => ({
		action: actions.find((known) => known === rule?.action) ?? 'Count',
		exitCodes: isObject(rule?.onExitCodes)
			? {
					isIn: rule.onExitCodes.operator === 'In',
					values: entriesOf(rule.onExitCodes.values).map(countOf),
				}
			: undefined,
		conditions: eachOf(rule?.onPodConditions, (pattern) => {
			const type = knownConditions.find((known) => known === pattern?.type);
			return type === undefined ? type : {type, status: decodeConditionStatus(pattern?.status) ?? 'True'};
		}),
	}));

/**
 * Decodes a PodDisruptionBudget; undefined if it has no name, or covers no pod: in v1beta1, which v1.24 still serves, an empty
 * selector selects none.
 *
 * @upstream kubernetes v1.24.17 pkg/apis/policy/v1beta1/conversion.go Convert_v1beta1_PodDisruptionBudget_To_policy_PodDisruptionBudget
 */
export function decodeBudget(value: unknown): Budget | undefined {
	const {metadata, spec, status} = partsOf<V1PodDisruptionBudget>(value);
	const {name, namespace} = namedOf(metadata);
	const selector = decodeSelector(spec.selector);
	const {matchLabels, matchExpressions} = selector;
	const isEmpty = Object.keys(matchLabels).length + matchExpressions.length === 0;
	const coversNone = isEmpty && fieldsOf<V1PodDisruptionBudget>(value).apiVersion === 'policy/v1beta1';
	if (name === '' || coversNone) return undefined;
	const isObserved = countOf(status.observedGeneration) >= countOf(metadata.generation);
	return {
		name,
		namespace,
		selector,
		currentHealthy: countOf(status.currentHealthy),
		desiredHealthy: countOf(status.desiredHealthy),
		expectedPods: countOf(status.expectedPods),
		disruptionsAllowed: isObserved ? countOf(status.disruptionsAllowed) : undefined,
		allowsUnready: spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' || undefined,
		isOfMissing: spec.maxUnavailable !== undefined || undefined,
		countsPods: typeof spec.minAvailable === 'number' || undefined,
	};
}

function decodeTemplate(template: Raw<V1PodTemplateSpec>, kind: string): PodTemplate {
	const spec = template?.spec ?? {};
	return {
		tolerations: [
			...entriesOf(spec.tolerations).map((entry) => decodeToleration(entry, ignoreFlaw)),
			...(kind === 'DaemonSet' && spec.hostNetwork === true ? [ofHostNetwork] : []),
		],
		nodeSelector: textMapOf(spec.nodeSelector),
		nodeTerms: decodeNodeTerms(spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution),
		nodeName: textIn(spec.nodeName),
		requests: decodeRequests(spec),
		claims: entriesOf(spec.volumes).flatMap(
			(volume) => textOf(volume?.persistentVolumeClaim?.claimName) || [],
		),
		otherRules: otherRulesOf(spec),
	};
}
