import {compareValues} from '../collections/compareValues.ts';
import {minOf} from '../collections/extremes.ts';
import type {ControllerSettings} from '../model/controllerSettings.ts';
import type {
	DeviceIdentity,
	DeviceTaint,
	DeviceTaintRule,
	ResourceClaim,
	ResourceSlice,
} from '../model/device.ts';
import type {Pod} from '../model/pod.ts';
import {type Toleration, toleratesTaint} from '../model/toleration.ts';
import type {Duration, Instant} from '../time/instant.ts';
import type {DevicePools} from './devicePools.ts';

/** A NoExecute taint of an allocated device, and the object that defines it. */
export type DeviceReason = DeviceIdentity &
	Readonly<{
		origin: ResourceSlice | DeviceTaintRule;
		/** The index of the taint in the device's list; -1 for a rule's. */
		index: number;
		taint: DeviceTaint;
		/** How long the claim tolerates it, in seconds; null if it does not. */
		tolerationSeconds: number | null;
	}>;

/** When pods that use a claim are deleted, and for which taints, in order. */
export type DeviceEviction = {readonly when: Instant; readonly reasons: readonly DeviceReason[]};

/** What differs between releases. */
export type DeviceRules = Pick<ControllerSettings, 'extendedResourcesEvicted' | 'emptyEffectTolerates'>;

export type AllocatedClaim = {readonly claim: ResourceClaim; readonly eviction: DeviceEviction | undefined};

/**
 * When the devices of an allocated claim cause an eviction; undefined if they do not.
 *
 * @quirk until 1.37 a toleration without an effect, which tolerates every effect for the scheduler, does not tolerate NoExecute here
 * @quirk of several tolerations that match a taint the shortest counts, and one without an end before all
 * @quirk seconds that overflow int64 nanoseconds wrap: a toleration of centuries may be none
 * @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go claimEvictionTime
 */
export function claimEviction(
	{allocated = []}: ResourceClaim,
	pools: DevicePools,
	rules: Iterable<DeviceTaintRule>,
	{emptyEffectTolerates}: Pick<DeviceRules, 'emptyEffectTolerates'>,
): DeviceEviction | undefined {
	const effects = emptyEffectTolerates ? ['', 'NoExecute'] : ['NoExecute'];
	let when: Instant | undefined;
	const reasons: DeviceReason[] = [];
	const all = [...rules];
	for (const {tolerations, ...device} of allocated) {
		const counting = tolerations.filter(({effect = ''}) => effects.includes(effect));
		for (const found of evictingTaints(device, pools, all)) {
			const seconds = toleratedSeconds(found.taint, counting);
			if (seconds === undefined || found.taint.timeAdded === undefined) continue;
			const at = found.taint.timeAdded + (seconds === null ? 0 : wrapped(seconds));
			if (!reasons.some((other) => isSameReason(other, found)))
				reasons.push({...found, ...device, tolerationSeconds: seconds});
			when = Math.min(when ?? at, at);
		}
	}
	return when === undefined ? undefined : {when, reasons: reasons.toSorted(compareReasons)};
}

/**
 * When a pod is deleted because of the devices of its claims; undefined if it is not.
 *
 * @quirk until 1.37 a tainted device takes no pod along that holds it by an extended resource
 * @quirk a pod that has ended, or is Terminating, is due like any other
 * @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go podEvictionTime
 */
export function podEviction(
	pod: Pod,
	claimOf: (key: string) => AllocatedClaim | undefined,
	{extendedResourcesEvicted}: Pick<DeviceRules, 'extendedResourcesEvicted'>,
): DeviceEviction | undefined {
	if (pod.nodeName === '') return undefined;
	const evictions = (pod.claims ?? []).flatMap(({name, isGenerated, isExtended}) => {
		if (isExtended && !extendedResourcesEvicted) return [];
		const found = claimOf(`${pod.namespace}/${name}`);
		if (!found?.eviction) return [];
		if (isGenerated && found.claim.ownerUid !== pod.uid) return [];
		return found.claim.reservedFor.some(({uid}) => uid === pod.uid) ? [found.eviction] : [];
	});
	const [first, ...others] = evictions;
	if (!first || others.length === 0) return first;
	const reasons = evictions.flatMap((one) => one.reasons);
	return {
		when: minOf(evictions.map(({when}) => when)),
		reasons: reasons
			.filter((one, index) => reasons.findIndex((other) => isSameReason(one, other)) === index)
			.toSorted(compareReasons),
	};
}

/**
 * Whether two evictions are the same, of the same objects.
 *
 * @quirk where neither is there, they count as different
 * @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go equal
 */
export const isSameEviction = (a: DeviceEviction | undefined, b: DeviceEviction | undefined) =>
	a !== undefined &&
	b !== undefined &&
	a.when === b.when &&
	a.reasons.length === b.reasons.length &&
	a.reasons.every((one, index) => {
		const other = b.reasons[index];
		return other !== undefined && isSameReason(one, other);
	});

type FoundTaint = DeviceIdentity & Pick<DeviceReason, 'origin' | 'index' | 'taint'>;

const isSameReason = (a: FoundTaint, b: FoundTaint) =>
	a.origin === b.origin && (a.index < 0 || (a.device === b.device && a.index === b.index));

/** @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go allEvictingDeviceTaints */
function evictingTaints(
	device: DeviceIdentity,
	pools: DevicePools,
	rules: readonly DeviceTaintRule[],
): readonly FoundTaint[] {
	const found = pools.device(device);
	const own = (found?.device.taints ?? []).flatMap((taint, index) =>
		found && taint.effect === 'NoExecute' ? [{...device, origin: found.slice, index, taint}] : [],
	);
	const ruled = rules.filter((rule) => ruleMatches(rule, device));
	return [...own, ...ruled.map((rule) => ({...device, origin: rule, index: -1, taint: rule.taint}))];
}

/** @upstream kubernetes v1.36.3 pkg/controller/devicetainteviction/device_taint_eviction.go ruleMatchesDevice */
export const ruleMatches = ({selector}: DeviceTaintRule, of: DeviceIdentity): boolean =>
	selector !== undefined &&
	(selector.driver ?? of.driver) === of.driver &&
	(selector.pool ?? of.pool) === of.pool &&
	(selector.device ?? of.device) === of.device;

/**
 * Null if no toleration matches, undefined if the taint is tolerated forever. A toleration matches as for nodes, but
 * Lt and Gt never do.
 *
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/dynamic-resource-allocation/resourceclaim/devicetoleration.go ToleratesTaint
 */
function toleratedSeconds(taint: DeviceTaint, tolerations: readonly Toleration[]): number | null | undefined {
	const matching = tolerations.filter((toleration) => toleratesTaint(toleration, taint, false));
	if (matching.length === 0) return null;
	const limits = matching.flatMap(({tolerationSeconds}) => tolerationSeconds ?? []);
	return limits.length < matching.length ? undefined : Math.max(0, minOf(limits));
}

const wrapped = (seconds: number): Duration =>
	Number(BigInt.asIntN(64, BigInt(Math.trunc(seconds)) * 1_000_000_000n) / 1_000_000n);

/** Sorts rules first, by name; then devices by driver, pool and device name. */
function compareReasons(a: DeviceReason, b: DeviceReason): number {
	const keyOf = (reason: DeviceReason) =>
		reason.index < 0
			? ['', reason.origin.name]
			: [reason.driver, reason.pool, reason.device, String(reason.index).padStart(3, '0')];
	return compareValues(keyOf(a).join(' '), keyOf(b).join(' '));
}
