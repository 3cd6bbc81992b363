import {ascending} from '../../../core/collections/ascending.ts';
import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import type {Duration, Instant} from '../../../core/time/instant.ts';
import {type Interval, intersect} from '../interval.ts';
import {type ClientLimits, callDuration, perCall, throttleWait} from '../latencies.ts';
import type {PassObservation} from './passObservations.ts';

/** What decides how long a pass takes for its nodes. */
export type PassLimits = ClientLimits & Pick<ControllerSettings, 'monitorWorkers' | 'nodeMonitorPeriod'>;

/** A pass that was seen: when it began, and how much its calls extended it. */
export type Pass = Readonly<{
	began: Interval;
	extraWork: Duration;
	source: string;
	/** From its first observation to its last. */
	observed: Interval;
	/** Its last write: that which was seen, and by when it has written what its workers have last begun. */
	lastWrite: Interval;
	/** The nodes that it turned Unknown, or whose taints it removed. */
	nodes: ReadonlySet<string>;
}>;

/**
 * Groups observations by pass. Those of a throttled pass are spread over time: only the first shows when it began.
 */
export function groupIntoPasses(
	observations: readonly PassObservation[],
	limits: PassLimits,
): readonly Pass[] {
	const {monitorWorkers, nodeMonitorPeriod: pause} = limits;
	const inLine = monitorWorkers * perCall(limits);
	const passes: GrowingPass[] = [];
	for (const observation of observations.toSorted(ascending(({at}) => at.lo))) {
		const pass = passes.at(-1);
		// While the marks for one of its nodes are seen, a pass is never silent for long: its workers take turns.
		const isSeen = pass?.latest.some(({callsUnseen}) => callsUnseen !== undefined);
		const silence = isSeen ? inLine : pass ? workLeft(pass, limits) : 0;
		if (pass && observation.at.lo - pass.wroteAt < pause / 2 + silence) {
			pass.calls += observation.calls;
			pass.latest = [...pass.latest, observation].slice(-monitorWorkers);
			pass.lastAt = observation.at.lo;
			pass.wroteAt = Math.max(pass.wroteAt, wroteAt(observation));
			pass.nodes.add(observation.node ?? '');
			// A later observation may belong to the next pass.
			if (observation.at.lo - pass.first.at.lo < pause / 2)
				pass.began = laterBeginning(pass.began, observation, ++pass.observations <= monitorWorkers, inLine);
		} else {
			passes.push({
				first: observation,
				calls: observation.calls,
				latest: [observation],
				lastAt: observation.at.lo,
				wroteAt: wroteAt(observation),
				began: {lo: earliest(observation), hi: observation.at.hi},
				observations: 1,
				nodes: new Set([observation.node ?? '']),
			});
		}
	}
	return passes.map((pass) => {
		const {first, calls, began, lastAt, nodes} = pass;
		const observed = {lo: first.at.lo, hi: lastAt};
		const work = Math.max(workLeft(pass, limits), callsLeft(pass) * callDuration.hi);
		const lastWrite = {lo: pass.wroteAt, hi: pass.wroteAt + work};
		// The client may have been busy before.
		const least = calls * callDuration.hi + throttleWait(calls, limits);
		const extraWork = Math.max(least, lastWrite.lo - began.lo);
		return {began, extraWork, source: first.source, observed, lastWrite, nodes};
	});
}

type GrowingPass = {
	readonly first: PassObservation;
	readonly nodes: Set<string>;
	/** What its workers have last begun. */
	latest: readonly PassObservation[];
	calls: number;
	lastAt: Instant;
	wroteAt: Instant;
	began: Interval;
	observations: number;
};

const wroteAt = ({at, wroteUntil}: PassObservation): Instant => wroteUntil ?? at.lo;

/** The calls that a pass may still make for what its workers have last begun: they were not seen. */
const callsLeft = ({latest}: GrowingPass): number =>
	latest.reduce((sum, {calls, callsUnseen = calls}) => sum + callsUnseen, 0);

/** How long these wait for the client of a throttled pass. */
const workLeft = (pass: GrowingPass, limits: ClientLimits): Duration =>
	pass.calls > limits.kubeApiBurst ? callsLeft(pass) * perCall(limits) : 0;

/** Narrows when a pass began: before all that it did. Its workers take their first nodes at once, so these date it best. */
function laterBeginning(
	began: Interval,
	observation: PassObservation,
	isFirstOfWorker: boolean,
	inLine: Duration,
): Interval {
	const lo = isFirstOfWorker ? earliest(observation) - inLine : began.lo;
	return intersect(began, {lo, hi: observation.at.hi}) ?? began;
}

const earliest = ({at, calls, isFirst}: PassObservation): Instant =>
	at.lo - (isFirst ? 0 : calls * callDuration.hi);
