import type {Pod} from '../../core/model/pod.ts';
import {taintOutOfService} from '../../core/model/taint.ts';
import type {Instant} from '../../core/time/instant.ts';
import {collected, type Ending, firstAtTop, forcedAfter, ownEnding} from '../conclude/endings.ts';
import type {PodOutcome} from '../conclude/podOutcomes.ts';
import type {PodForecast} from '../podForecast.ts';
import {Range} from '../range.ts';
import type {Change} from '../simulate/change.ts';
import type {NodeEnd} from './nodeEnd.ts';
import {causeIn} from './outlook.ts';

/** Everything that ends a pod by itself, as it is and as it would be, the soonest first. */
export type EndingsChange = {readonly before: readonly Ending[]; readonly after: readonly Ending[]};

/** The state of a node after changes, and whether it was ready at the beginning. */
export type NodeThen = {readonly end: NodeEnd; readonly wasReady: boolean};

/** What ends a pod by itself if nothing changes. */
export const endingsNow = (forecast: PodForecast, {wasReady}: NodeThen): readonly Ending[] => {
	const own = ownEnding(forecast, !wasReady);
	return own ? [own] : [];
};

/**
 * What ends a pod by itself after the changes.
 *
 * @param unmoved the end by its taints, if the changes do not affect it
 */
export function endingsThen(
	outcome: PodOutcome,
	unmoved: readonly Ending[] | undefined,
	node: NodeThen,
): readonly Ending[] {
	const {collection} = outcome;
	const byCollector: Ending | undefined = collection && {
		...collected(collection.range),
		isCertain: collection.isSure,
		needs: null,
	};
	return firstAtTop([...(unmoved ?? byTaint(outcome, node)), ...(byCollector ? [byCollector] : [])]);
}

function byTaint(outcome: PodOutcome, node: NodeThen): readonly Ending[] {
	const cause = causeIn({...outcome, isCollected: false});
	const {deletedAt: at} = outcome;
	if (!cause || !at) return [];
	const isCertain = at.latest !== null;
	const notReady = notReadyAt(node, at);
	if (cause.kind === 'OutOfService' && notReady)
		return [{...forcedAfter(at, notReady), isCertain: isCertain && notReady.latest !== null, needs: null}];
	return [{cause: cause.kind, at, asked: null, isForced: false, isCertain, needs: null}];
}

/** What ends a pod by itself whose deletion was already requested: only forced ends. */
export function endingsOfTerminating(
	{nodeName}: Pod,
	outcome: PodOutcome,
	node: NodeThen,
	changes: readonly Change[],
): readonly Ending[] {
	const taint = changes.find(
		(one) => one.type === 'taint' && one.node === nodeName && one.taint.key === taintOutOfService,
	);
	const at = taint && instant(taint.at);
	const notReady = at && notReadyAt(node, at);
	const forced: readonly Ending[] =
		at && notReady
			? [{...forcedAfter(at, notReady), asked: null, isCertain: notReady.latest !== null, needs: null}]
			: [];
	return endingsThen(outcome, forced, node);
}

const instant = (at: Instant): Range => new Range(at, at, at);

/** When a node is found not ready; null if it stays ready. */
const notReadyAt = ({end, wasReady}: NodeThen, since: Range): Range | null =>
	wasReady ? end.turnsAt : since;
