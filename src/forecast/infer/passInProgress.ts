import {isUnknownNode, readyStatus} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Evidence} from '../observe/evidence.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {ObservedState} from '../observe/observed.ts';
import {groupIntoPasses} from '../observe/passes/groupIntoPasses.ts';

/** A monitor pass in progress, throttled or not, as far as the API shows it. */
export type PassInProgress = {
	/** Its first transition. */
	readonly startedAt: Instant;
	/** The nodes that it has not turned Unknown yet. */
	readonly remaining: readonly NodeEvidence[];
	/** Remaining nodes that it may have skipped, since their grace period was not over yet: the next pass takes them. */
	readonly passedBy: ReadonlySet<string>;
	/** The nodes that it has turned Unknown. */
	readonly marked: readonly NodeEvidence[];
	/** The pods of marked nodes that are still to be marked not ready, by node. */
	readonly marking: readonly (readonly Pod[])[];
	/** If not, it ends in a moment, or is over already. */
	readonly isThrottled: boolean;
	/** Whether it has been silent, and may have passed over all that are left: then the next one begins within a period. */
	readonly mayBeOver?: boolean;
};

/** The silent nodes that no pass has turned Unknown: ready ones, and ones that reported that they were not ready. */
export const unmarked = ({affected, now}: ObservedState): readonly NodeEvidence[] =>
	affected.nodes.filter((one) => isPosted(one) && isSilent(one, now));

/** Adds what a pass has still to do to what it has done. */
export function restOfPass(
	pass: Pick<PassInProgress, 'startedAt' | 'marked' | 'remaining'>,
	passes: readonly MarkingPass[],
	observed: ObservedState,
): Omit<PassInProgress, 'isThrottled' | 'mayBeOver'> {
	const {startedAt, marked, remaining} = pass;
	const passedBy = remaining
		.filter((one) => expiresBy(one, passes, observed) > startedAt)
		.map(({node}) => node.name);
	return {...pass, passedBy: new Set(passedBy), marking: toBeMarked(marked, observed.evidence)};
}

/** The pods of nodes that are still to be marked not ready, by node. */
export function toBeMarked(nodes: readonly NodeEvidence[], {pods}: Evidence): readonly (readonly Pod[])[] {
	return nodes
		.map(({node}) => pods.onNode(node.name).filter(({ready}) => ready === 'True'))
		.filter((ofNode) => ofNode.length > 0);
}

/** A pod's status and its event; as many calls again may be for events of other pods that are still to be posted. */
export const callsForPod = 4;

/** The nodes that the running controllers may have turned Unknown; a pass of earlier controllers is over. */
export const turnedUnknown = ({affected, evidence}: ObservedState): readonly NodeEvidence[] =>
	affected.nodes.filter((one) => isUnknownNode(one.node) && turnedBy(one) >= evidence.controllersStarted.lo);

const isPosted = ({node}: NodeEvidence) => ['True', 'False'].includes(readyStatus(node) ?? '');

export const turnedBy = ({readyChangedAt}: NodeEvidence): Instant => readyChangedAt?.hi ?? beginningOfTime;

/** A pass that turned nodes Unknown which still are. */
export type MarkingPass = {
	/** Its first transition. */
	readonly startedAt: Instant;
	/** Its last write that was seen. */
	readonly wroteAt: Instant;
	/** The nodes that it turned Unknown, in order. */
	readonly marked: readonly NodeEvidence[];
};

/** The passes of the running controllers that turned nodes Unknown, the latest first. */
export function markingPasses(observed: ObservedState): readonly MarkingPass[] {
	const {evidence, settings} = observed;
	const unknown = new Map(turnedUnknown(observed).map((one) => [one.node.name, one]));
	return groupIntoPasses(evidence.passObservations, settings.nodeMonitorPeriod, settings)
		.map(({nodes, observed: {lo}, lastWrite}) => ({
			...{startedAt: lo, wroteAt: lastWrite.lo},
			marked: [...nodes]
				.flatMap((name) => unknown.get(name) ?? [])
				.filter(({readyChangedAt: {lo: turned} = {lo}}) => turned > lo - second && turned <= lastWrite.hi)
				.toSorted((a, b) => turnedBy(a) - turnedBy(b)),
		}))
		.filter(({marked}) => marked.length > 0)
		.toReversed();
}

/** The latest end of a silent node's grace period: a status restarts it, and so do a renewal and new controllers. */
export function expiresBy(
	{renewedAt, heartbeatAt}: NodeEvidence,
	passes: readonly MarkingPass[],
	{evidence, settings}: ObservedState,
): Instant {
	const [renewed = beginningOfTime, posted = renewed] = [renewedAt?.hi, heartbeatAt?.hi];
	const begins = Math.max(renewed, posted, evidence.controllersStarted.hi);
	return seenBy(begins, passes, settings.nodeMonitorPeriod) + settings.nodeMonitorGracePeriod;
}

/** By when a pass has seen a sign of life: a period later, but for passes that last long. These see it while they last. */
function seenBy(sign: Instant, passes: readonly MarkingPass[], period: Duration): Instant {
	const before = passes.find(({startedAt}) => startedAt <= sign);
	const next = Math.max(sign, before?.wroteAt ?? sign) + period;
	const after = passes.findLast(({startedAt}) => startedAt > sign);
	return after && after.startedAt <= next + second ? Math.max(next, after.wroteAt) : next;
}
