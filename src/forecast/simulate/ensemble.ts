import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import type {Instant} from '../../core/time/instant.ts';
import {lastAllDown} from '../infer/adoptedZones.ts';
import {findHiddenStates} from '../infer/hiddenStates.ts';
import type {InferredPasses} from '../infer/inferred.ts';
import {lastPass, type PassSchedule, passAfter, passesBefore} from '../infer/passSchedule.ts';
import type {SettingsSpan} from '../infer/settingsSpan.ts';
import {zonesAt} from '../infer/zonePast.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {Evidence} from '../observe/evidence.ts';
import type {Interval} from '../observe/interval.ts';
import {isSilent, mayLive} from '../observe/nodes/nodeLiveness.ts';
import type {Pausable} from '../pausable.ts';
import {briefTaints} from './briefTaints.ts';
import {taintRanges, unknownRanges} from './chance.ts';
import {horizonOf} from './horizon.ts';
import {type Outcome, outcomeOf} from './outcome.ts';
import type {Run, SlowedState} from './passRun.ts';
import {runTrajectory, type Supposed} from './runTrajectory.ts';
import {isThroughLongPass} from './slowedZone.ts';
import {taintUncertaintyOf} from './taintUncertainty.ts';
import {type OrderedWait, rangesInTurn} from './turnOrder.ts';

/** The outcomes of several hidden states that agree with the evidence, each with the ranges that chance leaves in it. */
export type Ensemble = {
	readonly runs: readonly Run[];
	readonly passes: InferredPasses;
};

/** A hidden state, and what it led to. */
type Tried = {readonly outcome: Outcome; readonly schedule: PassSchedule};

/** Runs the machine ahead from hidden states spread over all that the evidence allows. */
export function* runEnsemble(
	evidence: Evidence,
	affected: AffectedNodes,
	span: SettingsSpan,
	now: Instant,
): Pausable<Ensemble> {
	const states = yield* findHiddenStates(evidence, affected, span, now);
	const {hypotheses, passes} = states;
	const timeout = span.early.taintBasedEvictions ? 0 : span.late.podEvictionTimeout;
	const supposed: Supposed = {
		...{affected, states, changes: []},
		horizon: horizonOf(affected.nodes.length) + timeout,
		// Whether controllers run is judged apart: here it is told what they would do.
		situation: {now, settings: span.early, leader: {type: 'unseen'}},
	};
	const zones = zonesAt(now, affected, span.early);
	const inferred: SlowedState = {passes, evidence, affected, zones, settings: span.early, now};
	const runs: Run[] = [];
	for (const ofPassQuantile of Map.groupBy(hypotheses, ({passQuantile}) => passQuantile).values()) {
		const led: Tried[] = [];
		for (const hypothesis of ofPassQuantile) {
			const trajectory = yield* runTrajectory(hypothesis, 0, supposed);
			led.push({...hypothesis, outcome: outcomeOf(trajectory)});
		}
		runs.push(...withChance(led, inferred));
		yield;
	}
	return {runs, passes};
}

/**
 * Adds what chance may do to the outcomes of one instant of the next pass. They differ in where each other unknown lies,
 * for all nodes together: each for itself may join its zone's queue in as early a pass as in any of them.
 */
function withChance(tried: readonly Tried[], inferred: SlowedState): readonly Run[] {
	const {affected, settings, now} = inferred;
	const turned = tried.map(({outcome, schedule}) => {
		const left = outcome.isPassing ? notReached(outcome, affected, now) : [];
		return {outcome, schedule, left, unknown: unknownRanges({...outcome, times: outcome.unknown, left})};
	});
	const firstPasses = new Map<string, number>();
	for (const {schedule, unknown} of turned) {
		for (const [node, {lo}] of unknown)
			firstPasses.set(
				node,
				Math.min(passesBefore(lo, schedule), firstPasses.get(node) ?? Number.POSITIVE_INFINITY),
			);
	}
	const dues = duesOf(tried);
	const inTurn = isFirstComeFirstServed(affected, settings, tried);
	return turned.map((run) => {
		const {outcome, schedule, left, unknown} = run;
		const mayJoinAt = (node: string) => {
			const [turnsAt, firstPass] = [unknown.get(node)?.lo, firstPasses.get(node)];
			if (turnsAt === undefined || firstPass === undefined) return now;
			return firstPass < passesBefore(turnsAt, schedule) ? passAfter(firstPass, schedule) : turnsAt;
		};
		const waiting = new Set([...left, ...[...outcome.waiting.values()].flat()]);
		const waits = affected.nodes.flatMap(({node}): readonly (OrderedWait & {zone: string})[] => {
			const zone = zoneKey(node);
			const taintedAt = lastTaint(outcome, node.name, now);
			if (taintedAt === undefined && !waiting.has(node.name)) return [];
			// One that is not ready waits already, though it may still turn Unknown: its taint is swapped then.
			const isReady = isReadyNode(node);
			const joinedAt = Math.max(isReady ? mayJoinAt(node.name) : now, dues.get(node.name)?.lo ?? now);
			const due = dues.get(node.name) ?? {lo: joinedAt, hi: Number.POSITIVE_INFINITY};
			return [{node: node.name, zone, joinedAt, taintedAt, due}];
		});
		const ranges = [...Map.groupBy(waits, ({zone}) => zone)].flatMap(([zone, ofZone]) => {
			const later = outcome.tokens.get(zone);
			if (!settings.taintBasedEvictions)
				return [...(inTurn ? rangesInTurn(ofZone, later, schedule.period) : taintRanges(ofZone, later))];
			const byChance = taintRanges(ofZone, later);
			if (!isThroughLongPass(run, inferred)) return [...byChance];
			const uncertainty = taintUncertaintyOf(zone, run, inferred);
			return [...byChance].map(([node, {lo, hi}]) => [node, uncertainty.widen({lo, hi})] as const);
		});
		return {
			outcome,
			left,
			unknown,
			tainted: new Map(ranges),
			brief: briefTaints(outcome, affected, settings),
			isBeforeFirstPass: lastPass(schedule) === undefined,
		};
	});
}

/** Without taints, when the time of each node is over. */
function duesOf(tried: readonly Tried[]): ReadonlyMap<string, Interval> {
	const dues = new Map<string, Interval>();
	for (const {outcome} of tried) {
		for (const [node, due] of outcome.due) {
			const {lo, hi} = dues.get(node) ?? {lo: due, hi: due};
			dues.set(node, {lo: Math.min(lo, due), hi: Math.max(hi, due)});
		}
	}
	return dues;
}

/**
 * Whether those that wait have their turns in the order in which their times ended. Not where one may leave the queue,
 * nor after a time in which every zone was down: all were queued anew when that began.
 */
function isFirstComeFirstServed(
	affected: AffectedNodes,
	settings: ControllerSettings,
	tried: readonly Tried[],
): boolean {
	if (settings.taintBasedEvictions || tried.some(({outcome}) => outcome.ready.size > 0)) return false;
	return tried.every(({schedule}) => {
		const last = lastPass(schedule);
		return (
			last !== undefined &&
			lastAllDown(zonesAt(last, affected, settings), affected, settings) === Number.NEGATIVE_INFINITY
		);
	});
}

/** When a node got the taint that it has at the end of a run, where that is to come. */
function lastTaint({spells}: Outcome, node: string, now: Instant): Instant | undefined {
	const last = spells.get(node)?.at(-1);
	return last && last.to === undefined && last.from >= now ? last.from : undefined;
}

/** The silent nodes that a pass has not come to when the run ends. */
function notReached({unknown}: Outcome, affected: AffectedNodes, now: Instant): readonly string[] {
	return affected.nodes
		.filter(
			(one) =>
				isSilent(one, now) && !mayLive(one, now) && isReadyNode(one.node) && !unknown.has(one.node.name),
		)
		.map(({node}) => node.name);
}
