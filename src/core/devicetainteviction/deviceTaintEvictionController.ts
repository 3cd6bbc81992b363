import {ApiClient} from '../client/apiClient.ts';
import type {ClusterApi, PostedEvent} from '../client/clusterApi.ts';
import {EventRecorder} from '../client/eventRecorder.ts';
import {call, done, failed, type Next, Routines} from '../client/routines.ts';
import {WorkerPool} from '../client/workerPool.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import {
	type DeviceObject,
	type DeviceTaintRule,
	deviceObjectKey,
	type ResourceClaim,
	type ResourceSlice,
} from '../model/device.ts';
import {type Pod, podKey} from '../model/pod.ts';
import type {Duration, Instant} from '../time/instant.ts';
import {
	type AllocatedClaim,
	claimEviction,
	type DeviceEviction,
	type DeviceRules,
	isSameEviction,
	podEviction,
} from './deviceEviction.ts';
import {DevicePools} from './devicePools.ts';

/** The default of --concurrent-device-taint-eviction-syncs. */
const workers = 8;
/** How many evicted pods are remembered. */
const maxEvicted = 500;
/** The delay before the first retry, which doubles with each failure, and its upper limit. */
const [firstRetry, longestRetry]: readonly [Duration, Duration] = [5, 1_000_000];

/** What wakes the controller: a due pod, an answered call, or an event to record or post. */
export type DeviceWake =
	| {readonly type: 'due'; readonly pod: string}
	| {readonly type: 'routine'; readonly id: number}
	| {readonly type: 'recordEvent'; readonly event: PostedEvent}
	| {readonly type: 'postEvent'};

type DevicePorts = {
	readonly api: Pick<ClusterApi, 'pod' | 'markDisruptionTarget' | 'deletePod' | 'eventPosted'>;
	readonly wakeAt: (at: Instant, wake: DeviceWake) => void;
};

/** The deletion of one pod, identified by namespace, name and UID. */
type DeviceStep = {
	readonly do: 'deletePod' | 'podRead' | 'statusPatched' | 'podDeleted';
	readonly pod: string;
};

const refOf = (pod: Pod) => `${podKey(pod)}/${pod.uid}`;
const keyOf = (ref: string) => ref.split('/', 2).join('/');

/**
 * Deletes the pods whose claims do not tolerate a NoExecute taint of an allocated device. Claims that are reserved
 * for pod groups (DRAWorkloadResourceClaims, off by default) and the status of rules are not implemented.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go Controller
 */
export class DeviceTaintEvictionController {
	readonly #ports: DevicePorts;
	readonly #client: ApiClient;
	readonly #releaseRules: DeviceRules;
	readonly #routines = new Routines<DeviceStep>();
	readonly #recorder = new EventRecorder();
	readonly #pool = new WorkerPool(workers);
	readonly #pools = new DevicePools();
	readonly #rules = new Map<string, DeviceTaintRule>();
	readonly #claims = new Map<string, AllocatedClaim>();
	/** The pods to delete. */
	readonly #deleteAt = new Map<string, DeviceEviction>();
	/** The pods that were deleted last, the latest at the end. */
	readonly #evicted = new Set<string>();
	readonly #failures = new Map<string, number>();

	constructor(
		settings: DeviceRules & Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>,
		callDuration: Duration,
		ports: DevicePorts,
	) {
		this.#ports = ports;
		this.#releaseRules = settings;
		this.#client = new ApiClient(settings.kubeApiQps, settings.kubeApiBurst, callDuration);
	}

	/** Processes all objects. A fresh process remembers nothing, but the taints carry their own times. */
	start(objects: Iterable<DeviceObject>, pods: Iterable<Pod>, now: Instant) {
		for (const object of objects) this.objectChanged(undefined, object, now);
		for (const pod of pods) this.podChanged(undefined, pod, now);
	}

	/** The time of each pending deletion, by pod key. */
	get scheduled(): ReadonlyMap<string, DeviceEviction> {
		return new Map([...this.#deleteAt].map(([ref, eviction]) => [keyOf(ref), eviction]));
	}

	/** Handles an object that appeared, changed or was deleted; a different UID is a different object. */
	objectChanged(before: DeviceObject | undefined, after: DeviceObject | undefined, now: Instant) {
		const {kind} = after ?? before ?? {};
		if (kind === 'ResourceSlice') this.#sliceChanged(before as ResourceSlice, after as ResourceSlice, now);
		if (kind === 'ResourceClaim') this.#claimChanged(before as ResourceClaim, after as ResourceClaim, now);
		if (kind === 'DeviceTaintRule')
			this.#ruleChanged(before as DeviceTaintRule, after as DeviceTaintRule, now);
	}

	/**
	 * Handles a pod that appeared, was bound, got its generated claims, or was deleted.
	 *
	 * @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go handlePodChange
	 */
	podChanged(before: Pod | undefined, pod: Pod | undefined, now: Instant) {
		if (before && before.uid !== pod?.uid) this.#deleteAt.delete(refOf(before));
		if (!pod) return;
		const isSame =
			before?.uid === pod.uid &&
			before.nodeName === pod.nodeName &&
			JSON.stringify(before.claims) === JSON.stringify(pod.claims);
		if (!isSame) this.#handlePod(pod, now);
	}

	wake(wake: DeviceWake, now: Instant) {
		switch (wake.type) {
			case 'due':
				this.#pool.add(wake.pod);
				this.#work(now);
				break;
			case 'routine':
				this.#routines.wake(wake.id, this.#context(now));
				this.#work(now);
				break;
			case 'recordEvent':
				this.#recorder.recordFor(this.#ports, wake.event, this.#client, now);
				break;
			case 'postEvent':
				this.#recorder.postFor(this.#ports, this.#client, now);
				break;
		}
	}

	#sliceChanged(before: ResourceSlice | undefined, after: ResourceSlice | undefined, now: Instant) {
		const modified = this.#pools.replace(before, after);
		const {driver, pool} = after ?? before ?? {};
		this.#judgeAgain(
			({allocated = []}) =>
				allocated.some((one) => one.driver === driver && one.pool === pool && modified.has(one.device)),
			now,
		);
	}

	/**
	 * @quirk an allocation counts as it was when it was made: tolerations that are added to it later do not
	 * @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go handleClaimChange
	 */
	#claimChanged(before: ResourceClaim | undefined, after: ResourceClaim | undefined, now: Instant) {
		if (before && after && before.uid !== after.uid) {
			this.#claimChanged(before, undefined, now);
			this.#claimChanged(undefined, after, now);
			return;
		}
		const claim = after ?? before;
		if (!claim || !(before?.allocated || after?.allocated)) return;
		const key = deviceObjectKey(claim);
		if (after?.allocated) {
			const eviction = before?.allocated ? this.#claims.get(key)?.eviction : this.#evictionOf(after);
			this.#claims.set(key, {claim: after, eviction});
		} else this.#claims.delete(key);
		for (const one of [before, after]) if (one) this.#handlePods(one, now);
	}

	/** @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go handleRuleChange */
	#ruleChanged(before: DeviceTaintRule | undefined, after: DeviceTaintRule | undefined, now: Instant) {
		if (before && JSON.stringify(before) === (after && JSON.stringify(after))) return;
		if (before) this.#rules.delete(before.name);
		if (after?.taint.effect === 'NoExecute') this.#rules.set(after.name, after);
		this.#judgeAgain(() => true, now);
	}

	#judgeAgain(isAffected: (claim: ResourceClaim) => boolean, now: Instant) {
		for (const [key, {claim, eviction: before}] of this.#claims) {
			if (!isAffected(claim)) continue;
			const eviction = this.#evictionOf(claim);
			if (isSameEviction(before, eviction)) continue;
			this.#claims.set(key, {claim, eviction});
			this.#handlePods(claim, now);
		}
	}

	#evictionOf(claim: ResourceClaim): DeviceEviction | undefined {
		return claimEviction(claim, this.#pools, this.#rules.values(), this.#releaseRules);
	}

	#handlePods({namespace, reservedFor}: ResourceClaim, now: Instant) {
		for (const {name, uid} of reservedFor) {
			const pod = this.#ports.api.pod(`${namespace}/${name}`);
			if (pod?.uid === uid) this.#handlePod(pod, now);
		}
	}

	#handlePod(pod: Pod, now: Instant) {
		const eviction = podEviction(pod, (key) => this.#claims.get(key), this.#releaseRules);
		const ref = refOf(pod);
		if (eviction) {
			this.#deleteAt.set(ref, eviction);
			this.#ports.wakeAt(Math.max(now, eviction.when), {type: 'due', pod: ref});
		} else if (this.#deleteAt.delete(ref))
			this.#record({reason: 'CancellingDeletion', about: podKey(pod)}, now);
	}

	#work(now: Instant) {
		for (let pod = this.#pool.take(); pod !== undefined; pod = this.#pool.take()) {
			const due = this.#deleteAt.get(pod);
			if (!due || due.when > now || this.#wasEvicted(pod)) this.#pool.done(pod);
			else this.#routines.start([{do: 'deletePod', pod}], 'timed', this.#context(now));
		}
	}

	/**
	 * @quirk a pod that was evicted once, or found Terminating, is not deleted again, unless 500 others were since
	 * @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go maybeDeletePod
	 */
	#wasEvicted(pod: string) {
		if (!this.#evicted.delete(pod)) return false;
		this.#evicted.add(pod);
		return true;
	}

	/** @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go addConditionAndDeletePod */
	#run({do: step, pod: ref}: DeviceStep, now: Instant): Next<DeviceStep> {
		const key = keyOf(ref);
		const pod = this.#ports.api.pod(key);
		const isThere = pod !== undefined && refOf(pod) === ref;
		switch (step) {
			case 'deletePod':
				return call({do: 'podRead', pod: ref});
			case 'podRead':
				if (!isThere || pod.deletionTimestamp !== undefined) return this.#finished(ref, true, now);
				this.#record({reason: 'MarkingForDeletion', about: key}, now);
				return call({do: pod.isDisruptionTarget ? 'podDeleted' : 'statusPatched', pod: ref});
			case 'statusPatched':
				if (!isThere) return this.#finished(ref, true, now);
				this.#ports.api.markDisruptionTarget(key);
				return call({do: 'podDeleted', pod: ref});
			case 'podDeleted':
				return this.#finished(ref, !isThere || this.#ports.api.deletePod(key) !== 'conflict', now);
		}
	}

	#finished(ref: string, isDone: boolean, now: Instant): Next<DeviceStep> {
		this.#pool.done(ref);
		if (!isDone) {
			const failures = this.#failures.get(ref) ?? 0;
			this.#failures.set(ref, failures + 1);
			const after = Math.min(firstRetry * 2 ** failures, longestRetry);
			this.#ports.wakeAt(now + after, {type: 'due', pod: ref});
			return failed;
		}
		this.#failures.delete(ref);
		this.#deleteAt.delete(ref);
		this.#evicted.add(ref);
		for (const first of this.#evicted) if (this.#evicted.size > maxEvicted) this.#evicted.delete(first);
		return done;
	}

	#context(now: Instant) {
		return {
			now,
			client: this.#client,
			run: (step: DeviceStep): Next<DeviceStep> => this.#run(step, now),
			wakeRoutineAt: (at: Instant, id: number) => this.#ports.wakeAt(at, {type: 'routine', id}),
		};
	}

	/** The recorder's goroutine runs only after the call with which the worker continues. */
	#record(event: PostedEvent, now: Instant) {
		this.#ports.wakeAt(now, {type: 'recordEvent', event});
	}
}
