import {nodeCondition} from '../core/model/node.ts';
import {zoneKey} from '../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../core/nodelifecycle/nodeLabels.ts';
import type {ZoneCount} from '../core/nodelifecycle/zoneState.ts';
import {noExecuteTaints} from '../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import type {Evidence} from './evidence.ts';
import type {Interval} from './interval.ts';
import type {NodeEvidence} from './nodeEvidence.ts';
import {jitterOf} from './renewals.ts';

/**
 * Whether a node shows no sign of life for two renew intervals. Without a lease, its status heartbeat counts.
 *
 * Where no leases can be seen at all, the controller still sees them: a node is alive while it does not say otherwise.
 */
export function isSilent(
	{node, renewedAt, postedAt, isLeaseHidden, hasWrongClock, renewInterval}: NodeEvidence,
	now: Instant,
): boolean {
	if (isLeaseHidden) {
		const status = nodeCondition(node, 'Ready')?.status;
		return status !== 'True' && status !== 'False';
	}
	const last = renewedAt ?? postedAt;
	return last === undefined || now - (hasWrongClock ? last.lo : last.hi) >= 2 * renewInterval;
}

/** Whether a silent node may be alive as well: its clock is wrong, and its last renewal may be a moment ago. */
export function mayLive(one: NodeEvidence, now: Instant): boolean {
	return one.hasWrongClock && isSilent(one, now) && !isSilent({...one, hasWrongClock: false}, now);
}

/** Whether a node is silent, and no pass has turned it Unknown yet. */
export const isSilentAndReady = (one: NodeEvidence, now: Instant): boolean =>
	nodeCondition(one.node, 'Ready')?.status === 'True' && isSilent(one, now);

/**
 * Whether a renewal is missing, which is too early to call the node silent: those that fall silent together do not
 * show it together.
 */
export function isLate(one: NodeEvidence, now: Instant): boolean {
	return (
		one.renewedAt !== undefined &&
		now - one.renewedAt.hi > one.renewInterval + jitterOf(one.renewInterval) &&
		!isSilent(one, now)
	);
}

/** Whether something is wrong with a node now: its pods may go for it. */
export function isInTrouble(one: NodeEvidence, now: Instant): boolean {
	const isReady = nodeCondition(one.node, 'Ready')?.status === 'True';
	return !isReady || noExecuteTaints(one.node).length > 0 || isSilent(one, now);
}

/** Whether anything is wrong with a node, or may soon be. */
export const isSuspect = (one: NodeEvidence, now: Instant): boolean =>
	isInTrouble(one, now) || isLate(one, now) || returnedAt(one, now) !== undefined;

/** When a node that is ready became so, where that is not long ago. */
function returnedAt({node, readyChangedAt}: NodeEvidence, now: Instant): Interval | undefined {
	const isReady = nodeCondition(node, 'Ready')?.status === 'True';
	return isReady && readyChangedAt && readyChangedAt.hi > now - memory ? readyChangedAt : undefined;
}

/** The nodes to look at one by one, and how many others count for each zone. */
export type Suspects = {
	readonly nodes: readonly NodeEvidence[];
	readonly others: ReadonlyMap<string, ZoneCount>;
	/** The nodes that are well, but were not a while ago. */
	readonly returned: readonly {readonly zone: string; readonly at: Interval}[];
};

/** How long a return may matter: a bucket at the slowest usual rate takes so long to fill. */
const memory: Duration = 150 * second;

/** Divides the nodes: those that are well are only counted. */
export function findSuspects(evidence: Evidence, now: Instant): Suspects {
	const others = new Map<string, ZoneCount>();
	const nodes: NodeEvidence[] = [];
	for (const one of evidence.nodes.values()) {
		if (isSuspect(one, now)) {
			nodes.push(one);
		} else if (!isExcludedFromDisruptionChecks(one.node)) {
			const zone = zoneKey(one.node);
			const {size, notReady} = others.get(zone) ?? {size: 0, notReady: 0};
			others.set(zone, {size: size + 1, notReady});
		}
	}
	const returned = nodes.flatMap((one) => {
		const at = returnedAt(one, now);
		return at ? [{zone: zoneKey(one.node), at}] : [];
	});
	return {nodes: nodes.toSorted((a, b) => (a.node.name < b.node.name ? -1 : 1)), others, returned};
}
