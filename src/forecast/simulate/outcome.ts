import {isNodeLifecycleTaint} from '../../core/model/taint.ts';
import type {Instant} from '../../core/time/instant.ts';
import {isSyntheticTaint} from './syntheticTaint.ts';
import type {TaintMoment, Trajectory} from './trajectory.ts';

/** What a trajectory does to the nodes, each thing for itself. */
export type Outcome = Pick<
	Trajectory,
	'queued' | 'due' | 'waiting' | 'tokens' | 'passStarts' | 'isPassing' | 'endsAt'
> & {
	/** When each node first turns Unknown. */
	readonly unknown: ReadonlyMap<string, Instant>;
	/** When each node's Ready condition first turns True. */
	readonly ready: ReadonlyMap<string, Instant>;
	/**
	 * From when to when each node has a NoExecute taint of the controller's; without taints, from when its pods are
	 * deleted until it is ready again.
	 */
	readonly spells: ReadonlyMap<string, readonly Spell[]>;
};

/** A time with a NoExecute taint of the controller's: one swapped for the other does not end it. */
export type Spell = {readonly from: Instant; readonly to: Instant | undefined};

/** What a trajectory does up to its end, without the tokens that come after it. */
export function outcomeOf(trajectory: Trajectory): Outcome {
	const unknown = new Map<string, Instant>();
	const ready = new Map<string, Instant>();
	const spells = new Map<string, readonly Spell[]>();
	for (const [name, {readiness, taints}] of trajectory.nodes) {
		const turned = readiness.find(({isUnknown}) => isUnknown)?.at;
		if (turned !== undefined) unknown.set(name, turned);
		const back = readiness.find(({isReady}) => isReady)?.at;
		if (back !== undefined) ready.set(name, back);
		const ofNode = spellsIn(taints);
		if (ofNode.length > 0) spells.set(name, ofNode);
	}
	const {queued, due, waiting, tokens, passStarts, isPassing, endsAt} = trajectory;
	return {queued, due, waiting, tokens, passStarts, isPassing, endsAt, unknown, ready, spells};
}

function spellsIn(moments: readonly TaintMoment[]): readonly Spell[] {
	const spells: Spell[] = [];
	for (const [index, {at, taints, isAfterEnd}] of moments.entries()) {
		if (isAfterEnd) continue;
		const last = spells.at(-1);
		const isOn = last !== undefined && last.to === undefined;
		const isOwn = taints.some((taint) => isNodeLifecycleTaint(taint) || isSyntheticTaint(taint));
		if (isOwn && !isOn) spells.push({from: index === 0 ? Number.NEGATIVE_INFINITY : at, to: undefined});
		if (!isOwn && isOn) spells[spells.length - 1] = {...last, to: at};
	}
	return spells;
}
