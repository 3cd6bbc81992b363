import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {beginningOfTime, type Instant, never} from '../../core/time/instant.ts';
import {passAfter, passesBefore} from '../infer/passSchedule.ts';
import type {Interval} from '../observe/interval.ts';
import type {OrderedWait} from './chance.ts';
import type {PassRun} from './passRun.ts';
import {lastTaint} from './trajectory.ts';

/** What the runs have in common that try one instant for the next pass. */
type SamePhaseFindings = {
	/** Without taints, when the time of each node is over. */
	readonly dues: ReadonlyMap<string, Interval>;
	/** How many passes come before each node turns Unknown: the fewest and the most. */
	readonly turnPasses: ReadonlyMap<string, Interval>;
};

/** The nodes that wait for a taint in a run, each with its zone and from when on. */
export function waitsOf(
	run: PassRun,
	samePhase: SamePhaseFindings,
): readonly (OrderedWait & {readonly zone: string})[] {
	const {trajectory, schedule, outcome, unreached} = run;
	const {affected, now} = run.state;
	const waiting = new Set([...unreached, ...[...trajectory.waiting.values()].flat()]);
	// In as early a pass as in any of the runs.
	const mayJoinAt = (node: string): Instant => {
		const [turnsAt, firstPass] = [run.unknown.get(node)?.lo, samePhase.turnPasses.get(node)?.lo];
		if (turnsAt === undefined || firstPass === undefined) return now;
		return firstPass < passesBefore(turnsAt, schedule) ? passAfter(firstPass, schedule) : turnsAt;
	};
	return affected.nodes.flatMap(({node}) => {
		const {name} = node;
		const taintedAt = lastTaint(outcome, name, now);
		if (taintedAt === undefined && !waiting.has(name)) return [];
		const again = queuedAgainAt(name, run);
		const time = samePhase.dues.get(name);
		// One that is not ready waits already, though it may still turn Unknown: its taint is swapped then.
		const joinedAt = again ?? Math.max(isReadyNode(node) ? mayJoinAt(name) : now, time?.lo ?? now);
		const due = (again === undefined ? time : undefined) ?? {lo: joinedAt, hi: never};
		return [{node: name, zone: zoneKey(node), joinedAt, taintedAt, due}];
	});
}

/** Without taints, a node that was evicted before waits once more when all zones are down: at the end at the latest. */
function queuedAgainAt(node: string, {trajectory: {queued, endsAt}, outcome}: PassRun): Instant | undefined {
	const [first] = outcome.spells.get(node) ?? [];
	const wasEvicted = first?.from === beginningOfTime && first.to === undefined;
	return wasEvicted && !queued.has(node) ? endsAt : undefined;
}
