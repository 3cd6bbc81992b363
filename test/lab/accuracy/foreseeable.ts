import {isControllerManagerLease} from '../../../src/core/model/lease.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Recording, Step} from './recording.ts';

/** How long after a kubelet stopped it is detectable: two renewals are missing then. */
const silence = 20.5 * second;
/** How long the API server takes to deliver a change by a user or a kubelet. */
const news = second;

/** Whether a forecast could account for all steps before the predicted instant. */
export type Foreseeable = (node: string, saidAt: Instant, happensAt: Instant) => boolean;

/** Until when a forecast about a node could account for all that happened to it: until the first step that it could not see. */
export type Horizon = (node: string, saidAt: Instant) => Instant;

/** Forecasts are not judged by steps that come after them, or that are not yet visible. */
export function foreseeableIn(recording: Recording): Foreseeable {
	const horizon = horizonIn(recording);
	return (node, saidAt, happensAt) => happensAt < horizon(node, saidAt);
}

export function horizonIn(recording: Recording): Horizon {
	const steps = recording.steps.map((step) => ({...step, seenAt: seenAt(step, recording)}));
	return (node, saidAt) =>
		Math.min(
			...steps.flatMap(({touches, seenAt, at}) => (touches.includes(node) && saidAt < seenAt ? [at] : [])),
		);
}

/** When all changes of a step were visible. */
function seenAt(step: Step, {observed, endedAt}: Recording): Instant {
	switch (step.kind) {
		case 'stop':
			return shownAt(lastRenewal(step, observed) + silence, observed);
		case 'restart':
			return takeover(step, observed) ?? endedAt;
		default:
			return shownAt(step.at, observed) + news;
	}
}

/** When a change could reach a watch: at the end of a stall, if the API server was stopped. */
function shownAt(at: Instant, observed: Recording['observed']): Instant {
	const late = observed.find(
		({at: arrivedAt, provenance}) => provenance?.type === 'late' && provenance.since <= at && at <= arrivedAt,
	);
	return late?.at ?? at;
}

function lastRenewal({at, nodes}: Step, observed: Recording['observed']): Instant {
	const stopped = new Set(nodes);
	// A call that was in flight when the node failed may still arrive.
	const end = at + news;
	// Nothing that was recorded may show it, where the node failed before the recording began.
	let last = at;
	for (const {at: arrivedAt, provenance, observations} of observed) {
		// News of a stall may be as old as its start.
		if ((provenance?.type === 'late' ? provenance.since : arrivedAt) > end) break;
		for (const one of observations) {
			if (one.type === 'leaseApplied' && stopped.has(one.lease.name)) last = Math.min(arrivedAt, end);
		}
	}
	return last;
}

/** When the new leader's first lease update arrived. */
function takeover({at}: Step, observed: Recording['observed']): Instant | undefined {
	return observed.find(({observations}) =>
		observations.some(
			(one) =>
				one.type === 'leaseApplied' &&
				isControllerManagerLease(one.lease) &&
				(one.lease.acquireTime ?? 0) > at,
		),
	)?.at;
}
