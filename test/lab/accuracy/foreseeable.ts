import {isControllerManagerLease} from '../../../src/core/model/lease.ts';
import {type Instant, second} from '../../../src/core/time/instant.ts';
import type {Recording, Step} from './recording.ts';

/** A kubelet that has died shows it when two renewals are missing. */
const silence = 20.5 * second;
/** How long the API server takes to tell what a user or a kubelet did. */
const news = second;

/** Says whether a forecast could know of all that the script did up to what it foretells. */
export type Foreseeable = (node: string, saidAt: Instant, happensAt: Instant) => boolean;

/** Forecasts are not held against steps that come after them, nor against such as nothing shows yet. */
export function foreseeableIn(recording: Recording): Foreseeable {
	const steps = recording.steps.map((step) => ({...step, seenAt: seenAt(step, recording)}));
	return (node, saidAt, happensAt) =>
		!steps.some((step) => step.touches.includes(node) && saidAt < step.seenAt && step.at <= happensAt);
}

/** When everything that a step changes could be known. */
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

/** When what happened then could reach a watch: at the end of a stall, if the API server stood still. */
function shownAt(at: Instant, observed: Recording['observed']): Instant {
	const late = observed.find(
		({at: arrivedAt, provenance}) => provenance?.type === 'late' && provenance.since <= at && at <= arrivedAt,
	);
	return late?.at ?? at;
}

function lastRenewal({at, nodes}: Step, observed: Recording['observed']): Instant {
	const stopped = new Set(nodes);
	// A call that was under way when the power went may still arrive.
	const end = at + news;
	let last = 0;
	for (const {at: arrivedAt, provenance, observations} of observed) {
		// What a stall held up was sent when it began, or later.
		if ((provenance?.type === 'late' ? provenance.since : arrivedAt) > end) break;
		for (const one of observations) {
			if (one.type === 'leaseApplied' && stopped.has(one.lease.name)) last = Math.min(arrivedAt, end);
		}
	}
	return last;
}

/** When the new leader's first word arrived. */
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
