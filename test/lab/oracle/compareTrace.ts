import {isDeepStrictEqual} from 'node:util';
import {actionKey} from '../../conformance/actionKey.ts';
import {firstDifference} from '../../conformance/compareActions.ts';
import {firstZoneDifference, type SampledSecond, sampleOffset} from '../../conformance/compareZones.ts';
import type {Listed} from '../../conformance/forecastVector.ts';
import type {TraceVector, ZoneSample} from '../../conformance/vector.ts';
import {firstObjectDifference} from './compareObjects.ts';
import type {Outcome} from './outcome.ts';

/** A trace, and what a client observed at some instants. */
export type KeptTrace = TraceVector & {readonly snapshots?: readonly Listed[]};

/** How a recording compares with a vector: equal, equal up to random differences, or different. */
export type Verdict = {readonly is: 'same' | 'alike' | 'different'; readonly why?: string};

/** The jitter of the taint writers' retries, in milliseconds. */
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
		// The nodes that they show are random as well.
		(order === 'undecided' ? undefined : snapshotDifference(vector.snapshots ?? [], outcome.snapshots))
	);
}

function snapshotDifference(kept: readonly Listed[], got: readonly Listed[]): string | undefined {
	const path = firstObjectDifference(kept, got, usualTolerance);
	return path === undefined ? undefined : `snapshots${path} differs`;
}

/** Fills in the seconds without changes. */
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
