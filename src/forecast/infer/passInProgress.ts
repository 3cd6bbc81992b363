import {ascending} from '../../core/collections/ascending.ts';
import {maxOf, minOf} from '../../core/collections/extremes.ts';
import {isReadyNode, isUnknownNode, readyStatus} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import {markedAt} from '../observe/countdowns/referencePods.ts';
import type {Evidence} from '../observe/evidence.ts';
import {at, middle, sinceBeginning} from '../observe/interval.ts';
import {passMayLast, perCall, throttleWait} from '../observe/latencies.ts';
import {type NodeEvidence, namesOf} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {ObservedState} from '../observe/observed.ts';
import {groupIntoPasses} from '../observe/passes/groupIntoPasses.ts';
import {leaseReads} from '../observe/passes/leaseReads.ts';
import {zonesAt} from './zonePast.ts';

/** A monitor pass in progress, throttled or not, as far as the API shows it. */
export type PassInProgress = Readonly<{
	/** Its first transition. */
	startedAt: Instant;
	/** The latest time of that, if it is a range. */
	startedBy?: Instant;
	/** The nodes that it has not turned Unknown yet. */
	remaining: readonly NodeEvidence[];
	/** Remaining nodes that it may have skipped, since their grace period was not over yet: the next pass takes them. */
	passedBy: ReadonlySet<string>;
	/** The nodes that it has turned Unknown. */
	marked: readonly NodeEvidence[];
	/** The pods of marked nodes that are still to be marked not ready, by node. */
	marking: readonly (readonly Pod[])[];
	/** If not, it ends in a moment, or is over already. */
	isThrottled: boolean;
	/** Whether it has been silent, and may have passed over all that are left: then the next one begins within a period. */
	mayBeOver?: boolean;
}>;

/** The silent nodes that no pass has turned Unknown: ready ones, and ones that reported that they were not ready. */
export const unmarked = ({affected, now}: ObservedState): readonly NodeEvidence[] =>
	affected.nodes.filter((one) => isPosted(one) && isSilent(one, now));

/** The pods of nodes that are still to be marked not ready, by node. */
export function toBeMarked(nodes: readonly NodeEvidence[], {pods}: Evidence): readonly (readonly Pod[])[] {
	return nodes
		.map(({node}) => pods.onNode(node.name).filter(({ready}) => ready === 'True'))
		.filter((ofNode) => ofNode.length > 0);
}

/** A pod's status and its event; as many calls again may be for events of other pods that are still to be posted. */
export const callsForPod = 4;

/**
 * How much later than its node a pod may be marked not ready: the calls of a pass for silent nodes and their pods, and for the
 * events of both, wait for one client, in turn. For each pod of a node comes one call of every worker, and one for an event.
 */
export function markingLasts(observed: ObservedState): Duration {
	const {evidence, settings} = observed;
	const silent = toBeMarked(unmarked(observed), evidence);
	const pods = silent.map(({length}) => length);
	const all = 2 * pods.reduce((sum, one) => sum + one, silent.length);
	const ofOneNode = (1 + maxOf(pods, 0)) * (settings.monitorWorkers + 1);
	if (throttleWait(all, settings) === 0) return 0;
	return Math.min(all, ofOneNode) * perCall(settings);
}

const isPosted = ({node}: NodeEvidence) => ['True', 'False'].includes(readyStatus(node) ?? '');

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
				.toSorted(ascending(turnedBy)),
		}))
		.filter(({marked}) => marked.length > 0)
		.toReversed();
}

/** The nodes that the running controllers may have turned Unknown; a pass of earlier controllers is over. */
export const turnedUnknown = ({affected, evidence}: ObservedState): readonly NodeEvidence[] =>
	affected.nodes.filter((one) => isUnknownNode(one.node) && turnedBy(one) >= evidence.controllersStarted.lo);

export const turnedBy = ({readyChangedAt}: NodeEvidence): Instant => readyChangedAt?.hi ?? beginningOfTime;

/** The longest that an unthrottled pass lasts. */
const longest: Duration = 30 * second;

/**
 * Finds a pass that turned nodes Unknown just now. It may be over, and have judged the zones; or it may have more nodes and
 * pods to mark, while the zones' queues continue as before.
 */
export function findMaybeUnfinishedPass(passes: MarkingPasses): PassInProgress | undefined {
	const {observed} = passes;
	const {evidence, settings, now} = observed;
	const latest = turnedUnknown(observed)
		.filter((one) => turnedAt(one).hi > now - longest)
		.toSorted((a, b) => turnedAt(b).hi - turnedAt(a).hi);
	if (latest.length === 0) return undefined;
	const marked: NodeEvidence[] = [];
	let wroteAt = now;
	for (const one of latest) {
		// This node was turned by an earlier pass. At the ends of truncated times, two passes two seconds apart would look like one.
		if (marked.length > 0 && wroteAt - lastWrite(one, middle, evidence) > settings.nodeMonitorPeriod / 2)
			break;
		marked.push(one);
		wroteAt = at(turnedAt(one), middle);
	}
	const startedAt = minOf(marked.map((one) => turnedAt(one).lo));
	const foundAll = maxOf(marked.map((one) => turnedAt(one).hi));
	const lastWrites = [
		...marked.map((one) => lastWrite(one, 1, evidence)),
		...clearedSince(foundAll, observed),
	];
	const isOver = maxOf(lastWrites) < now - passMayLast - leaseReads(observed);
	if (isOver) return undefined;
	const done = {startedAt, marked: marked.toReversed(), remaining: unmarked(observed)};
	const startedBy = minOf(marked.map((one) => turnedAt(one).hi));
	return {...passes.restOf(done), startedBy, isThrottled: false};
}

/** When a pass that had found all zones down by then took off the taints of nodes that are still not ready. */
function clearedSince(found: Instant, {affected, settings}: ObservedState): readonly Instant[] {
	if (!zonesAt(found, affected, settings).allDown) return [];
	return affected.nodes.flatMap(({node, untaintedAt}) =>
		!isReadyNode(node) && untaintedAt && untaintedAt.lo >= found ? untaintedAt.hi : [],
	);
}

const turnedAt = ({readyChangedAt}: NodeEvidence) => readyChangedAt ?? sinceBeginning;

/**
 * When a pass last wrote to a node or, after it, to one of its pods.
 *
 * @param quantile the point taken of each time interval: 0 its beginning, 1 its end
 */
function lastWrite(one: NodeEvidence, quantile: number, {pods}: Evidence): Instant {
	const turned = at(turnedAt(one), quantile);
	let last = turned;
	for (const pod of pods.mapOfNode(one.node.name).values()) {
		const marked = pod.ready === 'True' ? undefined : markedAt(pod, turned);
		if (marked !== undefined) last = Math.max(last, marked + second * quantile);
	}
	return last;
}
