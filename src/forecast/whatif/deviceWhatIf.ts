import type {DeviceObject, ResourceSlice} from '../../core/model/device.ts';
import {podKey} from '../../core/model/pod.ts';
import {second} from '../../core/time/instant.ts';
import type {ClusterStore} from '../../store/clusterStore.ts';
import {deviceEvictions, type PodDeviceEviction} from '../conclude/deviceEvictions.ts';
import {judgeDevices, withDeviceEviction} from '../conclude/deviceVerdict.ts';
import {type Ending, firstAtTop, ownEndings} from '../conclude/endings.ts';
import type {PodForecast} from '../podForecast.ts';
import type {Change} from '../simulate/change.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {type PodChange, unchanged, type WhatIf} from './whatIf.ts';

type ByPodUid = ReadonlyMap<string, PodDeviceEviction>;

/**
 * Adds evictions by devices to a what-if: on both sides, the first end of a pod counts. Pods of healthy nodes are added if a
 * supposed taint changes their end.
 *
 * @param forecasts of all pods, without evictions by devices
 */
export function whatIfWithDevices(
	whatIf: WhatIf,
	forecasts: ReadonlyMap<string, PodForecast>,
	store: ClusterStore,
	situation: Simulated,
): WhatIf {
	const {deviceObjects, pods: stored} = store;
	const evictionsOf = (objects: ClusterStore['deviceObjects']) =>
		deviceEvictions({deviceObjects: objects, pods: stored}, situation);
	const tainted = withTaints(deviceObjects, whatIf.changes);
	const before = evictionsOf(deviceObjects);
	const after = tainted === deviceObjects ? before : evictionsOf(tainted);
	if (after.size === 0) return whatIf;
	const listed = new Set(whatIf.pods.map((pod) => podKey(pod.before)));
	const ofWellNodes = [...after.keys()].flatMap((key) => {
		const forecast = listed.has(key) ? undefined : forecasts.get(key);
		const pod =
			forecast &&
			withDevices({...unchanged(forecast), endings: {before: [], after: []}}, before, after, situation);
		return pod && pod.effect !== 'unchanged' ? [pod] : [];
	});
	const pods = whatIf.pods.map((pod) => withDevices(pod, before, after, situation));
	return {...whatIf, pods: [...pods, ...ofWellNodes]};
}

function withDevices(pod: PodChange, before: ByPodUid, after: ByPodUid, situation: Simulated): PodChange {
	const key = podKey(pod.before);
	if (!before.has(key) && !after.has(key)) return pod;
	const one = {
		...pod,
		before: withDeviceEviction(pod.before, before, situation),
		after: withDeviceEviction(pod.after, after, situation),
	};
	const endings = {
		before: withEnding(pod.endings.before, before.get(key), situation),
		after: withEnding(pod.endings.after, after.get(key), situation),
	};
	return {...one, ...effectOf(one), endings};
}

/** The effect of changes on a pod whose ends were joined with others. */
function effectOf({before, after}: PodChange): Pick<PodChange, 'effect' | 'shift'> {
	const [first, second] = [before.eviction, after.eviction];
	if (!first || !second) return {effect: first ? 'avoided' : second ? 'added' : 'unchanged', shift: null};
	const isSame =
		first.earliest === second.earliest &&
		first.latest === second.latest &&
		before.cause?.kind === after.cause?.kind;
	if (isSame) return {effect: 'unchanged', shift: null};
	return {effect: 'moved', shift: second.expected - first.expected};
}

const withEnding = (
	endings: readonly Ending[],
	eviction: PodDeviceEviction | undefined,
	situation: Simulated,
): readonly Ending[] =>
	eviction ? firstAtTop([...endings, ...ownEndings(judgeDevices(eviction, situation), false)]) : endings;

/** Returns the same map if no device is tainted. */
function withTaints(
	objects: ClusterStore['deviceObjects'],
	changes: readonly Change[],
): ClusterStore['deviceObjects'] {
	const taints = changes.filter((change) => change.type === 'deviceTaint');
	if (taints.length === 0) return objects;
	const edited = (object: DeviceObject): DeviceObject =>
		object.kind === 'ResourceSlice' ? taints.reduce(withTaint, object) : object;
	return new Map([...objects].map(([key, object]) => [key, edited(object)]));
}

/** The API server sets the time of a taint, in whole seconds. */
function withTaint(
	slice: ResourceSlice,
	{at, device: of, taint}: Extract<Change, {type: 'deviceTaint'}>,
): ResourceSlice {
	if (slice.driver !== of.driver || slice.pool !== of.pool) return slice;
	const added = {...taint, timeAdded: Math.floor(at / second) * second};
	return {
		...slice,
		devices: slice.devices.map((one) =>
			one.name === of.device ? {...one, taints: [...one.taints, added]} : one,
		),
	};
}
