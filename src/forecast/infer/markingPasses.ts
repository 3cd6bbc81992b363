import {isUnknownNode} from '../../core/model/node.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import {type NodeEvidence, namesOf} from '../observe/nodes/nodeEvidence.ts';
import type {ObservedState} from '../observe/observed.ts';
import {groupIntoPasses} from '../observe/passes/groupIntoPasses.ts';
import {type PassInProgress, toBeMarked} from './passInProgress.ts';

/** A pass that turned nodes Unknown which still are. */
export type MarkingPass = {
	/** Its first transition. */
	readonly startedAt: Instant;
	/** Its last write that was seen. */
	readonly wroteAt: Instant;
	/** The nodes that it turned Unknown, in order. */
	readonly marked: readonly NodeEvidence[];
};

/** The passes of the running controllers that turned nodes Unknown, and what follows from them for silent nodes. */
export class MarkingPasses {
	readonly observed: ObservedState;
	#all: readonly MarkingPass[] | undefined;

	constructor(observed: ObservedState) {
		this.observed = observed;
	}

	/** The latest first. */
	get all(): readonly MarkingPass[] {
		this.#all ??= findMarkingPasses(this.observed);
		return this.#all;
	}

	/** Adds what a pass has still to do to what it has done. */
	restOf(
		pass: Pick<PassInProgress, 'startedAt' | 'marked' | 'remaining'>,
	): Omit<PassInProgress, 'isThrottled' | 'mayBeOver'> {
		const passedBy = pass.remaining.filter((one) => this.expiresBy(one) > pass.startedAt);
		return {
			...pass,
			passedBy: namesOf(passedBy),
			marking: toBeMarked(pass.marked, this.observed.evidence),
		};
	}

	/** The latest end of a silent node's grace period: a status restarts it, and so do a renewal and new controllers. */
	expiresBy({renewedAt, heartbeatAt}: NodeEvidence): Instant {
		const {evidence, settings} = this.observed;
		const [renewed = beginningOfTime, posted = renewed] = [renewedAt?.hi, heartbeatAt?.hi];
		const begins = Math.max(renewed, posted, evidence.controllersStarted.hi);
		return this.#seenBy(begins, settings.nodeMonitorPeriod) + settings.nodeMonitorGracePeriod;
	}

	/** By when a pass has seen a sign of life: a period later, but for passes that last long. These see it while they last. */
	#seenBy(sign: Instant, period: Duration): Instant {
		const before = this.all.find(({startedAt}) => startedAt <= sign);
		const next = Math.max(sign, before?.wroteAt ?? sign) + period;
		const after = this.all.findLast(({startedAt}) => startedAt > sign);
		return after && after.startedAt <= next + second ? Math.max(next, after.wroteAt) : next;
	}
}

function findMarkingPasses(observed: ObservedState): readonly MarkingPass[] {
	const {evidence, settings} = observed;
	const unknown = new Map(turnedUnknown(observed).map((one) => [one.node.name, one]));
	return groupIntoPasses(evidence.passObservations, settings)
		.map(({nodes, observed: {lo}, lastWrite}) => ({
			startedAt: lo,
			wroteAt: lastWrite.lo,
			marked: [...nodes]
				.flatMap((name) => unknown.get(name) ?? [])
				.filter(({readyChangedAt: {lo: turned} = {lo}}) => turned > lo - second && turned <= lastWrite.hi)
				.toSorted((a, b) => turnedBy(a) - turnedBy(b)),
		}))
		.filter(({marked}) => marked.length > 0)
		.toReversed();
}

/** The nodes that the running controllers may have turned Unknown; a pass of earlier controllers is over. */
export const turnedUnknown = ({affected, evidence}: ObservedState): readonly NodeEvidence[] =>
	affected.nodes.filter((one) => isUnknownNode(one.node) && turnedBy(one) >= evidence.controllersStarted.lo);

export const turnedBy = ({readyChangedAt}: NodeEvidence): Instant => readyChangedAt?.hi ?? beginningOfTime;
