import {ascending} from '../../core/collections/ascending.ts';
import type {Taint} from '../../core/model/taint.ts';
import {beginningOfTime, type Duration, type Instant, never} from '../../core/time/instant.ts';
import {clockTolerance, latency} from '../observe/latencies.ts';
import type {BriefTaint} from './briefTaints.ts';
import type {Occurrence} from './occurrence.ts';
import type {TaintBounds} from './taintBounds.ts';
import {isOwn, type NodeTrajectory, type Spell, type TaintMoment} from './trajectory.ts';

/** A node in one run, and the ranges that random order leaves open. */
type NodeInRun = Readonly<{
	trajectory: NodeTrajectory;
	spells: readonly Spell[];
	/** When it gets the taint that it has at the end; undefined if that is not to come, or there is none. */
	tainted: Occurrence | undefined;
	/** The future taints that are removed again. */
	brief: readonly BriefTaint[];
	/** The distance of the tried instants of the next pass, and how much of it applies to taints. */
	phaseSpacing: Duration;
	spacingOfTaints: Duration;
	/** The taint that it gets when its eviction starts. */
	own: Taint;
}>;

/** The bounds of a node in a zone without changes: which waiting node takes which token is random. */
export function taintBoundsByChance(node: NodeInRun): readonly TaintBounds[] {
	const {tainted, spacingOfTaints, brief} = node;
	const begins = [
		beginning(node, node.phaseSpacing + latency),
		beginning(node, -node.phaseSpacing - clockTolerance - latency),
	];
	const sure = brief.filter(({isChance}) => !isChance);
	const [first, last] = [tainted?.lo ?? never, tainted?.hi ?? never];
	const soon = sequence(node, begins[0] ?? [], sure, first, -spacingOfTaints);
	const late = sequence(node, begins[1] ?? [], sure, last, spacingOfTaints);
	const chances = longerAndLonger(brief.filter(({isChance}) => isChance)).map((one): TaintBounds => {
		const others = sure.filter(({to}) => to < one.from);
		return {
			early: sequence(node, begins[0] ?? [], [...others, one], Math.max(first, one.to), -spacingOfTaints),
			late,
		};
	});
	const {until, chance = 1, places} = tainted ?? {};
	const mostly = until !== undefined && {
		mostly: {chance, late: sequence(node, begins[1] ?? [], sure, until, spacingOfTaints)},
	};
	return [{early: soon, late, ...mostly, ...(places && {places})}, ...chances];
}

/** The taint that a node has now, and when it is removed. */
function beginning({trajectory, spells}: NodeInRun, shift: Duration): readonly TaintMoment[] {
	const first = trajectory.taints.slice(0, 1);
	const to = spells[0]?.from === beginningOfTime ? spells[0].to : undefined;
	if (to === undefined) return first;
	return [...first, {at: to + shift, taints: othersOf(trajectory), isExact: false}];
}

/** A node's taints in order, each moved by as much as it may be off. */
function sequence(
	node: NodeInRun,
	begin: readonly TaintMoment[],
	brief: readonly BriefTaint[],
	lastFrom: Instant,
	shift: Duration,
): readonly TaintMoment[] {
	const moments = brief.flatMap(({from, to}): readonly TaintMoment[] => [
		{at: from + shift, taints: taintsAt(node, from), isExact: false},
		{at: to + shift, taints: othersOf(node.trajectory), isExact: false},
	]);
	const last = Number.isFinite(lastFrom)
		? lastTaints(node, lastFrom, shift)
		: swapsAfter(beginningOfTime, node, shift);
	const follows = [...moments, ...last];
	// A late removal happens at the latest when the next taint is added.
	const next = follows[0]?.at ?? never;
	return [
		...begin.map((moment, index) => (index > 0 && moment.at > next ? {...moment, at: next} : moment)),
		...follows,
	];
}

/** The taint that stays, from when it is added; it may be swapped for another later. */
function lastTaints(node: NodeInRun, from: Instant, shift: Duration): readonly TaintMoment[] {
	const at = from + shift;
	return [{at, taints: taintsAt(node, from), isExact: false}, ...swapsAfter(at, node, 0)];
}

/** The swaps of the taint that stays, or is there from the beginning. */
function swapsAfter(
	after: Instant,
	{spells, trajectory}: NodeInRun,
	shift: Duration,
): readonly TaintMoment[] {
	const {from, to} = spells.at(-1) ?? {from: never};
	if (to !== undefined) return [];
	return trajectory.taints
		.slice(1)
		.filter(({at, isAfterEnd}) => !isAfterEnd && at > Math.max(from, after))
		.map((moment) => ({...moment, at: moment.at + shift}));
}

/** A node's taints once it gets one, as the run has them at that time, or when it next gets one. */
function taintsAt({trajectory, own}: NodeInRun, at: Instant): readonly Taint[] {
	const given = trajectory.taints.filter(({taints}, index) => index > 0 && taints.some(isOwn));
	const moment = given.findLast((one) => one.at <= at) ?? given[0];
	return moment?.taints ?? [...othersOf(trajectory), own];
}

const othersOf = ({taints}: NodeTrajectory): readonly Taint[] =>
	taints[0]?.taints.filter((taint) => !isOwn(taint)) ?? [];

/** Only a taint that lasts longer than all before it deletes pods that none of those would have deleted sooner. */
function longerAndLonger(brief: readonly BriefTaint[]): readonly BriefTaint[] {
	let longest = 0;
	return brief.toSorted(ascending(({from}) => from)).filter(({from, to}) => {
		if (to - from <= longest) return false;
		longest = to - from;
		return true;
	});
}
