import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {type Interval, intersect, shift, width} from '../observe/interval.ts';

/** A sign of a monitor pass: something that only a pass does. */
export type PassSign = {
	/** When it was done. The pass began then or before. */
	readonly at: Interval;
	/** How many calls the pass has to make for it. */
	readonly calls: number;
	/** Whether a pass begins with it: none of those calls came before. */
	readonly isFirst?: boolean;
	readonly source: string;
};

/** A pass that showed: when it began, and how much longer than usual it took for its calls. */
type Pass = {readonly began: Interval; readonly extraWork: Duration; readonly source: string};

/** The limits of the controller's own client; zero calls per second for none. */
type ClientLimits = Pick<ControllerSettings, 'kubeApiQps' | 'kubeApiBurst'>;

/** What is known of the rhythm of the controller's monitor passes. */
export type PassPhase = {
	/** A pass begins somewhere in here; the one after `now`, or the last one where it lies before `now`. */
	readonly next: Interval;
	/** From one pass to the next, when it has nothing to write. */
	readonly period: Interval;
	/** What the phase is known from. */
	readonly source: string;
};

/** How long a pass takes over healthy nodes, measured: 2 ms for 9 nodes, 18 ms for 1,000, 120 ms for 5,000. */
export function passDuration(nodes: number): Interval {
	return {lo: 0.2, hi: 2 * (2 + 0.024 * nodes)};
}

/**
 * Works out when the next pass begins: every sign is carried to the present, its range growing with each pass on the
 * way, and all ranges must overlap.
 */
export function passPhase(
	signs: readonly PassSign[],
	settings: ClientLimits & Pick<ControllerSettings, 'nodeMonitorPeriod'>,
	duration: Interval,
	now: Instant,
): PassPhase {
	const {nodeMonitorPeriod} = settings;
	const period = shift(duration, nodeMonitorPeriod);
	const passes = passesOf(
		signs.filter(({at}) => at.lo <= now),
		nodeMonitorPeriod,
		settings,
	);
	const carried = passes
		.map((pass) => ({next: carry(pass, passes, period, now), source: pass.source}))
		.filter(({next}) => width(next) < nodeMonitorPeriod)
		.toSorted((a, b) => width(a.next) - width(b.next));
	const [best, ...others] = carried;
	if (!best) {
		return {
			next: {lo: now, hi: now + period.hi},
			period,
			source: 'nothing shows when the controller last looked',
		};
	}
	// Where the period itself is not known, nothing tells how many passes lie between two signs.
	const agreeing = width(period) < second ? others : [];
	const next = agreeing.reduce(
		(range, other) => intersect(range, nearest(other.next, range, nodeMonitorPeriod)) ?? range,
		best.next,
	);
	return {next, period, source: best.source};
}

/** Until when the last pass was at work that lasted so long that it may have tainted nodes in its course, of those that showed. */
export function lastLongPass(
	signs: readonly PassSign[],
	settings: ClientLimits & Pick<ControllerSettings, 'nodeMonitorPeriod'>,
): Instant {
	const {nodeMonitorPeriod} = settings;
	const ends = passesOf(signs, nodeMonitorPeriod, settings)
		.filter(({extraWork}) => extraWork > nodeMonitorPeriod / 2)
		.map(({began, extraWork}) => began.hi + extraWork);
	return ends.reduce((last, end) => Math.max(last, end), Number.NEGATIVE_INFINITY);
}

/** What a call takes at the most where nothing throttles it. */
const callDuration: Duration = 20;

/**
 * Joins the signs of one pass. Where throttling makes it last, its signs come one after another: only the first tells
 * when it began.
 */
function passesOf(
	signs: readonly PassSign[],
	pause: Duration,
	{kubeApiQps, kubeApiBurst}: ClientLimits,
): readonly Pass[] {
	const inLine = kubeApiQps > 0 ? (monitorWorkers / kubeApiQps) * second : 0;
	const passes: {first: PassSign; calls: number; lastAt: Instant; began: Interval; signs: number}[] = [];
	for (const sign of signs.toSorted((a, b) => a.at.lo - b.at.lo)) {
		const pass = passes.at(-1);
		const mayLast =
			pass && kubeApiQps > 0 && pass.calls > kubeApiBurst ? (pass.calls / kubeApiQps) * second : 0;
		if (pass && sign.at.lo - pass.lastAt < pause / 2 + mayLast) {
			pass.calls += sign.calls;
			pass.lastAt = sign.at.lo;
			// One that is not so near may be of the pass after it.
			if (sign.at.lo - pass.first.at.lo < pause / 2)
				pass.began = narrowed(pass.began, sign, ++pass.signs, inLine);
		} else {
			const began = {lo: earliest(sign), hi: sign.at.hi};
			passes.push({first: sign, calls: sign.calls, lastAt: sign.at.lo, began, signs: 1});
		}
	}
	return passes.map(({first, calls, began}) => {
		const throttled = kubeApiQps > 0 ? (Math.max(0, calls - kubeApiBurst) / kubeApiQps) * second : 0;
		return {began, extraWork: calls * callDuration + throttled, source: first.source};
	});
}

/** A pass began before all that it did; and what its workers do first, all do at once. */
function narrowed(began: Interval, sign: PassSign, signs: number, inLine: Duration): Interval {
	const lo = signs <= monitorWorkers ? earliest(sign) - inLine : began.lo;
	return intersect(began, {lo, hi: sign.at.hi}) ?? began;
}

const earliest = ({at, calls, isFirst}: PassSign): Instant => at.lo - (isFirst ? 0 : calls * callDuration);

function carry({began}: Pass, all: readonly Pass[], period: Interval, now: Instant): Interval {
	const passes = Math.max(0, Math.floor((now - began.hi) / period.hi) + 1);
	const work = all.reduce((sum, pass) => sum + (pass.began.hi >= began.lo ? pass.extraWork : 0), 0);
	return {
		lo: began.lo + passes * period.lo,
		hi: began.hi + passes * period.hi + (passes > 0 ? work : 0),
	};
}

/** Moves a range by whole periods so that it comes as near to another one as it can. */
function nearest(range: Interval, to: Interval, period: Duration): Interval {
	const distance = (to.lo + to.hi - range.lo - range.hi) / 2;
	return shift(range, Math.round(distance / period) * period);
}
