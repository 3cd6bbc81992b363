import {maxOf} from '../../core/collections/extremes.ts';
import {kept} from '../../core/collections/kept.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import {nodesIn} from '../observe/affectedNodes.ts';
import {perCall} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Observed, ObservedState} from '../observe/observed.ts';
import {leaseReads} from '../observe/passes/leaseReads.ts';
import {
	callsForPod,
	type MarkingPass,
	MarkingPasses,
	type PassInProgress,
	toBeMarked,
	turnedBy,
	unmarked,
} from './passInProgress.ts';

/** A silent node that is overdue for two periods and this much longer shows that a pass is throttled. */
const patience: Duration = second;

/**
 * Finds a throttled pass in progress: nodes turn Unknown one after another, while others that a finished pass would have
 * turned are not Unknown.
 */
export function findThrottledPass(passes: MarkingPasses): PassInProgress | undefined {
	const {observed} = passes;
	if (observed.settings.kubeApiQps <= 0) return undefined;
	const remaining = unmarked(observed);
	// A node may have lost its lease recently: then an old status proves nothing.
	const dated = observed.evidence.observedNodes.hasSeenLease
		? remaining.filter(({renewedAt}) => renewedAt !== undefined)
		: remaining;
	if (dated.length === 0) return undefined;
	const [last] = passes.all;
	const {nodeMonitorPeriod} = observed.settings;
	const isOverdue = (one: NodeEvidence) =>
		passes.expiresBy(one) + 2 * nodeMonitorPeriod + patience < observed.now;
	if (!last || !dated.some(isOverdue) || !mayHaveMore(last, observed)) return undefined;
	const {marked, startedAt, wroteAt} = last;
	const found = passes.restOf({startedAt, marked, remaining});
	const mayBeOver = remaining.length === found.passedBy.size && observed.now > wroteAt + lastsAfterWrite;
	return {...found, isThrottled: true, mayBeOver};
}

/** A pass that turned nodes Unknown. It may still mark their pods, and judges the zones at its end. */
export type ThrottledPass = MarkingPass & {
	/** The latest instant at which it ends. */
	readonly endsBy: Instant;
};

/** How long after its last write a pass may still be in progress: API times are truncated, and a watch takes time. */
const lastsAfterWrite: Duration = 1.5 * second;

/** The nodes that the pass in progress has turned Unknown so far, and until when no other pass can begin. */
type PassOrder = {readonly marked: ReadonlySet<NodeEvidence>; readonly lastsUntil: Instant};

/** What throttled passes have done, and may still do. */
export class ThrottledPasses {
	readonly #observed: Observed;
	readonly #current: PassInProgress | undefined;
	readonly #forNothing = new Map<string, number>();
	#all: readonly ThrottledPass[] | undefined;

	/** @param current the pass in progress */
	constructor(observed: Observed, current: PassInProgress | undefined) {
		this.#observed = observed;
		this.#current = current;
	}

	/** The last throttled pass, unless it is over. */
	get latest(): ThrottledPass | undefined {
		const [last] = this.#passes;
		return last && this.#observed.now <= last.endsBy ? last : undefined;
	}

	/** What the pass in progress has marked so far; undefined if there is none. */
	get order(): PassOrder | undefined {
		const [last] = this.#passes;
		if (!this.#current || !last) return undefined;
		return {
			marked: new Set(this.#current.marked),
			lastsUntil: last.wroteAt + this.#observed.settings.nodeMonitorPeriod,
		};
	}

	/** Whether a pass is in progress that takes the nodes which the one just before it passed over. */
	get isSecond() {
		const [last, before] = this.#passes;
		const {nodeMonitorPeriod} = this.#observed.settings;
		return (
			this.#current !== undefined &&
			last !== undefined &&
			before !== undefined &&
			last.startedAt - before.wroteAt < 2 * nodeMonitorPeriod
		);
	}

	/**
	 * The most tainted nodes of a zone that may still be in its queue. A throttled pass checks a node as it was when
	 * the pass began, and queues it again although it was tainted since. Each such node takes a token only to rewrite
	 * its taint, before the nodes that the next pass queues.
	 */
	queuedForNothing(zone: string): number {
		return kept(this.#forNothing, zone, () => {
			const tainted = nodesIn(zone, this.#observed.affected).filter(({taintedAt}) => taintedAt);
			return this.#passes.reduce((sum, pass) => sum + this.#queuedBy(pass, tainted), 0);
		});
	}

	/** The last throttled passes, the latest first. */
	get #passes(): readonly ThrottledPass[] {
		this.#all ??= this.#findPasses();
		return this.#all;
	}

	#findPasses(): readonly ThrottledPass[] {
		const {evidence, settings, now} = this.#observed;
		const {kubeApiQps, nodeMonitorPeriod, monitorWorkers} = settings;
		if (kubeApiQps <= 0) return [];
		return new MarkingPasses(this.#observed).all.map((pass, index) => {
			const goesOn = index === 0 && (this.#current !== undefined || mayHaveMore(pass, this.#observed));
			const pods = goesOn ? toBeMarked(pass.marked.slice(-2 * monitorWorkers), evidence).flat().length : 0;
			const marks = pods * callsForPod * perCall(settings);
			const endsBy =
				pods > 0
					? now + nodeMonitorPeriod + marks
					: pass.wroteAt + lastsAfterWrite + leaseReads(this.#observed);
			return {...pass, endsBy};
		});
	}

	/**
	 * The most nodes of a pass that a zone's queue still holds since the pass queued them again: at most as many as
	 * there were tokens while it lasted, less those taken since.
	 *
	 * @param tainted the tainted nodes of the zone
	 */
	#queuedBy(pass: ThrottledPass, tainted: readonly NodeEvidence[]): number {
		const {settings} = this.#observed;
		const {startedAt, endsBy} = pass;
		const nodes = tainted.filter((one) => isQueuedAgain(one, pass));
		if (nodes.length === 0) return 0;
		const tokens = 1 + (endsBy - startedAt) * (settings.nodeEvictionRate / second);
		const since = endsBy + settings.nodeMonitorPeriod;
		const taken = tainted.filter(({taintedAt}) => taintedAt && taintedAt.lo > since);
		return Math.max(0, Math.min(nodes.length, Math.ceil(tokens) - taken.length));
	}
}

/**
 * Whether a pass queued a node again that was tainted while it lasted: the node was Unknown already, and the pass used
 * its state from the pass's start, before the taint.
 */
const isQueuedAgain = ({taintedAt, readyChangedAt}: NodeEvidence, {startedAt, endsBy}: ThrottledPass) =>
	taintedAt !== undefined &&
	taintedAt.hi >= startedAt &&
	taintedAt.lo <= endsBy &&
	(readyChangedAt?.lo ?? 0) < startedAt;

/** Whether a pass that turned nodes Unknown may have more to turn. */
const mayHaveMore = ({marked}: MarkingPass, observed: ObservedState) => {
	const last = marked.slice(-observed.settings.monitorWorkers);
	return observed.now - maxOf(last.map(turnedBy)) <= longestPauseInPass(last, observed);
};

/** The longest pause in a pass, which may mark the pods of one node for each worker meanwhile; at least six periods, to be safe. */
function longestPauseInPass(batch: readonly NodeEvidence[], {evidence, settings}: ObservedState): Duration {
	const marked = batch.reduce((sum, {node}) => sum + evidence.pods.mapOfNode(node.name).size, 0);
	return Math.max(6 * settings.nodeMonitorPeriod, marked * callsForPod * perCall(settings));
}
