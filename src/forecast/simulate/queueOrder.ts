import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import type {Hypothesis} from '../infer/hypothesis.ts';
import {lastPass, passAtOrAfter} from '../infer/passSchedule.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {isEarly} from '../observe/interval.ts';
import {waitsOf} from './interchangeableNodes.ts';
import type {HypothesisTrajectory} from './passRun.ts';
import type {Trajectory, ZoneMoment} from './trajectory.ts';

/** How long before a trajectory shows it a pass may have changed a rate. */
const shownWithin: Duration = 1.2 * second;

type Order = Pick<Hypothesis, 'noExecuteAt' | 'tokenQuantile' | 'tokensBefore'>;

/** The two ends: a token just before the pass of the change is used in it; a late token, after an early change, is lost. */
const ordersAt = (
	quantile: number,
	changes: ReadonlyMap<string, Instant>,
	isEarliest: boolean,
): readonly Order[] => {
	const inPass: Order = {noExecuteAt: 'inEachPass', tokenQuantile: 0, tokensBefore: changes};
	return isEarly(quantile) && !isEarliest
		? [inPass, {noExecuteAt: 'afterEachPass', tokenQuantile: 1}]
		: [inPass];
};

/**
 * The hypotheses whose passes change the rate of a zone while its nodes wait, with a NoExecute pass before or after the
 * change: a token that comes by then is used, or lost. That order is independent of the other unknowns.
 *
 * @param isEarliest whether only the earliest taints are asked for: then no token is lost
 */
export function inOtherOrders(
	followed: readonly HypothesisTrajectory[],
	affected: AffectedNodes,
	isEarliest: boolean,
): readonly Hypothesis[] {
	// One hypothesis may lead to several trajectories, each with its own changes.
	const ofHypothesis = Map.groupBy(followed, ({hypothesis}) => hypothesis);
	return [...ofHypothesis].flatMap(([one, ones]) => {
		const changes = ones.map(({trajectory}) => changesWhileWaiting(trajectory, one, affected));
		const different = new Map(changes.map((each) => [JSON.stringify([...each]), each]));
		return [...different.values()]
			.filter(({size}) => size > 0)
			.flatMap((each) => ordersAt(one.quantile, each, isEarliest).map((order) => ({...one, ...order})));
	});
}

/**
 * By zone, the beginning of the last pass that stops it, or else changes its rate, while one of its nodes waits. The first
 * pass of controllers queues nodes that were not ready before, and starts each zone with a token.
 */
function changesWhileWaiting(
	{zones, nodes}: Trajectory,
	{schedule}: Hypothesis,
	affected: AffectedNodes,
): ReadonlyMap<string, Instant> {
	const hasNoPast = lastPass(schedule) === undefined;
	const isChange = ({rate, state}: ZoneMoment, before: ZoneMoment | undefined) =>
		before ? before.rate !== rate : hasNoPast && (rate === 0 || state === 'PartialDisruption');
	const changed = [...zones].map(
		([zone, moments]) =>
			[zone, moments.filter((moment, index) => isChange(moment, moments[index - 1]))] as const,
	);
	// Most trajectories have no change; then the nodes need not be examined.
	if (changed.every(([, moments]) => moments.length === 0)) return new Map();
	const waits = Map.groupBy(
		affected.nodes.flatMap(({node}) => {
			const joins = hasNoPast && !isReadyNode(node) && noExecuteTaints(node).length === 0;
			const own = [...(joins ? [{lo: schedule.nextPass, hi: never}] : []), ...waitsOf(nodes.get(node.name))];
			return own.map((wait) => ({zone: zoneKey(node), ...wait}));
		}),
		({zone}) => zone,
	);
	return new Map(
		changed.flatMap(([zone, moments]): readonly [string, Instant][] => {
			const changes = moments.filter(({at}) =>
				waits.get(zone)?.some(({lo, hi}) => lo <= at && hi >= at - shownWithin),
			);
			// A stop removes the token, a resumption brings one.
			const last = changes.findLast(({rate}) => rate === 0) ?? changes.at(-1);
			return last ? [[zone, passAtOrAfter(schedule, last.at - schedule.period)]] : [];
		}),
	);
}
