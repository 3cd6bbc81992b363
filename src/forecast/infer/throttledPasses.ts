import {kept} from '../../core/collections/kept.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import type {Observed, ObservedState} from '../observe/observed.ts';
import {type ThrottledPassWrites, throttledPassWrites} from '../observe/passes/throttledPassWrites.ts';
import {leaseReads} from './leaseReads.ts';
import {
	callsForPod,
	expiresBy,
	type PassInProgress,
	restOfPass,
	toBeMarked,
	turnedBy,
	turnedUnknown,
	unmarked,
} from './passInProgress.ts';

/** A silent node that is overdue for two periods and this much longer shows that a pass is throttled. */
const patience: Duration = second;

/**
 * Finds a throttled pass in progress: nodes turn Unknown one after another, while others that a finished pass would have
 * turned are not Unknown.
 */
export function findThrottledPass(observed: ObservedState): PassInProgress | undefined {
	if (observed.settings.kubeApiQps <= 0) return undefined;
	const remaining = unmarked(observed);
	// A node may have lost its lease recently: then an old status proves nothing.
	const dated = observed.evidence.observedNodes.hasSeenLease
		? remaining.filter(({renewedAt}) => renewedAt !== undefined)
		: remaining;
	if (!dated.some((one) => isOverdue(one, observed))) return undefined;
	const marked = latestGroup(turnedUnknown(observed), observed);
	const startedAt = marked[0]?.readyChangedAt?.lo;
	if (startedAt === undefined || !mayGoOn(marked, observed)) return undefined;
	return {...restOfPass({startedAt, marked, remaining}, observed), isThrottled: true};
}

/** A throttled pass that turned nodes Unknown some time ago. It may still mark their pods, and judge the zones at its end. */
export type LatePass = {
	/** The nodes that it, or the pass just before it, turned Unknown. */
	readonly marked: readonly NodeEvidence[];
	/** The starts of all passes that marked these nodes, the latest first. */
	readonly starts: readonly Instant[];
	/** The latest instant at which it ends. */
	readonly endsBy: Instant;
	/** Whether it may have more nodes to turn. */
	readonly goesOn: boolean;
};

/** The most passes to look back to that may have queued nodes again. */
const maxPasses = 3;

/** How long after its last write a pass may still be in progress: API times are truncated, and a watch takes time. */
const lastsAfterWrite: Duration = 1.5 * second;

/** The nodes that the pass in progress has turned Unknown so far, and until when no other pass can begin. */
type PassOrder = {readonly marked: ReadonlySet<NodeEvidence>; readonly lastsUntil: Instant};

/** What throttled passes have done, and may still do. */
export class ThrottledPasses {
	readonly #observed: Observed;
	readonly #current: PassInProgress | undefined;
	/** When the pass in progress wrote; undefined if there is none. */
	readonly writes: ThrottledPassWrites | undefined;
	readonly #forNothing = new Map<string, number>();
	#all: readonly LatePass[] | undefined;

	/** @param current the pass in progress */
	constructor(observed: Observed, current: PassInProgress | undefined) {
		this.#observed = observed;
		this.#current = current;
		this.writes = current && this.#writesFor(current.marked);
	}

	/** The last throttled pass, unless it is over. */
	get latest(): LatePass | undefined {
		const [last] = this.#passes;
		return last && (last.goesOn || this.#observed.now <= last.endsBy) ? last : undefined;
	}

	/** What the pass in progress has marked so far; undefined if there is none. */
	get order(): PassOrder | undefined {
		const {writes} = this;
		if (!this.#current || !writes) return undefined;
		return {
			marked: new Set(
				this.#current.marked.filter(({readyChangedAt}) => (readyChangedAt?.lo ?? 0) >= writes.first),
			),
			lastsUntil: writes.last + this.#observed.settings.nodeMonitorPeriod,
		};
	}

	/**
	 * The most tainted nodes of a zone that may still be in its queue. A throttled pass checks a node as it was when
	 * the pass began, and queues it again although it was tainted since. Each such node takes a token only to rewrite
	 * its taint, before the nodes that the next pass queues.
	 */
	queuedForNothing(zone: string): number {
		return kept(this.#forNothing, zone, () =>
			this.#passes.reduce((sum, pass) => sum + this.#queuedBy(pass, zone), 0),
		);
	}

	/** The last throttled passes, the latest first. */
	get #passes(): readonly LatePass[] {
		this.#all ??= this.#findPasses();
		return this.#all;
	}

	#findPasses(): readonly LatePass[] {
		const {evidence, settings, now} = this.#observed;
		const {kubeApiQps, nodeMonitorPeriod} = settings;
		if (kubeApiQps <= 0) return [];
		const passes: LatePass[] = [];
		let turned = turnedUnknown(this.#observed);
		for (const current of [this.#current, ...new Array<undefined>(maxPasses - 1)]) {
			const marked = current?.marked ?? latestGroup(turned, this.#observed);
			const writes = current ? this.writes : this.#writesFor(marked);
			if (!writes) break;
			const goesOn = passes.length === 0 && (current !== undefined || mayGoOn(marked, this.#observed));
			const pods = goesOn ? toBeMarked(marked.slice(-2 * monitorWorkers), evidence).flat().length : 0;
			const marks = pods * callsForPod * (second / kubeApiQps);
			const endsBy =
				pods > 0
					? now + nodeMonitorPeriod + marks
					: writes.last + lastsAfterWrite + leaseReads(this.#observed);
			passes.push({marked, starts: writes.starts, endsBy, goesOn});
			const isMarked = new Set(marked);
			turned = turned.filter((one) => !isMarked.has(one));
		}
		return passes;
	}

	/**
	 * The most nodes of a pass that a zone's queue still holds since the pass queued them again: at most as many as
	 * there were tokens while it lasted, less those taken since.
	 */
	#queuedBy({marked, starts, endsBy}: LatePass, zone: string): number {
		const {affected, settings} = this.#observed;
		const nodes = marked.filter((one) => zoneKey(one.node) === zone && isQueuedAgain(one, {starts, endsBy}));
		if (nodes.length === 0) return 0;
		const tokens = 1 + (endsBy - Math.min(endsBy, ...starts)) * (settings.nodeEvictionRate / second);
		const since = endsBy + settings.nodeMonitorPeriod;
		const taken = affected.nodes.filter(
			({node, taintedAt}) => taintedAt && taintedAt.lo > since && zoneKey(node) === zone,
		);
		return Math.max(0, Math.min(nodes.length, Math.ceil(tokens) - taken.length));
	}

	#writesFor(marked: readonly NodeEvidence[]): ThrottledPassWrites | undefined {
		const {evidence, settings} = this.#observed;
		return throttledPassWrites(marked, evidence, settings.nodeMonitorPeriod);
	}
}

/**
 * Whether a pass queued a node again that was tainted while it lasted: the node was Unknown already, and the pass used
 * its state from the pass's start, before the taint.
 */
function isQueuedAgain(
	{taintedAt, readyChangedAt}: NodeEvidence,
	{starts, endsBy}: Pick<LatePass, 'starts' | 'endsBy'>,
): boolean {
	if (!taintedAt || taintedAt.lo > endsBy) return false;
	const began = starts.find((start) => start <= taintedAt.hi);
	return began !== undefined && (readyChangedAt?.lo ?? 0) < began;
}

const isOverdue = (one: NodeEvidence, observed: ObservedState): boolean =>
	expiresBy(one, observed) + 2 * observed.settings.nodeMonitorPeriod + patience < observed.now;

/** The nodes of the last series of transitions without a pause as long as that between two passes. */
function latestGroup(nodes: readonly NodeEvidence[], observed: ObservedState): readonly NodeEvidence[] {
	const sorted = nodes.toSorted((a, b) => turnedBy(b) - turnedBy(a));
	const pause = longestPauseInPass(sorted.slice(0, monitorWorkers), observed);
	const end = sorted.findIndex((one, index) => turnedBy(sorted[index - 1] ?? one) - turnedBy(one) > pause);
	return (end < 0 ? sorted : sorted.slice(0, end)).toReversed();
}

/** Whether the pass that turned a group of nodes Unknown may have more to turn. */
function mayGoOn(group: readonly NodeEvidence[], observed: ObservedState): boolean {
	const last = group.slice(-monitorWorkers);
	return observed.now - Math.max(...last.map(turnedBy)) <= longestPauseInPass(last, observed);
}

/** The longest pause in a pass, which may mark the pods of eight nodes meanwhile; at least six periods, to be safe. */
function longestPauseInPass(
	batch: readonly NodeEvidence[],
	{evidence, settings: {nodeMonitorPeriod, kubeApiQps}}: ObservedState,
): Duration {
	const marked = batch.reduce((sum, {node}) => sum + evidence.pods.mapOfNode(node.name).size, 0);
	return Math.max(6 * nodeMonitorPeriod, marked * callsForPod * (second / kubeApiQps));
}
