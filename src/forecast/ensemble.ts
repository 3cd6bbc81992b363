import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {type Node, nodeCondition} from '../core/model/node.ts';
import {podKey} from '../core/model/pod.ts';
import {zoneKey} from '../core/model/zone.ts';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';
import {taintRanges, type Wait} from './chance.ts';
import type {Evidence} from './evidence.ts';
import {type Hypothesis, isConsistent, machineFor} from './hypothesis.ts';
import {at, type Interval, width} from './interval.ts';
import {type Outcome, runAhead} from './outcome.ts';
import {type PassPhase, passDuration, passPhase} from './passPhase.ts';
import type {Rhythm} from './rhythm.ts';
import {isSilent, type Suspects} from './suspects.ts';

/** The outcomes of several hidden states that agree with the evidence, each with the play that chance has in it. */
export type Ensemble = {
	readonly runs: readonly Run[];
	readonly phase: PassPhase;
	/** The rhythm in the middle of those that were tried. */
	readonly rhythm: Rhythm;
	/** How far apart the tried instants of the next pass lie: what happens between two of them is not tried. */
	readonly gap: Duration;
};

/** One outcome, and the ranges that chance leaves in it. */
export type Run = {
	readonly outcome: Outcome;
	/** When each node gets its NoExecute taint, whatever the order. */
	readonly taints: ReadonlyMap<string, Interval>;
	readonly deletions: ReadonlyMap<string, Interval>;
};

const horizon: Duration = 15 * minute;
const widestGap: Duration = second / 5;
const mostPhases = 12;

/** Runs the machine ahead from hidden states spread over all that the evidence allows. */
export function runEnsemble(
	evidence: Evidence,
	suspects: Suspects,
	settings: ControllerSettings,
	now: Instant,
): Ensemble {
	const phase = passPhase(
		evidence.passSigns,
		settings.nodeMonitorPeriod,
		passDuration(evidence.nodes.size),
		now,
	);
	const waits = suspects.nodes.some((one) => isUndecided(one.node, isSilent(one, now)));
	const phases = waits ? Math.min(mostPhases, Math.ceil(width(phase.next) / widestGap) + 1) : 1;
	const candidates = hypotheses(phase, phases, evidence, settings, now);
	const consistent = candidates.filter((hypothesis) => isConsistent(hypothesis, suspects, settings));
	const runs = (consistent.length > 0 ? consistent : candidates).map((hypothesis) => {
		const machine = machineFor(hypothesis, evidence, suspects, settings, now);
		return withChance(runAhead(machine, settings, horizon), evidence, suspects, settings, now);
	});
	const rhythm = candidates[Math.floor(candidates.length / 2)]?.rhythm ?? {
		nextPass: now,
		period: settings.nodeMonitorPeriod,
		firstPass: Number.NEGATIVE_INFINITY,
	};
	return {runs, phase, rhythm, gap: phases > 1 ? width(phase.next) / (phases - 1) : 0};
}

/** Whether passes that are still to come decide anything about a node. */
const isUndecided = (node: Node, silent: boolean) =>
	silent || nodeCondition(node, 'Ready')?.status !== 'True' || node.taints.length > 0;

function hypotheses(
	phase: PassPhase,
	phases: number,
	evidence: Evidence,
	settings: ControllerSettings,
	now: Instant,
): readonly Hypothesis[] {
	// A hair early: whether the first pass is over must not hang on rounding.
	const firstPass = evidence.controllersStarted.lo + settings.firstPassAfter - widestGap;
	const shares = [0, 1];
	return Array.from({length: phases}, (_, index) => (phases > 1 ? index / (phases - 1) : 0.5)).flatMap(
		(position) =>
			shares.map((share): Hypothesis => {
				const period = at(phase.period, share);
				const begins = at(phase.next, position);
				return {
					rhythm: {nextPass: begins > now ? begins : begins + period, period, firstPass},
					share,
					seed: 1,
				};
			}),
	);
}

function withChance(
	outcome: Outcome,
	evidence: Evidence,
	suspects: Suspects,
	settings: ControllerSettings,
	now: Instant,
): Run {
	const zoneOf = new Map(suspects.nodes.map(({node}) => [node.name, zoneKey(node)]));
	const waiting = new Set([...outcome.waiting.values()].flat());
	const names = [...zoneOf.keys()].filter((name) => outcome.noExecute.has(name) || waiting.has(name));
	const waits = names.map((node): Wait & {zone: string} => ({
		node,
		zone: zoneOf.get(node) ?? '',
		joinedAt: outcome.unknown.get(node) ?? now,
		taintedAt: outcome.noExecute.get(node),
	}));
	const ranges = [...Map.groupBy(waits, ({zone}) => zone)].flatMap(([zone, ofZone]) => [
		...taintRanges(ofZone, outcome.rates.get(zone) ?? 0, outcome.endsAt),
	]);
	void settings;
	const taints = new Map(ranges);
	return {outcome, taints, deletions: deletionRanges(outcome, taints, evidence)};
}

/** A pod goes so much earlier or later as its node's taint may come. */
function deletionRanges(
	outcome: Outcome,
	taints: ReadonlyMap<string, Interval>,
	evidence: Evidence,
): ReadonlyMap<string, Interval> {
	const ranges = new Map<string, Interval>();
	for (const [key, deletedAt] of outcome.deletions) {
		const node = evidence.pods.get(key)?.nodeName ?? '';
		const [taintedAt, range] = [outcome.noExecute.get(node), taints.get(node)];
		const follows = range && taintedAt !== undefined && taintedAt <= deletedAt;
		ranges.set(
			key,
			follows
				? {lo: deletedAt - taintedAt + range.lo, hi: deletedAt - taintedAt + range.hi}
				: {lo: deletedAt, hi: deletedAt},
		);
	}
	return ranges;
}
void podKey;
