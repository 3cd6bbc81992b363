import type {Duration} from '../../core/time/instant.ts';
import type {Interval} from '../observe/interval.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Run} from '../simulate/run.ts';
import type {Spell} from '../simulate/trajectory.ts';
import {type Merged, merge, mergeInstants} from './merge.ts';

/** Joins one node's NoExecute taints over all runs. */
export function mergeTaint(runs: readonly Run[], node: string, slack: Duration): Merged {
	return merge(
		runs.map(({tainted}) => tainted.get(node)),
		slack,
		runs,
	);
}

/** The runs that agree with a node's taint: those in which the present controllers may have added it, if they did. */
export function runsFor({taintedAt}: NodeEvidence, runs: readonly Run[], started: Interval): readonly Run[] {
	const isTheirs = taintedAt !== undefined && taintedAt.lo >= started.lo;
	return isTheirs ? runs.filter(({isInFirstPass}) => !isInFirstPass) : runs;
}

/**
 * Joins the instants at which a node loses its present NoExecute taint over all runs.
 *
 * @param started when the controllers that run now started: their first pass removes taints that others added
 */
export function mergeCleared(
	runs: readonly Run[],
	slack: Duration,
	one: NodeEvidence,
	started: Interval,
): Merged {
	const agreeing = runsFor(one, runs, started);
	return mergeInstants(
		agreeing.map(({outcome}) => clearedAt(outcome.spells.get(one.node.name))),
		slack,
		agreeing,
	);
}

const clearedAt = (spells: readonly Spell[] | undefined) =>
	spells?.find(({from}) => !Number.isFinite(from))?.to;
