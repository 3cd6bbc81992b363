import {maxOf} from '../../core/collections/extremes.ts';
import {
	claimEviction,
	type DeviceEviction,
	type DeviceRules,
	podEviction,
	ruleMatches,
} from '../../core/devicetainteviction/deviceEviction.ts';
import {DevicePools} from '../../core/devicetainteviction/devicePools.ts';
import {
	DeviceTaintEvictionController,
	type DeviceWake,
} from '../../core/devicetainteviction/deviceTaintEvictionController.ts';
import {
	type DeviceIdentity,
	type DeviceObject,
	type DeviceTaintRule,
	deviceKinds,
	deviceObjectKey,
	type ResourceClaim,
	type ResourceSlice,
} from '../../core/model/device.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {EventLoop} from '../../core/time/eventLoop.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {ClusterStore} from '../../store/clusterStore.ts';
import {type Interval, notBefore} from '../observe/interval.ts';
import {type ClientLimits, callDuration, latency} from '../observe/latencies.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {overdueAfter} from './judgement.ts';

/** Why a pod is deleted for its devices, and when. */
export type PodDeviceEviction = DeviceEviction & {
	/** When it was or is due: not before the pod was bound, nor before the running controllers started. */
	readonly due: Interval;
	readonly range: Range;
	/** Whether it should be deleted by now: it is among the next in the queue, and nothing shows the controller at work. */
	readonly isOverdue: boolean;
};

/** The controller counts as at work this long after the last eviction that was seen. That time is truncated to seconds. */
const atWorkFor: Duration = 4 * second;

/** How far ahead the controller is simulated. */
const horizon = 60 * minute;

/**
 * The pods that the device taint eviction controller deletes, by key. It is simulated from the present state, with a full and
 * with an empty bucket. Of pods that are due together any may come first.
 */
export function deviceEvictions(
	{deviceObjects, pods: seen}: Pick<ClusterStore, 'deviceObjects' | 'pods'>,
	{settings, span, evidence, now}: Pick<Simulated, 'settings' | 'span' | 'evidence' | 'now'>,
): ReadonlyMap<string, PodDeviceEviction> {
	if (!span.earlyEnd.deviceTaints || ![...deviceObjects.values()].some(hasEvictingTaint)) return new Map();
	const all = [...deviceObjects.values()].toSorted(
		(a, b) => deviceKinds.indexOf(a.kind) - deviceKinds.indexOf(b.kind),
	);
	const pods = [...seen.values()].filter(({claims}) => claims !== undefined);
	const soon = deletions(all, pods, settings, callDuration.lo, now);
	if (soon.evictions.size === 0) return new Map();
	const late = deletions(all, pods, {...settings, kubeApiBurst: 1}, callDuration.hi, now);
	const byKey = new Map(pods.map((pod) => [podKey(pod), pod]));
	const found = [...soon.evictions].flatMap(([key, eviction]) => {
		const pod = byKey.get(key);
		if (!pod || pod.deletionTimestamp !== undefined) return [];
		const since = Math.max(eviction.when, pod.scheduledAt ?? pod.createdAt);
		const due = notBefore(evidence.controllersStarted, {lo: since, hi: since});
		return [{key, eviction, due, expected: soon.at.get(key), last: late.at.get(key)}];
	});
	const isAtWork = pods.some(
		({deviceEvictedAt}) => deviceEvictedAt !== undefined && deviceEvictedAt + atWorkFor >= now,
	);
	return new Map(
		found.map(({key, eviction, due, expected, last}) => {
			const earliest = Math.max(now, due.lo);
			const own = Math.max(earliest, last ?? earliest);
			// A pod that is due before this one's turn is over may take that turn.
			const others = found.filter((one) => one.due.lo <= own).map((one) => one.last ?? earliest);
			const range = new Range(earliest, expected ?? earliest, maxOf(others, own) + latency);
			const isNext = expected !== undefined && expected - now < overdueAfter;
			const isOverdue = isNext && !isAtWork && due.hi + overdueAfter < now;
			return [key, {...eviction, due, range, isOverdue}];
		}),
	);
}

const hasEvictingTaint = (one: DeviceObject) =>
	one.kind === 'ResourceSlice'
		? one.devices.some(({taints}) => taints.some(({effect}) => effect === 'NoExecute'))
		: one.kind === 'DeviceTaintRule' && one.taint.effect === 'NoExecute';

/** When the controller deletes each pod if it starts now. */
function deletions(
	objects: readonly DeviceObject[],
	pods: readonly Pod[],
	settings: ClientLimits & DeviceRules,
	call: number,
	now: Instant,
) {
	const loop = new EventLoop<DeviceWake>(now);
	const byKey = new Map(pods.map((pod) => [podKey(pod), pod]));
	const at = new Map<string, Instant>();
	const controller = new DeviceTaintEvictionController(settings, call, {
		api: {
			pod: (key) => byKey.get(key),
			markDisruptionTarget: () => 'written',
			deletePod: (key) => {
				at.set(key, loop.now);
				return 'written';
			},
			eventPosted: () => undefined,
		},
		wakeAt: (due, wake) => loop.schedule(due, wake),
	});
	controller.start(objects, pods, now);
	const evictions = controller.scheduled;
	loop.advanceTo(now + horizon, (wake, then) => controller.wake(wake, then));
	return {evictions, at};
}

export function poolsOf(slices: Iterable<ResourceSlice>): DevicePools {
	const pools = new DevicePools();
	for (const slice of slices) pools.replace(undefined, slice);
	return pools;
}

/** In which most pods are evicted. */
const anyRelease: DeviceRules = {extendedResourcesEvicted: true, emptyEffectTolerates: false};

/** When one pod may be deleted for its devices, and why, by the present objects; undefined if none of them evicts it. */
export function deviceEvictionOf(pod: Pod, objects: Iterable<DeviceObject>): DeviceEviction | undefined {
	const names = new Set((pod.claims ?? []).map(({name}) => `${pod.namespace}/${name}`));
	if (names.size === 0) return undefined;
	const all = [...objects];
	const claims = new Map(
		all.flatMap((one) => {
			const key = deviceObjectKey(one);
			return one.kind === 'ResourceClaim' && names.has(key) ? [[key, one]] : [];
		}),
	);
	const used = [...claims.values()];
	const pools = poolsOf(
		all.flatMap((one) => (one.kind === 'ResourceSlice' && used.some(isAllocatedOf(one)) ? [one] : [])),
	);
	const rules = evictingRules(all);
	const claimOf = (key: string) => {
		const claim = claims.get(key);
		return claim && {claim, eviction: claimEviction(claim, pools, rules, anyRelease)};
	};
	return podEviction(pod, claimOf, anyRelease);
}

/** The UIDs of the pods whose eviction may depend on a device object. */
export function podsOfDeviceObject(object: DeviceObject, all: Iterable<DeviceObject>): readonly string[] {
	const isMeant = object.kind === 'ResourceClaim' ? isSameClaim(object) : isAllocatedOf(object);
	return [object, ...all].flatMap((one) =>
		one.kind === 'ResourceClaim' && isMeant(one) ? one.reservedFor.map(({uid}) => uid) : [],
	);
}

const isSameClaim =
	({uid}: ResourceClaim) =>
	(claim: ResourceClaim): boolean =>
		claim.uid === uid;

/** Whether a claim has devices of a slice's pool, or devices that a rule selects. */
const isAllocatedOf =
	(of: Exclude<DeviceObject, ResourceClaim>) =>
	({allocated = []}: ResourceClaim): boolean =>
		allocated.some((one) =>
			of.kind === 'DeviceTaintRule' ? ruleMatches(of, one) : one.driver === of.driver && one.pool === of.pool,
		);

const evictingRules = (all: readonly DeviceObject[]): readonly DeviceTaintRule[] =>
	all.flatMap((one) => (one.kind === 'DeviceTaintRule' && one.taint.effect === 'NoExecute' ? [one] : []));

/** The nodes of the devices that evict; all nodes, if a device belongs to no single node: any may have its pods. */
export function nodesOfEvictingDevices({deviceObjects, nodes}: ClusterStore): readonly string[] {
	if (deviceObjects.size === 0) return [];
	const all = [...deviceObjects.values()];
	const pools = poolsOf(all.filter((one) => one.kind === 'ResourceSlice'));
	const rules = evictingRules(all);
	const reasons = all.flatMap((one) =>
		one.kind === 'ResourceClaim' && one.reservedFor.length > 0
			? (claimEviction(one, pools, rules, anyRelease)?.reasons ?? [])
			: [],
	);
	return nodesOfDevices(reasons, pools, nodes.keys());
}

/** The nodes of the given devices. */
export function nodesOfNamedDevices(
	devices: readonly DeviceIdentity[],
	slices: Iterable<ResourceSlice>,
	nodes: Iterable<string>,
): readonly string[] {
	const pools = poolsOf(slices);
	return nodesOfDevices(
		devices.filter((one) => pools.device(one)),
		pools,
		nodes,
	);
}

/** The nodes that devices belong to; all nodes, if one belongs to no single node. */
function nodesOfDevices(
	devices: readonly DeviceIdentity[],
	pools: DevicePools,
	nodes: Iterable<string>,
): readonly string[] {
	const owners = devices.map((one) => {
		const found = pools.device(one);
		return found?.device.nodeName ?? found?.slice.nodeName;
	});
	return owners.includes(undefined) ? [...nodes] : owners.filter((name) => name !== undefined);
}
