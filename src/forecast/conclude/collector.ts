import {gcCheckPeriod, quarantineTime} from '../../core/podgc/garbage.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {type PassPhase, passPhase} from '../infer/passPhase.ts';
import {at, type Interval, width} from '../observe/interval.ts';
import {callDuration, latency, throttleWait} from '../observe/latencies.ts';
import type {Orphan} from '../observe/nodes/missingNodes.ts';
import {Range} from '../range.ts';
import type {Change} from '../simulate/change.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** What is known of the pod garbage collector. */
export type Collector = Readonly<{
	/** Undefined if nothing shows when its passes come. */
	phase: PassPhase | undefined;
	/** From one of its passes to the next. */
	period: Interval;
	/** When the running one started its checks, at the earliest and at the latest. */
	started: Interval;
	/** The longest time that it needs for all orphans. */
	busyFor: Duration;
}>;

/** How long after the controllers' start the collector's first pass may begin: its caches have to fill. */
const startLag: Duration = 2 * second;
/** A start longer ago than this shows nothing: every pod that the collector removed since has delayed it. */
const recent: Duration = 10 * minute;

/** Only the start of the controllers shows when the collector's passes come: they leave no trace. */
export function collectorOf({evidence, settings, now}: Simulated): Collector {
	const {lo, hi} = evidence.controllersStarted;
	const started = {lo, hi: hi + settings.firstPassAfter + startLag};
	const duration = {lo: 0, hi: 2 + evidence.pods.size / 1000};
	const isRecent = Number.isFinite(lo) && now - lo < recent;
	const observations = isRecent ? [{at: started, calls: 0, source: `the controllers' start`}] : [];
	const phase = passPhase(observations, {...settings, nodeMonitorPeriod: gcCheckPeriod}, duration, now);
	const isKnown = isRecent && width(phase.begins) < gcCheckPeriod;
	return {
		phase: isKnown ? phase : undefined,
		period: phase.period,
		started,
		busyFor: busyTime(evidence.missingNodes.counts, settings),
	};
}

/** The collector makes one call for each node that is gone, and two for each pod. */
function busyTime(
	{nodes, pods}: {readonly nodes: number; readonly pods: number},
	settings: Simulated['settings'],
): Duration {
	const calls = nodes + 2 * pods;
	return Math.max(throttleWait(calls, settings), calls * callDuration.hi);
}

/**
 * When the collector removes an orphan: the first pass that misses the node starts its quarantine; the pass at its end, two
 * periods later, removes the pods. That pass and the end are only a millisecond or two apart, so one more period is allowed
 * for.
 */
export function removalOf({node, since}: Orphan, collector: Collector, now: Instant): Range {
	const {period, started, busyFor} = collector;
	const quarantined = firstPassIn(collector, {
		lo: Math.max(node.missing.lo, started.lo),
		hi: Math.max(node.missing.hi, since, started.hi),
	});
	const usual = quarantined.hi + 2 * period.hi + busyFor;
	const earliest = quarantined.lo + quarantineTime;
	const ahead = {lo: Math.max(now, earliest), hi: Math.max(now, usual)};
	return new Range(earliest, at(ahead, 0.5), usual + gcCheckPeriod + latency, {
		likely: {from: at(ahead, 0.1), until: at(ahead, 0.9)},
	});
}

/** The first pass at or after some instant within an interval. */
function firstPassIn({phase, period}: Collector, {lo, hi}: Interval): Interval {
	if (!phase) return {lo, hi: hi + period.hi};
	const numberBefore = (instant: Instant) => Math.floor((instant - phase.begins.hi) / period.hi) - 1;
	let first = numberBefore(lo);
	while (passOf(phase, first).hi < lo) first += 1;
	let last = numberBefore(hi);
	while (passOf(phase, last).lo < hi) last += 1;
	return {lo: Math.max(lo, passOf(phase, first).lo), hi: passOf(phase, last).hi};
}

/** A pass, counted from the one of the phase; the farther away it is, the less certain is its time. */
const passOf = ({begins, period}: PassPhase, number: number): Interval => ({
	lo: begins.lo + number * (number < 0 ? period.hi : period.lo),
	hi: begins.hi + number * (number < 0 ? period.lo : period.hi),
});

/** When the pod garbage collector deletes the pods of a deleted node. */
export type PodCollection = {
	readonly range: Interval;
	/** Whether it certainly does. */
	readonly isSure: boolean;
};

/** The time for two checks and their calls, beyond their periods. */
const lookTime: Duration = second;

/**
 * The first check that misses the node starts its quarantine, the check after its end deletes; controllers that stop
 * meanwhile forget it.
 *
 * @param isControlled whether controllers run at the beginning
 * @param busyFor how long the collector needs for all that it has to delete
 */
export function collectionOf(
	goneAt: Instant,
	changes: readonly Change[],
	isControlled: boolean,
	busyFor: Duration,
): PodCollection | undefined {
	let begin: Instant | undefined = isControlled ? goneAt : undefined;
	let mayBeBefore: Interval | undefined;
	const rangeFrom = (at: Instant) => ({
		lo: at + quarantineTime,
		hi: at + quarantineTime + 2 * gcCheckPeriod + lookTime + busyFor,
	});
	for (const {at, type} of changes) {
		if (type !== 'controllersDown' && type !== 'controllersStart') continue;
		if (begin !== undefined && at > goneAt) {
			const range = rangeFrom(begin);
			if (at > range.hi) break;
			if (at > range.lo) mayBeBefore ??= range;
		}
		begin = type === 'controllersStart' ? Math.max(at, goneAt) : at <= goneAt || begin ? undefined : begin;
	}
	if (begin === undefined) return mayBeBefore && {range: mayBeBefore, isSure: false};
	const last = rangeFrom(begin);
	return {range: {lo: mayBeBefore?.lo ?? last.lo, hi: last.hi}, isSure: true};
}
