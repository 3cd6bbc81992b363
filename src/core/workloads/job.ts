import {ascending} from '../collections/ascending.ts';
import {maxOf, minOf} from '../collections/extremes.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {Pod} from '../model/pod.ts';
import type {FailureRule, JobRules} from '../model/workloads/jobRules.ts';
import {type Duration, type Instant, minute, never, second} from '../time/instant.ts';
import {jobTracking} from './podEnd.ts';
import {isActive, isTerminating} from './replicas.ts';

export const completionIndexAnnotation = 'batch.kubernetes.io/job-completion-index';
export const indexFailuresAnnotation = 'batch.kubernetes.io/job-index-failure-count';

/** What the Job controller looks at in a pod, and the exit codes of its containers as far as they are known. */
export type JobPod = Pick<
	Pod,
	| ('name' | 'phase' | 'ready' | 'deletionTimestamp' | 'deletionGracePeriodSeconds' | 'createdAt')
	| ('readyChangedAt' | 'finalizers' | 'completionIndex' | 'indexFailures' | 'isDisruptionTarget')
> & {readonly exitCodes?: readonly number[]};

/** What differs between releases. */
export type JobGates = Pick<
	ControllerSettings,
	| ('jobFailurePolicy' | 'jobPolicyWaitsForEnd' | 'jobPodReplacementPolicy' | 'jobBackoffLimitPerIndex')
	| 'jobTracksPods'
>;

/** Whether a Job is over: it neither makes nor counts pods. @upstream kubernetes v1.36.3 pkg/controller/job/util/utils.go IsJobFinished */
export const hasEnded = ({ended}: JobRules) => ended === 'Complete' || ended === 'Failed';

/**
 * Whether a Job replaces a pod only once it has ended as Failed, as every Job with a podFailurePolicy does.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/job/job_controller.go onlyReplaceFailedPods
 */
export const waitsForEnd = (job: JobRules, gates: JobGates): boolean =>
	(gates.jobPodReplacementPolicy && job.replacesOnlyFailed) ||
	(gates.jobPolicyWaitsForEnd && hasPolicy(job, gates));

const hasPolicy = ({failurePolicy}: JobRules, {jobFailurePolicy}: JobGates) =>
	jobFailurePolicy && failurePolicy !== undefined;

/**
 * Whether a pod counts as failed. Without a policy of either kind, a pod that is being deleted does so at once; before v1.25 it
 * never does, unless it ends as Failed.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/job/job_controller.go isPodFailed
 */
export function isFailed({phase, deletionTimestamp}: JobPod, job: JobRules, gates: JobGates) {
	if (phase === 'Failed') return true;
	if (!gates.jobTracksPods || waitsForEnd(job, gates) || hasPolicy(job, gates)) return false;
	return deletionTimestamp !== undefined && phase !== 'Succeeded';
}

/**
 * The action of the first rule that matches a failed pod; undefined if none does, which counts it.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy
 */
export function actionFor(pod: JobPod, job: JobRules, gates: JobGates): string | undefined {
	return rulesOf(job, gates).find((rule) => isMatch(rule, pod))?.action;
}

/** Whether exit codes that are not known decide which rule matches a failed pod first. */
export function dependsOnExit(pod: JobPod, job: JobRules, gates: JobGates): boolean {
	const rules = rulesOf(job, gates);
	const match = rules.find((rule) => isMatch(rule, pod));
	const before = match ? rules.slice(0, rules.indexOf(match)) : rules;
	return (
		pod.exitCodes === undefined && before.some(({exitCodes, action}) => exitCodes && action !== match?.action)
	);
}

const rulesOf = (job: JobRules, gates: JobGates): readonly FailureRule[] =>
	hasPolicy(job, gates)
		? (job.failurePolicy ?? []).filter(({action}) => action !== 'FailIndex' || gates.jobBackoffLimitPerIndex)
		: [];

const isMatch = ({exitCodes, conditions}: FailureRule, pod: JobPod) =>
	exitCodes
		? matchesExit(pod.exitCodes ?? [], exitCodes)
		: conditions.some((condition) => isMet(pod, condition));

const matchesExit = (
	codes: readonly number[],
	{isIn, values}: NonNullable<FailureRule['exitCodes']>,
): boolean => codes.some((code) => code !== 0 && values.includes(code) === isIn);

/** Of other conditions than these nothing is known. */
function isMet({isDisruptionTarget, ready}: JobPod, {type, status}: {type: string; status: string}) {
	if (type === 'DisruptionTarget') return status === 'True' && isDisruptionTarget === true;
	return type === 'Ready' && status === ready;
}

const limitsEachIndex = ({backoffLimitPerIndex}: JobRules, {jobBackoffLimitPerIndex}: JobGates): boolean =>
	jobBackoffLimitPerIndex && backoffLimitPerIndex !== undefined;

/** The indexes in a text such as `1,3-5`. */
export function indexesIn(text: string): ReadonlySet<number> {
	const indexes = new Set<number>();
	for (const part of text.split(',')) {
		const [first, last = first] = part.split('-').map(Number);
		if (part === '' || first === undefined || last === undefined || Number.isNaN(first + last)) continue;
		for (let index = first; index <= last; index += 1) indexes.add(index);
	}
	return indexes;
}

/** The failures since the last success, which the controller remembers, and when the last one was. */
export type JobBackoff = {readonly failures: number; readonly lastAt: Instant};

export type JobSync = Readonly<{
	/** How many pods it creates now, with their indexes if it is indexed. */
	creates: number;
	indexes: readonly number[];
	/** How many it deletes. */
	deletes: number;
	/** Why it fails now; undefined if it does not. */
	failsFor?: string;
	completes: boolean;
	/** How long it waits before it creates what is missing; 0 if it does not. */
	waits: Duration;
	/** The failures that count, with those that were counted before, and the indexes that have failed. */
	failed: number;
	failedIndexes: ReadonlySet<number>;
	backoff: JobBackoff | undefined;
}>;

const nothing = {creates: 0, indexes: [], deletes: 0, completes: false, waits: 0};

const firstBackoff: Duration = 10 * second;
const longestBackoff: Duration = 10 * minute;

/**
 * What a Job does with its pods now.
 *
 * @param backoff what the controller remembers of earlier failures
 * @quirk a failure is dated by when the pod stopped being ready, which on a dead node is long before its deletion
 * @upstream kubernetes v1.36.3 pkg/controller/job/job_controller.go syncJob
 */
export function syncJob(
	job: JobRules,
	pods: readonly JobPod[],
	gates: JobGates,
	now: Instant,
	backoff?: JobBackoff,
): JobSync {
	if (hasEnded(job))
		return {...nothing, failed: job.failed, failedIndexes: indexesIn(job.failedIndexes), backoff};
	const tally = tallyOf(job, pods, gates, backoff);
	const {active, succeeded} = tally;
	const counts = {...nothing, ...tally.counts};
	const failsFor = failureOf(job, pods, tally, gates, now);
	if (failsFor !== undefined) return {...counts, failsFor, deletes: active.length};
	if (job.ended === 'SuccessCriteriaMet') return {...counts, completes: true, deletes: active.length};
	if (job.isSuspended) return {...counts, deletes: active.length};
	const wanted = wantedPods(job, succeeded, active.length);
	if (active.length > wanted) return {...counts, deletes: active.length - wanted};
	const going = waitsForEnd(job, gates) ? pods.filter(isTerminating) : [];
	const missing = wanted - active.length - going.length;
	if (missing > 0) return {...counts, ...creationOf(job, missing, {...tally, going}, now)};
	const isComplete = job.completions === undefined ? succeeded > 0 : succeeded >= job.completions;
	return {...counts, completes: isComplete && active.length === 0};
}

/** The pods of a Job by what they count as. */
function tallyOf(job: JobRules, pods: readonly JobPod[], gates: JobGates, backoff: JobBackoff | undefined) {
	const {completions = 0, isIndexed} = job;
	// A pod without the finalizer was counted before.
	const fresh = pods.filter(
		({finalizers, completionIndex = completions}) =>
			finalizers?.includes(jobTracking) === true && (!isIndexed || completionIndex < completions),
	);
	const failures = fresh.filter((pod) => isFailed(pod, job, gates));
	const successes = fresh.filter(({phase}) => phase === 'Succeeded');
	const done = new Set([...indexesIn(job.completedIndexes), ...indexesOf(successes)]);
	const isPerIndex = isIndexed && limitsEachIndex(job, gates);
	const ending = isPerIndex ? failures.filter((pod) => failsIndex(pod, job, gates)) : [];
	return {
		active: pods.filter(isActive),
		/** Those that count as failed, and were not counted before. */
		failures,
		succeeded: isIndexed ? done.size : job.succeeded + successes.length,
		/** The indexes that have succeeded. */
		done,
		isPerIndex,
		counts: {
			failed: job.failed + failures.filter((pod) => actionFor(pod, job, gates) !== 'Ignore').length,
			failedIndexes: new Set([...indexesIn(job.failedIndexes), ...indexesOf(ending)]),
			backoff: nextBackoff(backoff, failures, successes),
		},
	};
}

type JobTally = ReturnType<typeof tallyOf>;

const indexesOf = (pods: readonly JobPod[]): readonly number[] =>
	pods.flatMap(({completionIndex}) => completionIndex ?? []);

/** Why a Job fails; undefined if it does not. */
function failureOf(
	job: JobRules,
	pods: readonly JobPod[],
	{done, isPerIndex, counts: {failed, failedIndexes}}: JobTally,
	gates: JobGates,
	now: Instant,
): string | undefined {
	const {completions, maxFailedIndexes, ended, deadline = never} = job;
	if (ended !== undefined) return ended === 'FailureTarget' ? ended : undefined;
	if (pods.some((pod) => isFailed(pod, job, gates) && actionFor(pod, job, gates) === 'FailJob'))
		return 'PodFailurePolicy';
	if (failed > job.backoffLimit) return 'BackoffLimitExceeded';
	if (now >= deadline) return 'DeadlineExceeded';
	if (!isPerIndex || failedIndexes.size === 0) return undefined;
	if (maxFailedIndexes !== undefined && failedIndexes.size > maxFailedIndexes)
		return 'MaxFailedIndexesExceeded';
	return failedIndexes.size + done.size >= (completions ?? 0) ? 'FailedIndexes' : undefined;
}

/** Which of the missing pods are created now. */
function creationOf(
	{isIndexed, completions = 0}: JobRules,
	missing: number,
	{active, going, failures, done, isPerIndex, counts}: JobTally & {readonly going: readonly JobPod[]},
	now: Instant,
): Pick<JobSync, 'creates' | 'indexes' | 'waits'> {
	const waits = isPerIndex ? 0 : remaining(counts.backoff, now);
	if (waits > 0 || !isIndexed) return {creates: waits > 0 ? 0 : missing, indexes: [], waits};
	const taken = new Set([...done, ...counts.failedIndexes, ...indexesOf([...active, ...going])]);
	const pending = Array.from({length: completions}, (_, index) => index)
		.filter((index) => !taken.has(index))
		.slice(0, missing);
	const waitOf = (index: number) => (isPerIndex ? indexWait(index, failures, now) : 0);
	const indexes = pending.filter((index) => waitOf(index) === 0);
	const isWaiting = indexes.length === 0 && pending.length > 0;
	return {creates: indexes.length, indexes, waits: isWaiting ? minOf(pending.map(waitOf)) : 0};
}

/**
 * How many pods a Job wants at a time. Without completions it starts none any more once one has succeeded.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/job/job_controller.go manageJob
 */
export function wantedPods({parallelism, completions}: JobRules, succeeded: number, active: number): number {
	if (completions === undefined) return succeeded > 0 ? active : parallelism;
	return Math.max(0, Math.min(parallelism, completions - succeeded));
}

/** Whether the failure of a pod ends its index. @upstream kubernetes v1.36.3 pkg/controller/job/indexed_job_utils.go isIndexFailed */
function failsIndex(pod: JobPod, job: JobRules, gates: JobGates): boolean {
	const action = actionFor(pod, job, gates);
	if (action === 'FailIndex') return true;
	return action !== 'Ignore' && (pod.indexFailures ?? 0) >= (job.backoffLimitPerIndex ?? 0);
}

/** When a pod failed. @upstream kubernetes v1.36.3 pkg/controller/job/backoff_utils.go getFinishedTime */
function failedAt({ready, readyChangedAt, deletionTimestamp, createdAt, ...pod}: JobPod): Instant {
	if (ready === 'False' && readyChangedAt !== undefined) return readyChangedAt;
	if (deletionTimestamp === undefined) return createdAt;
	return deletionTimestamp - (pod.deletionGracePeriodSeconds ?? 0) * second;
}

/** @upstream kubernetes v1.36.3 pkg/controller/job/backoff_utils.go newBackoffRecord */
function nextBackoff(
	backoff: JobBackoff | undefined,
	failures: readonly JobPod[],
	successes: readonly JobPod[],
): JobBackoff | undefined {
	const since = maxOf(successes.map(failedAt));
	const times = failures.map(failedAt).filter((at) => at > since);
	const known = successes.length > 0 ? 0 : (backoff?.failures ?? 0);
	if (times.length === 0) return successes.length > 0 ? undefined : backoff;
	return {failures: known + times.length, lastAt: maxOf(times)};
}

/** How long the controller waits after failures, twice as long after each. @upstream kubernetes v1.36.3 pkg/controller/job/backoff_utils.go getRemainingTimeForFailuresCount */
function remaining(backoff: JobBackoff | undefined, now: Instant): Duration {
	if (!backoff || backoff.failures === 0) return 0;
	const whole = pauseAfter(backoff.failures);
	const since = now - backoff.lastAt;
	return whole < since ? 0 : whole - since;
}

/** How long the controller waits after so many failures since the last success. */
export const pauseAfter = (failures: number): Duration =>
	Math.min(longestBackoff, firstBackoff * 2 ** (failures - 1));

/** The same for one index. @upstream kubernetes v1.36.3 pkg/controller/job/backoff_utils.go getRemainingTimePerIndex */
function indexWait(index: number, failures: readonly JobPod[], now: Instant): Duration {
	const ofIndex = failures.filter(({completionIndex}) => completionIndex === index);
	const last = ofIndex.toSorted(ascending(failedAt)).at(-1);
	return last ? remaining({failures: (last.indexFailures ?? 0) + 1, lastAt: failedAt(last)}, now) : 0;
}
