import type {Pod} from '../../core/model/pod.ts';
import {taintOutOfService} from '../../core/model/taint.ts';
import {type Ending, firstAtTop, forcedAfter, ownEndings} from '../conclude/endings.ts';
import type {PodOutcome} from '../conclude/podOutcomes.ts';
import {Range} from '../range.ts';
import type {Change} from '../simulate/change.ts';
import type {NodeEnd} from './nodeEnd.ts';

/** Everything that ends a pod by itself, as it is and as it would be, the soonest first. */
export type EndingsChange = {readonly before: readonly Ending[]; readonly after: readonly Ending[]};

/** The state of a node after changes, and whether it was ready at the beginning. */
export type NodeThen = {readonly end: NodeEnd; readonly wasReady: boolean};

/**
 * What ends a pod by itself after the changes.
 *
 * @param unmoved what ends it besides pod garbage collection, if the changes do not affect that
 */
export function endingsThen(
	outcome: PodOutcome,
	unmoved: readonly Ending[] | undefined,
	{end, wasReady}: NodeThen,
): readonly Ending[] {
	const own = ownEndings(outcome, !wasReady, end.turnsAt);
	return firstAtTop(unmoved ? [...unmoved, ...own.filter(({cause}) => cause === 'NodeDeleted')] : own);
}

/** What the changes do to a pod whose deletion was already requested: it may be forced. */
export function forcedThen(
	{nodeName}: Pod,
	{end, wasReady}: NodeThen,
	changes: readonly Change[],
): readonly Ending[] {
	const taint = changes.find(
		(one) => one.type === 'taint' && one.node === nodeName && one.taint.key === taintOutOfService,
	);
	const at = taint && new Range(taint.at, taint.at, taint.at);
	const notReady = wasReady ? end.turnsAt : at;
	return at && notReady
		? [{...forcedAfter(at, notReady), asked: null, isCertain: notReady.latest !== null, needs: null}]
		: [];
}
