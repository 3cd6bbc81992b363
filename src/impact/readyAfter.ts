import type {Pod} from '../core/model/pod.ts';
import type {PerPod} from '../core/model/workloads/occupancy.ts';
import {gcCheckPeriod, quarantineTime} from '../core/podgc/garbage.ts';
import {type Duration, minute, never, second} from '../core/time/instant.ts';
import {gracePeriodOf, type PodEnd} from '../core/workloads/podEnd.ts';
import {reportsWithin} from '../forecast/podEnd.ts';
import type {After} from '../forecast/podForecast.ts';

/** How long something takes, at least and usually at most; never where nothing tells that. */
export type TimeTaken = {readonly least: Duration; readonly most: Duration};

export const upTo = (most: Duration): TimeTaken => ({least: 0, most});
export const both = (one: TimeTaken, other: TimeTaken): TimeTaken => ({
	least: Math.max(one.least, other.least),
	most: Math.max(one.most, other.most),
});
export const inTurn = (one: TimeTaken, other: TimeTaken): TimeTaken => ({
	least: one.least + other.least,
	most: one.most + other.most,
});

/** What controllers and the scheduler take until a pod that nothing holds back is bound. */
const boundWithin: TimeTaken = upTo(10 * second);

/**
 * How long a volume stays attached to a dead node once its pod is gone; after that, how long a kubelet that has waited for it may
 * take to look again.
 *
 * @upstream kubernetes v1.36.3 pkg/controller/volume/attachdetach/attach_detach_controller.go DefaultTimerConfig
 * @upstream kubernetes v1.36.3 pkg/util/goroutinemap/exponentialbackoff/exponential_backoff.go maxDurationBeforeRetry
 */
export const forcedDetach: TimeTaken = {least: 6 * minute, most: 9 * minute};

/** How much longer a start may take than the usual one of pods of its owner: twice that, and some. */
const startMargin: Duration = 10 * second;

/** How long a pod starts once it is bound, as its owner's pods did: image, volumes and probes. */
export const startOf = (perPod: PerPod | undefined): TimeTaken =>
	upTo(perPod?.usualStart === undefined ? never : 2 * perPod.usualStart + startMargin);

/**
 * How long after its deletion is requested a pod's object is gone.
 *
 * @param elapsed since that request, of a pod that is Terminating
 * @param isCollected whether pod garbage collection is what deletes it
 */
export function goneAfter(pod: Pod, {by}: PodEnd, elapsed: Duration, isCollected: boolean): TimeTaken {
	switch (by) {
		case 'Request':
			return upTo(elapsed);
		case 'OutOfService':
			return {least: elapsed, most: elapsed + gcCheckPeriod};
		case 'NodeGone':
			return {least: elapsed, most: elapsed + (isCollected ? 0 : quarantineTime + 2 * gcCheckPeriod)};
		case 'Kubelet': {
			const most = gracePeriodOf(pod) * second + reportsWithin;
			// Of a pod that is overdue nothing tells how long its kubelet takes.
			return {least: elapsed, most: elapsed > most ? never : most};
		}
		default:
			return {least: elapsed, most: never};
	}
}

/** From a pod's deletion to when its replacement is bound and ready. */
export function readyAfterOf(made: TimeTaken, start: TimeTaken): NonNullable<After['readyAfter']> {
	const {least, most} = [boundWithin, start].reduce(inTurn, made);
	return {least: least / second, most: most === never ? null : most / second};
}
