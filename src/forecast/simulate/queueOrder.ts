import {zoneKey} from '../../core/model/zone.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {Hypothesis, QueuesAt} from '../infer/hypothesis.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import {waitsOf} from './interchangeableNodes.ts';
import type {Led} from './run.ts';
import type {Trajectory} from './trajectory.ts';

/** How long before a trajectory shows it a pass may have changed a rate. */
const shownWithin: Duration = 1.2 * second;

type Order = {readonly queuesAt: QueuesAt; readonly tokenQuantile: number};

const inEachPass: Order = {queuesAt: 'inEachPass', tokenQuantile: 0};
const afterEachPass: Order = {queuesAt: 'afterEachPass', tokenQuantile: 1};

/** A token is used where it comes early and the change late, and lost where it comes late and the change early. */
const ordersAt = (quantile: number): readonly Order[] =>
	quantile < 0.5 ? [inEachPass, afterEachPass] : [inEachPass];

/**
 * The hypotheses whose passes change the rate of a zone while its nodes wait, with the zones' queues processed on either side
 * of the change: a token that comes by then is used, or lost. Nothing joins that order to the other unknowns.
 */
export function inOtherOrders(led: readonly Led[], affected: AffectedNodes): readonly Hypothesis[] {
	const zoneOf = new Map(affected.nodes.map(({node}) => [node.name, zoneKey(node)]));
	const decided = led.filter(({trajectory}) => isDecidedByOrder(trajectory, zoneOf));
	return [...new Set(decided.map(({hypothesis}) => hypothesis))].flatMap((one) =>
		ordersAt(one.quantile).map((order) => ({...one, ...order})),
	);
}

function isDecidedByOrder({zones, nodes}: Trajectory, zoneOf: ReadonlyMap<string, string>): boolean {
	const changes = [...zones].flatMap(([zone, moments]) =>
		moments.flatMap(({at, rate}, index) => {
			const before = moments[index - 1];
			return before && before.rate !== rate ? {zone, at} : [];
		}),
	);
	return (
		changes.length > 0 &&
		[...nodes].some(([name, trajectory]) => {
			const own = changes.filter(({zone}) => zone === zoneOf.get(name));
			return (
				own.length > 0 &&
				waitsOf(trajectory).some(({lo, hi}) => own.some(({at}) => lo <= at && hi >= at - shownWithin))
			);
		})
	);
}
