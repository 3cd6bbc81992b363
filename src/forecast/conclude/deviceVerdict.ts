import type {DeviceReason} from '../../core/devicetainteviction/deviceEviction.ts';
import {podKey} from '../../core/model/pod.ts';
import {never, second} from '../../core/time/instant.ts';
import {latency} from '../observe/latencies.ts';
import {mayBeGone} from '../observe/leader.ts';
import type {Cause, PodForecast} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Simulated} from '../simulate/simulated.ts';
import {type Judgement, judged, verdictOf} from '../verdict.ts';
import {isoTime} from '../words.ts';
import type {PodDeviceEviction} from './deviceEvictions.ts';
import {heldWith} from './judgement.ts';

/** Why it is open whether devices evict, where nothing shows the gate. */
export const deviceGateUnseen =
	'the gate DRADeviceTaints is off by default in this release; whether it is on cannot be seen';

/** Adds to the forecast of a pod its eviction for tainted devices, if there is one. */
export function withDeviceEviction(
	pod: PodForecast,
	evictions: ReadonlyMap<string, PodDeviceEviction>,
	situation: Simulated,
): PodForecast {
	const eviction = evictions.get(podKey(pod));
	if (!eviction) return pod;
	const because = deviceWords(eviction);
	if (!situation.settings.deviceTaints) because.push(deviceGateUnseen);
	const judged = verdictOf([pod, judgeDevices(eviction, situation)]);
	const isFirst = judged.cause?.kind === 'DeviceTaint';
	return {...pod, ...judged, because: isFirst ? because : [...pod.because, ...because]};
}

/** The end of a pod by the taints of its devices. */
export function judgeDevices(eviction: PodDeviceEviction, situation: Simulated): Judgement {
	const {due, range, isOverdue} = eviction;
	const cause = deviceCause(eviction);
	// The gate may be off: then it is neither held nor due, and there is no telling when it most likely goes.
	if (!situation.settings.deviceTaints)
		return judged('Unsure', cause, Range.over({lo: range.earliest, hi: never}));
	const stop = situation.leader.type === 'absent' ? situation.stops.of('') : undefined;
	if (stop) return judged('Held', cause, null, heldWith(stop, range));
	const overdue = Range.over({lo: due.lo, hi: due.hi + latency});
	if (isOverdue) return judged('Overdue', cause, overdue);
	if (mayBeGone(situation.leader)) return judged('Unsure', cause, range.until(null));
	return judged('Scheduled', cause, range);
}

/** The taint that decides when a pod is deleted. */
function decidingReason({reasons, when}: PodDeviceEviction): DeviceReason | undefined {
	const endOf = ({taint, tolerationSeconds}: DeviceReason) =>
		(taint.timeAdded ?? 0) + (tolerationSeconds ?? 0) * second;
	return reasons.find((reason) => endOf(reason) === when) ?? reasons[0];
}

/** A device's taint as the cause of a deletion. */
function deviceCause(eviction: PodDeviceEviction): Cause {
	const reason = decidingReason(eviction);
	if (!reason) return {kind: 'DeviceTaint'};
	const {driver, pool, device, tolerationSeconds} = reason;
	return {kind: 'DeviceTaint', taint: taintText(reason), tolerationSeconds, device, driver, pool};
}

const taintText = ({taint: {key, value, effect}}: DeviceReason): string =>
	`${key}${value === '' ? '' : `=${value}`}:${effect}`;

/** Why a pod is deleted, one sentence per step. */
const deviceWords = ({reasons}: PodDeviceEviction): string[] =>
	reasons.map((reason) => {
		const {driver, pool, device, taint, tolerationSeconds, origin} = reason;
		const where =
			origin.kind === 'DeviceTaintRule' ? `DeviceTaintRule ${origin.name}` : `ResourceSlice ${origin.name}`;
		const tolerated =
			tolerationSeconds === null
				? 'its claim does not tolerate that'
				: `its claim tolerates that for ${tolerationSeconds}s`;
		const since = taint.timeAdded === undefined ? '' : ` since ${isoTime(taint.timeAdded)}`;
		return `device ${device} of ${driver}, pool ${pool}, has the taint ${taintText(reason)}${since} (${where}); ${tolerated}`;
	});
