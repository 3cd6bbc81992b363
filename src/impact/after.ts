import {maxOf, minOf} from '../core/collections/extremes.ts';
import {mapBy} from '../core/collections/mapBy.ts';
import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {nameOf} from '../core/model/objectName.ts';
import {isPodTerminal} from '../core/model/pod.ts';
import {profileFor} from '../core/model/versionProfile.ts';
import type {JobRules} from '../core/model/workloads/jobRules.ts';
import type {Controller, Related} from '../core/model/workloads/related.ts';
import {type Duration, never, second} from '../core/time/instant.ts';
import {daemonNode, syncDaemonNode} from '../core/workloads/daemonSet.ts';
import {
	actionFor,
	dependsOnExit,
	hasEnded,
	isFailed,
	type JobPod,
	type JobSync,
	pauseAfter,
	syncJob,
	waitsForEnd,
} from '../core/workloads/job.ts';
import {jobTracking, type PodEnd} from '../core/workloads/podEnd.ts';
import {isActive, syncReplicas, type WorkloadPod} from '../core/workloads/replicas.ts';
import {isWanted, ordinalOf, syncStatefulSet} from '../core/workloads/statefulSet.ts';
import type {Forecast} from '../forecast/forecast.ts';
import {endWords, failedPodsBackoff, isStuck, overdueSince, podEnds, untilGone} from '../forecast/podEnd.ts';
import type {After, HeldVolume, PodForecast} from '../forecast/podForecast.ts';
import {requestedAt} from '../forecast/readyAgain.ts';
import {count} from '../forecast/words.ts';
import {NewPods} from './newPods.ts';
import type {Placement} from './placement.ts';
import {
	both,
	forcedDetach,
	goneAfter,
	inTurn,
	readyAfterOf,
	startOf,
	type TimeTaken,
	upTo,
} from './readyAfter.ts';
import {Volumes, volumeWords} from './volumes.ts';

/** What an owner does, before it is said where a new pod runs and what becomes of the old one. */
type Reaction = Pick<After, 'outcome' | 'detail'> & {
	/** Whether a new pod is scheduled anew, which may find no node. */
	readonly isPlaced?: true;
	/** From the request to delete the pod to when another is made; absent if that needs somebody's doing. */
	readonly again?: TimeTaken;
	/** Whether the detail tells the end of the pod's object. */
	readonly tellsEnd?: true;
};

/** A pod whose deletion was requested, or will be. */
type Deleted = Readonly<{
	pod: PodForecast;
	end: PodEnd;
	/** Whether its kubelet ends it as Failed, with the object left, instead of a deletion. */
	fails: boolean;
	controller: Controller | undefined;
}>;

type ForecastParts = Pick<Forecast, 'pods' | 'nodes' | 'observedAt' | 'kubernetesVersion'>;

/** Whether what follows a pod's deletion depends on its owner's other pods, safe ones among them. */
export const hasSiblings = ({owner}: PodForecast) => owner?.kind === 'StatefulSet' || owner?.kind === 'Job';

/** Says what follows the deletion of each pod of a forecast, by the rules of the controllers (`core/workloads`). */
export class Aftermath {
	readonly #related: Related;
	readonly #ends: ReturnType<typeof podEnds>;
	readonly #settings: ControllerSettings;
	readonly #forecast: ForecastParts;
	readonly #newPods: NewPods;
	readonly #volumes: Volumes;
	#siblings: ReadonlyMap<string, readonly PodForecast[]> | undefined;

	constructor(forecast: ForecastParts, related: Related) {
		this.#forecast = forecast;
		this.#related = related;
		this.#ends = podEnds(forecast);
		this.#settings = profileFor(forecast.kubernetesVersion).settings;
		this.#newPods = new NewPods(forecast.pods, forecast.nodes, related);
		this.#volumes = new Volumes(related);
	}

	/** A text that is equal for pods of which the same is said. */
	kindOf(pod: PodForecast): string {
		const {owner, verdict, phase, cause, object} = pod;
		const controller = this.#controllerOf(pod);
		const isOwn =
			verdict === 'Safe' ||
			controller?.ordinals !== undefined ||
			owner?.kind === 'DaemonSet' ||
			(owner?.kind === 'Job' && verdict === 'Terminating') ||
			controller?.job?.backoffLimitPerIndex !== undefined ||
			this.#volumesOf(pod).length > 0;
		const {by, failure, finalizers} = this.#ends.of(pod);
		return `${isOwn ? pod.uid : ''} ${owner?.uid ?? ''} ${owner?.kind} ${verdict} ${phase} ${cause?.kind} ${by} ${failure} ${finalizers} ${overdueSince(pod, this.#forecast.observedAt)} ${object?.isDisruptionTarget}`;
	}

	/** What happens after a pod's deletion is requested; null for a pod that is about to be gone, or safe and waits for nothing. */
	of(pod: PodForecast): After | null {
		const {verdict, cause, owner} = pod;
		if (verdict === 'Safe') return this.#waitOf(pod);
		if (verdict === 'Stays') return isPodTerminal(pod) ? null : {outcome: 'Stays', detail: staysDetail(pod)};
		const end = this.#ends.of(pod);
		const since = overdueSince(pod, this.#forecast.observedAt);
		const isGoing = verdict === 'Terminating' && !isStuck(end) && since === undefined;
		if (isGoing && (end.by === 'Kubelet' || end.by === 'Request')) return null;
		const fails = cause?.kind === 'NodePressure' || cause?.kind === 'NodeShutdown';
		const deleted = {pod, end, fails, controller: this.#controllerOf(pod)};
		const reaction = this.#reactionTo(deleted);
		const node = this.#ends.nodeOf(pod);
		const isGhost = node?.isSilent === true && pod.phase === 'Running' && owner?.kind !== 'Node';
		return {...this.#complete(reaction, deleted), ...(isGhost && {ghost: true})};
	}

	/** Of a safe pod: the volumes of dead nodes that it cannot start without. */
	#waitOf(pod: PodForecast): After | null {
		if (pod.ready === 'True' || isPodTerminal(pod)) return null;
		const isDead = (node: string) => this.#ends.nodeForecast(node)?.isSilent === true;
		const words = this.#volumes.waitWords(pod, this.#controllerOf(pod), isDead);
		return words === '' ? null : {outcome: 'Blocked', detail: `it starts once it has ${words}`};
	}

	#controllerOf({owner}: PodForecast): Controller | undefined {
		return owner && this.#related.controllers.get(owner.uid);
	}

	#volumesOf(pod: PodForecast): readonly HeldVolume[] {
		return this.#volumes.heldFor(pod, this.#controllerOf(pod));
	}

	/** Adds where a new pod finds a node, what becomes of the old one, and the volumes that it holds. */
	#complete({outcome, detail, isPlaced, tellsEnd, again}: Reaction, deleted: Deleted): After {
		const {pod, end, fails} = deleted;
		const placement = isPlaced ? this.#newPods.placementOf(pod) : undefined;
		const since = overdueSince(pod, this.#forecast.observedAt);
		const left = tellsEnd || fails ? '' : leftoverWords(end, since, pod.verdict === 'Terminating');
		const isLate = this.#ends.nodeForecast(pod.node)?.verdict === 'Late';
		const rest = isLate && left !== '' ? `if its node stays silent, ${left}` : left;
		const reason = pod.cause?.kind === 'NodePressure' ? 'Evicted' : 'Terminated';
		const failed = fails ? `it ends as Failed (${reason}), its object stays` : '';
		const parts = [failed, detail, placement && placementWords(placement), rest].filter(Boolean);
		const node = this.#ends.nodeOf(pod);
		const isMounted =
			!node || (end.by === 'Nobody' && !node.isOutOfService) || (end.by === 'Request' && node.isSilent);
		const isHeld = (outcome === 'Replaced' || outcome === 'Blocked') && !fails && isMounted;
		const volumes = isHeld ? this.#volumesOf(pod) : [];
		const isForGood = placement?.decision === 'None' || (volumes.length > 0 && isStuck(end));
		const made =
			volumes.length > 0 && again ? inTurn(both(again, this.#goneAfter(deleted)), forcedDetach) : again;
		const isOpen = isPlaced && placement?.decision !== 'Fits';
		const start = isOpen ? upTo(never) : startOf(this.#newPods.perPodOf(pod));
		return {
			outcome,
			detail: parts.join('; ') + (volumes.length > 0 ? volumeWords(volumes, pod.node) : ''),
			...(placement && {placement: placement.decision}),
			...(made && !isForGood && {readyAfter: readyAfterOf(made, start)}),
			...(volumes.length > 0 && {volumes}),
		};
	}

	/** How long after the request to delete a pod its object is gone. */
	#goneAfter({pod, end, fails}: Deleted): TimeTaken {
		const {object, cause, verdict} = pod;
		// What has ended is deleted with the request.
		if (!object || fails) return upTo(0);
		const isReady = this.#ends.nodeForecast(pod.node)?.ready === 'True';
		// Pod garbage collection waits until the node is found not ready.
		if (end.by === 'OutOfService' && isReady) return upTo(never);
		const now = this.#forecast.observedAt;
		const elapsed = verdict === 'Terminating' ? now - requestedAt(object, now) : 0;
		return goneAfter(object, end, elapsed, cause?.kind === 'NodeDeleted');
	}

	#reactionTo(deleted: Deleted): Reaction {
		const {pod, fails} = deleted;
		const {owner} = pod;
		if (owner?.kind === 'Node')
			return {outcome: 'Restarted', detail: this.#staticDetail(pod, fails), tellsEnd: true};
		if (!owner) return {outcome: 'Lost', detail: 'nothing owns it, so nothing makes another'};
		if (deleted.controller?.isDeleted)
			return {outcome: 'NotNeeded', detail: `its ${owner.kind} is being deleted, and makes no other`};
		switch (owner.kind) {
			case 'StatefulSet':
				return this.#statefulSet(deleted, owner.name);
			case 'DaemonSet':
				return this.#daemonSet(deleted);
			default:
		}
		if (isPodTerminal(pod) && !fails)
			return {
				outcome: 'NotNeeded',
				detail: `it is ${pod.phase} already, so its ${owner.kind} makes none for it`,
			};
		if (owner.kind === 'ReplicaSet' || owner.kind === 'ReplicationController')
			return replicas(deleted, owner.kind);
		if (owner.kind === 'Job') return this.#job(deleted);
		return {
			outcome: 'Unknown',
			detail: `the controller of its ${owner.kind} decides whether it makes another`,
		};
	}

	/**
	 * When the kubelet of a static pod makes its object again.
	 *
	 * @upstream kubernetes v1.36.3 pkg/kubelet/kubelet.go tryReconcileMirrorPods
	 */
	#staticDetail(pod: PodForecast, fails: boolean): string {
		const back = 'when it is back';
		if (fails) return `static pod: its kubelet starts it again ${back}`;
		const node = this.#ends.nodeOf(pod);
		const onNode = node?.failure === undefined ? 'at once' : 'once its container runtime works again';
		const when = node ? (node.isSilent ? back : onNode) : 'once its Node is registered again';
		return `${staticRuns} ${when}`;
	}

	#statefulSet(deleted: Deleted, name: string): Reaction {
		const {pod, end, fails, controller} = deleted;
		const set = `StatefulSet ${name}`;
		const ordinal = ordinalOf(pod.name) ?? 0;
		const rules = controller?.ordinals && {name, desired: controller.desired, ...controller.ordinals};
		if (rules && !isWanted(rules, ordinal)) {
			const range = `${name}-${rules.start} to ${name}-${rules.start + rules.desired - 1}`;
			const wants =
				rules.desired === 0 ? 'no pods' : rules.desired === 1 ? `${name}-${rules.start} only` : range;
			return {outcome: 'NotNeeded', detail: `${set} wants ${wants}, and does not make it again`};
		}
		if (isStuck(end) && !fails) {
			return {
				outcome: 'Blocked',
				detail: `${set} makes no other ${untilGone(end)}${this.#forcedDetach(deleted)}`,
				tellsEnd: true,
			};
		}
		const lower = rules ? this.#lowerOrdinals(pod, ordinal, rules.start) : [];
		const {waitsFor} = rules ? syncStatefulSet(rules, lower) : {};
		if (waitsFor !== undefined && waitsFor !== pod.name)
			return {
				outcome: 'Blocked',
				detail: `${set} makes it again only once ${waitsFor} is running and ready, which has a lower ordinal (OrderedReady)`,
				...(this.#mayBeReady(pod, waitsFor) && {again: upTo(never)}),
			};
		const deletes = isPodTerminal(pod) && !fails ? 'deletes it as it has ended, and ' : '';
		const gone = this.#goneAfter(deleted);
		const isInOrder = rules?.isParallel === false && this.#siblingsOf(pod.owner?.uid).some(isBefore(ordinal));
		return {
			outcome: 'Replaced',
			detail: `${set} ${deletes}makes it again ${whenGone(end, fails)}`,
			isPlaced: true,
			tellsEnd: true,
			again: isInOrder ? {...gone, most: never} : gone,
		};
	}

	/** Whether a pod that its StatefulSet waits for may be ready without somebody's doing. */
	#mayBeReady({owner}: PodForecast, name: string): boolean {
		const waitedFor = this.#siblingsOf(owner?.uid).find((one) => one.name === name);
		return waitedFor?.verdict === 'Safe' && this.#waitOf(waitedFor) === null;
	}

	/** When the volumes of a pod on a dead node are detached, if that is not known of its own volumes. */
	#forcedDetach({pod, end, controller}: Deleted): string {
		const hasNone = controller?.claimTemplates.length === 0 && controller.template.claims.length === 0;
		return end.by !== 'Nobody' || hasNone || this.#volumesOf(pod).length > 0
			? ''
			: '; volumes are detached by force 6 min after that at the earliest, unless the node is out of service';
	}

	/** The pods with lower ordinals than one that is gone, as they will be: those that are not seen are taken for ready. */
	#lowerOrdinals(pod: PodForecast, ordinal: number, start: number): readonly WorkloadPod[] {
		const {owner} = pod;
		const seen = mapBy(this.#siblingsOf(owner?.uid), nameOf);
		return Array.from({length: Math.max(0, ordinal - start)}, (_, index) => {
			const name = `${owner?.name}-${start + index}`;
			const sibling = seen.get(name);
			return sibling ? this.#asItWillBe(sibling) : {name, phase: 'Running', ready: 'True'};
		});
	}

	/** A pod that goes and is made again is ready then; one that nobody ends is not. */
	#asItWillBe(sibling: PodForecast): WorkloadPod {
		const {name, phase = 'Running', verdict, object} = sibling;
		const isKept = verdict === 'Safe' || verdict === 'Stays';
		const isLasting = isKept || isStuck(this.#ends.of(sibling));
		if (isKept) return {name, phase, ready: sibling.ready ?? 'Unknown'};
		return isLasting
			? {
					name,
					phase,
					ready: 'False',
					deletionTimestamp: object?.deletionTimestamp ?? this.#forecast.observedAt,
				}
			: {name, phase: 'Running', ready: 'True'};
	}

	#siblingsOf(owner: string | undefined): readonly PodForecast[] {
		this.#siblings ??= Map.groupBy(this.#forecast.pods.filter(hasSiblings), ({owner}) => owner?.uid ?? '');
		return this.#siblings.get(owner ?? '') ?? [];
	}

	#daemonSet(deleted: Deleted): Reaction {
		const {pod, end, fails, controller} = deleted;
		const node = this.#ends.nodeForecast(pod.node)?.node;
		if (end.by === 'NodeGone')
			return {outcome: 'Lost', detail: 'its node is gone, and its pod with it', tellsEnd: true};
		const maySurge = controller?.maySurge === true;
		// One that has ended holds no place, whatever keeps its object.
		const lasts =
			end.by === 'Nobody' || (end.by === 'Request' && end.finalizers.length > 0 && !isPodTerminal(pod));
		if (lasts && !fails && !maySurge)
			return {outcome: 'StuckTerminating', detail: 'its DaemonSet makes no other on this node meanwhile'};
		const template = controller?.template ?? {tolerations: pod.object?.tolerations ?? [], nodeSelector: {}};
		const on = node && daemonNode(template, node);
		if (on && !syncDaemonNode(on, [], maySurge).creates)
			return {outcome: 'Blocked', detail: `its DaemonSet makes none on this node while ${on.obstacle}`};
		const isPaced = fails || pod.phase === 'Failed';
		const isDead = this.#ends.nodeOf(pod)?.isSilent === true && pod.phase === 'Running';
		const again = pod.cause?.tolerationSeconds
			? `; that is evicted again after ${pod.cause.tolerationSeconds}s`
			: '';
		return {
			outcome: 'Replaced',
			detail: `its DaemonSet makes another on this node ${whenGone(end, fails)}${isPaced ? failedPodsBackoff : ''}${again}`,
			tellsEnd: true,
			...(!isDead && {
				again: isPaced || !maySurge ? {...this.#goneAfter(deleted), ...(isPaced && {most: never})} : upTo(0),
			}),
		};
	}

	#job(deleted: Deleted): Reaction {
		const {pod, end, fails, controller} = deleted;
		const job = controller?.job;
		if (!job) return {outcome: 'Unknown', detail: 'its Job decides whether it makes another'};
		if (hasEnded(job)) return {outcome: 'NotNeeded', detail: `its Job is ${job.ended}, and makes no other`};
		const now = this.#forecast.observedAt;
		const active = this.#otherJobPods(job, pod);
		const at = pod.eviction?.earliest ?? now;
		const sync = (phase: string) => syncJob(job, [...active, this.#jobPod(pod, phase)], this.#settings, at);
		const ended = sync('Failed');
		const waits = !fails && waitsForEnd(job, this.#settings);
		const failing = this.#failureOf(deleted);
		if (waits && isStuck(failing)) {
			const then = ended.failsFor === undefined ? '' : `; then ${failureWords(ended, job.backoffLimit)}`;
			return {
				outcome: 'Blocked',
				detail: `its Job makes no other: this one stays Terminating ${untilGone(failing)}${then}`,
				tellsEnd: true,
			};
		}
		if (end.by === 'Kubelet' && dependsOnExit(this.#jobPod(pod, 'Failed'), job, this.#settings))
			return {
				outcome: 'Unknown',
				detail: 'the podFailurePolicy of its Job goes by the exit codes of its containers',
			};
		const {failsFor, creates, waits: pause, failed} = waits || fails ? ended : sync(pod.phase ?? 'Running');
		if (failsFor !== undefined) return {outcome: 'Lost', detail: failureWords(ended, job.backoffLimit)};
		if (job.deadline !== undefined && (pod.eviction?.end ?? now) >= job.deadline)
			return {
				outcome: 'Unknown',
				detail: 'its Job makes another, unless its activeDeadlineSeconds are over before',
			};
		const index = pod.object?.completionIndex;
		if (index !== undefined && ended.failedIndexes.has(index))
			return {outcome: 'Lost', detail: `index ${index} of its Job has failed, and is not started again`};
		const paused = upTo(this.#longestPause(job, pod));
		if (creates === 0 && pause === 0)
			return pod.verdict === 'Terminating' && controller.desired > 0
				? {outcome: 'Replaced', detail: 'its Job has made another', isPlaced: true, again: paused}
				: {outcome: 'NotNeeded', detail: 'its Job has the pods that it wants without it'};
		const since = waits
			? 'once it has ended'
			: end.by !== 'Kubelet' && !fails
				? 'after the pod stopped being ready'
				: 'later';
		const action = actionFor(this.#jobPod(pod, 'Failed'), job, this.#settings);
		const limit = limitWords(action, failed, job);
		const isCounted = waits || fails || isFailed(this.#jobPod(pod, 'Running'), job, this.#settings);
		if (!isCounted)
			return {
				outcome: 'Replaced',
				detail: 'its Job makes another at once: a pod that is being deleted is no failure in this release',
				isPlaced: true,
				again: upTo(0),
			};
		const when = waits ? since : `10 s ${since}, twice as long after each failure`;
		const over = waits ? this.#goneAfter(deleted) : upTo(0);
		return {
			outcome: 'Replaced',
			detail: `its Job makes another ${when}${limit}`,
			isPlaced: true,
			again: inTurn(over, paused),
		};
	}

	/** The other active pods of a Job; those that are not seen are taken to run. */
	#otherJobPods(job: JobRules, pod: PodForecast): readonly JobPod[] {
		const createdAt = this.#forecast.observedAt;
		const running: JobPod = {name: '', createdAt, phase: 'Running', ready: 'True'};
		const others = this.#siblingsOf(pod.owner?.uid)
			.filter(({uid}) => uid !== pod.uid)
			.map((one): JobPod => ({...running, ready: one.ready ?? 'False', ...one.object, name: one.name}))
			.filter(isActive);
		const wasActive = pod.verdict !== 'Terminating' && !isPodTerminal(pod);
		const unseen = Math.max(0, job.active - others.length - (wasActive ? 1 : 0));
		return [...others, ...Array.from({length: unseen}, () => running)];
	}

	/**
	 * What has a pod end as Failed, which its Job may wait for: without a grace period it keeps the finalizer of its Job until a kubelet
	 * or pod garbage collection does.
	 */
	#failureOf({pod, end}: Deleted): PodEnd {
		const node = this.#ends.nodeOf(pod);
		const isDead = node?.isSilent === true && !node.isOutOfService && !isPodTerminal(pod);
		return isDead ? {...end, by: 'Nobody'} : end;
	}

	/** How long a Job waits after the last of its failures that are coming, each of which counts. */
	#longestPause({failed}: JobRules, {owner}: PodForecast): Duration {
		const going = this.#siblingsOf(owner?.uid).filter(
			({verdict}) => verdict !== 'Safe' && verdict !== 'Stays',
		);
		const now = this.#forecast.observedAt;
		const ends = going.map(({eviction, object}) => eviction?.end ?? requestedAt(object, now));
		const [first, last] = [minOf(ends), maxOf(ends)];
		return last === never ? never : pauseAfter(failed + going.length) + (last - first);
	}

	/** A pod of a Job as its controller sees it after its eviction. */
	#jobPod({name, object, cause, verdict}: PodForecast, phase: string): JobPod {
		const now = this.#forecast.observedAt;
		return {
			createdAt: now,
			ready: 'False' as const,
			...object,
			name,
			phase,
			deletionTimestamp: object?.deletionTimestamp ?? now + 30 * second,
			// The controller takes its finalizer from a pod that it has counted.
			finalizers: verdict === 'Terminating' ? (object?.finalizers ?? []) : [jobTracking],
			isDisruptionTarget:
				object?.isDisruptionTarget === true ||
				(this.#settings.podDisruptionConditions && cause !== null && cause.kind !== 'NodeEviction'),
		};
	}
}

function replicas({pod, controller}: Deleted, kind: string): Reaction {
	const isDeleted = pod.verdict === 'Terminating';
	const {desired = 1, replicas: active = desired} = controller ?? {};
	const others = Math.max(0, active - (isDeleted || isPodTerminal(pod) ? 0 : 1));
	if (syncReplicas(desired, others) > 0)
		return {outcome: 'Replaced', detail: `its ${kind} makes another at once`, isPlaced: true, again: upTo(0)};
	if (desired === 0) return {outcome: 'NotNeeded', detail: `its ${kind} wants no pods, and makes no other`};
	return isDeleted
		? {outcome: 'Replaced', detail: `its ${kind} has made another`, isPlaced: true, again: upTo(0)}
		: {outcome: 'NotNeeded', detail: `its ${kind} has the ${count(desired, 'pod')} that it wants without it`};
}

/** Whether a pod that goes, or is not ready, is one of a lower ordinal. */
const isBefore =
	(ordinal: number) =>
	({name, verdict, ready}: PodForecast) =>
		(ordinalOf(name) ?? 0) < ordinal && (verdict !== 'Safe' || ready !== 'True');

/** How far a Job is from its limit of failures, with this one. */
function limitWords(action: string | undefined, failed: number, {backoffLimit}: JobRules): string {
	if (action === 'Ignore') return ' (its podFailurePolicy says Ignore: no failure is counted)';
	return Number.isFinite(backoffLimit)
		? ` (${failed} of ${backoffLimit} allowed failures, with this one)`
		: '';
}

/** Why a Job fails with a pod. */
function failureWords({failsFor, failed}: JobSync, limit: number): string {
	switch (failsFor) {
		case 'PodFailurePolicy':
			return 'its Job fails, because its podFailurePolicy says FailJob';
		case 'BackoffLimitExceeded':
			return `its Job has ${failed - 1} of ${limit} allowed failures: with this one it fails`;
		case 'DeadlineExceeded':
			return 'its Job has failed by then, as its activeDeadlineSeconds are over';
		case 'FailureTarget':
			return 'its Job is failing, and makes no other';
		default:
			return `its Job fails: ${failsFor}`;
	}
}

const staticRuns = 'static pod: its kubelet keeps running it, and makes its object again';

function staysDetail({owner}: PodForecast): string {
	if (owner?.kind === 'Node') return `${staticRuns} if it is deleted`;
	return owner?.kind === 'DaemonSet'
		? 'the pods of a DaemonSet tolerate it forever when their node is not ready'
		: 'nothing evicts it: it runs on once its node is back';
}

/** When an owner that waits for the old pod makes a new one. */
function whenGone({by}: PodEnd, fails: boolean): string {
	if (fails) return 'once it has deleted this one';
	if (by === 'OutOfService') return 'within 20 s, by force';
	return by === 'Request' ? 'at once' : 'once it is gone';
}

/** What becomes of the object, if that is not what is expected. */
function leftoverWords(end: PodEnd, since: number | undefined, isDeleted: boolean): string {
	if (isStuck(end)) return `its object stays Terminating ${untilGone(end)}`;
	return isDeleted && since !== undefined && end.by === 'Kubelet' ? endWords(end, since) : '';
}

function placementWords({decision, nodes, obstacles, unknownFor}: Placement): string {
	const rest = obstacles.join(', ') || 'there is none';
	if (decision === 'None') return `no node takes it: ${rest}`;
	if (decision === 'Fits')
		return `it finds a node: ${count(nodes, 'node')} ${nodes === 1 ? 'has' : 'have'} room`;
	if (nodes === 0) return `no node has room (${rest}), but ${unknownFor}`;
	return `whether it finds a node is not known: ${count(nodes, 'node')} may take it, but ${unknownFor}`;
}
