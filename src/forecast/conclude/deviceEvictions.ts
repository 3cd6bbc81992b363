import {claimEviction, type DeviceEviction} from '../../core/devicetainteviction/deviceEviction.ts';
import {DevicePools} from '../../core/devicetainteviction/devicePools.ts';
import {
	DeviceTaintEvictionController,
	type DeviceWake,
} from '../../core/devicetainteviction/deviceTaintEvictionController.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {
	type DeviceIdentity,
	type DeviceObject,
	deviceKinds,
	type ResourceSlice,
} from '../../core/model/device.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {EventLoop} from '../../core/time/eventLoop.ts';
import {type Instant, minute} from '../../core/time/instant.ts';
import type {ClusterStore} from '../../store/clusterStore.ts';
import {callDuration, latency} from '../observe/latencies.ts';
import {Range} from '../range.ts';

/** Why a pod goes for its devices, and when it would, once it is due. */
export type PodDeviceEviction = DeviceEviction & {
	/** When it was or is due: not before it was bound. */
	readonly dueAt: Instant;
	readonly range: Range;
};

type Limits = Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>;

/** So long ahead the controller is run. */
const horizon = 60 * minute;

/**
 * The pods that the device taint eviction controller deletes, by key: it is run ahead from what is seen, with a full and
 * with an empty bucket. Of pods that are due together any may come first.
 */
export function deviceEvictions(
	{deviceObjects, pods: seen}: Pick<ClusterStore, 'deviceObjects' | 'pods'>,
	settings: Limits & Pick<ControllerSettings, 'deviceTaints'>,
	now: Instant,
): ReadonlyMap<string, PodDeviceEviction> {
	if (!settings.deviceTaints || ![...deviceObjects.values()].some(hasEvictingTaint)) return new Map();
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
		const dueAt = Math.max(eviction.when, pod.scheduledAt ?? pod.createdAt);
		return [{key, eviction, dueAt, expected: soon.at.get(key), last: late.at.get(key)}];
	});
	return new Map(
		found.map(({key, eviction, dueAt, expected, last}) => {
			const earliest = Math.max(now, dueAt);
			const own = Math.max(earliest, last ?? earliest);
			// Whoever is due before this one's turn is over may have that turn.
			const others = found.filter((one) => one.dueAt <= own).map((one) => one.last ?? earliest);
			const range = new Range(earliest, expected ?? earliest, Math.max(own, ...others) + latency);
			return [key, {...eviction, dueAt, range}];
		}),
	);
}

const hasEvictingTaint = (one: DeviceObject): boolean =>
	one.kind === 'ResourceSlice'
		? one.devices.some(({taints}) => taints.some(({effect}) => effect === 'NoExecute'))
		: one.kind === 'DeviceTaintRule' && one.taint.effect === 'NoExecute';

/** When the controller deletes each pod, were it started now. */
function deletions(
	objects: readonly DeviceObject[],
	pods: readonly Pod[],
	limits: Limits,
	call: number,
	now: Instant,
) {
	const loop = new EventLoop<DeviceWake>(now);
	const byKey = new Map(pods.map((pod) => [podKey(pod), pod]));
	const at = new Map<string, Instant>();
	const controller = new DeviceTaintEvictionController(limits, call, {
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

/** The nodes of the devices that evict; all nodes, where a device is not of one: any may have its pods. */
export function nodesOfEvictingDevices({deviceObjects, nodes}: ClusterStore): readonly string[] {
	if (deviceObjects.size === 0) return [];
	const all = [...deviceObjects.values()];
	const pools = poolsOf(all.filter((one) => one.kind === 'ResourceSlice'));
	const rules = all.flatMap((one) =>
		one.kind === 'DeviceTaintRule' && one.taint.effect === 'NoExecute' ? [one] : [],
	);
	const reasons = all.flatMap((one) =>
		one.kind === 'ResourceClaim' && one.reservedFor.length > 0
			? (claimEviction(one, pools, rules)?.reasons ?? [])
			: [],
	);
	return nodesOfDevices(reasons, pools, nodes.keys());
}

/** The nodes of devices that are asked for. */
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

/** The nodes that some devices are of; all, where one is not of one node. */
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
