import {isDeepStrictEqual} from 'node:util';
import {actionKey} from '../../conformance/actionKey.ts';
import {firstDifference} from '../../conformance/compareActions.ts';
import {firstZoneDifference, type SampledSecond, sampleOffset} from '../../conformance/compareZones.ts';
import type {Listed} from '../../conformance/forecastVector.ts';
import type {TraceVector, ZoneSample} from '../../conformance/vector.ts';
import {firstObjectDifference} from './compareObjects.ts';
import type {Outcome} from './outcome.ts';

/** A trace with what a client saw at times. */
export type KeptTrace = TraceVector & {readonly snapshots?: readonly Listed[]};

/** How near a recording comes to a vector: the same in every value, or within what chance leaves open, or neither. */
export type Verdict = {readonly is: 'same' | 'alike' | 'different'; readonly why?: string};

/** The taint writers' retry jitter. */
export const usualTolerance = 300;

/** Compares a recording with a vector of the same scenario, under the vector's order and tolerance. */
export function compareTrace(vector: KeptTrace, outcome: Outcome): Verdict {
	const {firstPassAt, trace, zones, snapshots} = outcome;
	const kept = [vector.firstPassAt, vector.trace, vector.zones, vector.snapshots ?? []];
	if (isDeepStrictEqual(kept, [firstPassAt, trace, zones, snapshots])) return {is: 'same'};
	const why = difference(vector, outcome);
	return why === undefined ? {is: 'alike'} : {is: 'different', why};
}

function difference(vector: KeptTrace, outcome: Outcome): string | undefined {
	const {scenario, order, toleranceMs} = vector;
	if (vector.firstPassAt !== outcome.firstPassAt) {
		return `the first pass: expected at ${vector.firstPassAt} ms, got ${outcome.firstPassAt} ms`;
	}
	return (
		firstDifference(vector.trace, outcome.trace, actionKey(order, scenario.nodes), toleranceMs) ??
		firstZoneDifference(vector.zones, bySecond(outcome.zones, scenario.until)) ??
		// Which nodes they show is chance as well.
		(order === 'undecided' ? undefined : snapshotDifference(vector.snapshots ?? [], outcome.snapshots))
	);
}

function snapshotDifference(kept: readonly Listed[], got: readonly Listed[]): string | undefined {
	const path = firstObjectDifference(kept, got, usualTolerance);
	return path === undefined ? undefined : `snapshots${path} differs`;
}

/** Fills in the seconds at which nothing changed. */
function bySecond(samples: readonly ZoneSample[], until: number): SampledSecond[] {
	const seconds: SampledSecond[] = [];
	const now = new Map<string, ZoneSample>();
	let next = 0;
	for (let at = sampleOffset; at <= until * 1000; at += 1000) {
		for (; (samples[next]?.at ?? Number.POSITIVE_INFINITY) <= at + 1; next += 1) {
			const sample = samples[next];
			if (sample) now.set(sample.zone, sample);
		}
		seconds.push(new Map(now));
	}
	return seconds;
}
