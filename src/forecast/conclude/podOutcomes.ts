import {ascending} from '../../core/collections/ascending.ts';
import {kept} from '../../core/collections/kept.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {Duration} from '../../core/time/instant.ts';
import type {DueDeletions} from '../observe/countdowns/deletionThrottleDelay.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import type {PodTimer} from '../observe/countdowns/podTimers.ts';
import {intersect} from '../observe/interval.ts';
import {callDuration, throttleWait} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isSilent} from '../observe/nodes/nodeLiveness.ts';
import {Range, type TurnWait} from '../range.ts';
import {type Change, nodeOfChange} from '../simulate/change.ts';
import type {Draw} from '../simulate/occurrence.ts';
import type {Run} from '../simulate/run.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {TaintBounds} from '../simulate/taintBounds.ts';
import {
	goesBySyntheticTaint,
	isSyntheticTaint,
	syntheticTaint,
	type TaintMoment,
} from '../simulate/trajectory.ts';
import {type Judgement, judged, verdictOf} from '../verdict.ts';
import {collectionOf, type PodCollection} from './collector.ts';
import {causeOf, isOverdue, verdictOn} from './judgement.ts';
import {type Merged, merge} from './merge.ts';
import {runsFor} from './nodeTaint.ts';
import {
	type Deletion,
	deletionIn,
	deletionInRun,
	inOrder,
	type PodMoment,
	type PodStarts,
} from './podTimeline.ts';

/** What happens to a pod, over all hidden states and random orders: Safe if nothing deletes it. */
export type PodOutcome = Judgement & {
	/** The first of all possible deletions by a taint; undefined if there is none. */
	readonly deletion: Deletion | undefined;
};

/** Which controller deletes: the one for taints, or, without taints, the one for nodes. */
const ways = ['byTaint', 'byNode'] as const;
type Way = (typeof ways)[number];

type WithDeletions = Simulated & {
	/** How long a deletion that is due within a range waits for those of other pods. */
	readonly deletions: {readonly waitOf: (range: Range, due: Range) => TurnWait};
};

/** Deletions of a node's pods that are due alike. */
export type DueOfNode = DueDeletions & {
	readonly node: string;
	/** The zone whose token starts the countdown, and how long that runs; undefined if it runs already. */
	readonly after: string | undefined;
};

/** Pods of a node for which the same follows from its taints. */
type PodKind = {readonly starts: PodStarts; readonly own: readonly PodMoment[]; readonly count: number};

type Countdown = Pick<PodTimer, 'taint' | 'tolerated' | 'fires'> & Partial<Pick<PodTimer, 'usual'>>;

/** A pod's deletion in one of the ways, over all runs, and the first of any. */
type DeletionInRuns = {readonly merged: Merged; readonly first: Deletion | undefined};

type BoundsInRun = {readonly draw?: Draw; readonly bounds: readonly TaintBounds[]};

/** Determines what happens to the pods of one node, from all runs. */
export class PodOutcomes {
	readonly #one: NodeEvidence;
	readonly #situation: WithDeletions;
	readonly #changes: readonly Change[];
	readonly #collection: PodCollection | undefined;
	readonly #outcomes = new Map<string, PodOutcome>();
	#bounds: readonly BoundsInRun[] | undefined;
	#ofKinds: readonly PodKind[] | undefined;

	constructor(one: NodeEvidence, situation: WithDeletions) {
		this.#one = one;
		this.#situation = situation;
		this.#changes = situation.changes.filter((change) => nodeOfChange(change) === one.node.name);
		this.#collection = this.#findCollection();
	}

	/** What happens to a pod of the node. */
	of(pod: Pod): PodOutcome {
		const timer = this.#timerOf(pod);
		const moments = this.#ownMoments(pod);
		const kind = JSON.stringify([
			pod.tolerations,
			goesBySyntheticTaint(pod),
			timer && [timer.fires, timer.usual, timer.taint, timer.tolerated],
			moments.some(({type}) => type === 'tolerations') && podKey(pod),
		]);
		return kept(this.#outcomes, kind, () => this.#find(pod, timer, moments));
	}

	/** Whether a pod may be deleted, at whatever time. */
	mayGo(pod: Pod) {
		const [timer, own] = [this.#timerOf(pod), this.#ownMoments(pod)];
		const inRuns = ways.flatMap((way) => this.#inRuns(pod, way, timer, own));
		return this.#collection !== undefined || inRuns.some((one) => one && Number.isFinite(one.lo));
	}

	/** When a pod is deleted in one of the two ways. */
	deletionOf(pod: Pod, way: Way): Merged {
		return this.#deletion(pod, way, this.#timerOf(pod), this.#ownMoments(pod)).merged;
	}

	/** When the deletions of the node's pods are due in one run, in the order that it has. */
	dueIn({trajectory}: Run): readonly DueOfNode[] {
		const {node} = this.#one;
		const taints = trajectory.nodes.get(node.name)?.taints ?? [];
		return this.#kinds.flatMap(({starts: {early, late}, own, count}) => {
			const moments = inOrder(own, taints);
			const first = deletionIn(early, moments);
			const lo = first?.at;
			const hi = deletionIn(late, moments)?.at ?? lo;
			if (lo === undefined || hi === undefined) return [];
			const after = first && !first.isOld ? `${zoneKey(node)} ${first.tolerated}` : undefined;
			return {lo, hi, count, node: node.name, after};
		});
	}

	/** The pods of the node whose countdowns and tolerations are alike. */
	get #kinds(): readonly PodKind[] {
		if (this.#ofKinds) return this.#ofKinds;
		const kinds = new Map<unknown, {starts: PodStarts; own: readonly PodMoment[]; count: number}>();
		for (const pod of this.#situation.evidence.pods.onNode(this.#one.node.name)) {
			// A taint that comes deletes a pod again that is Terminating.
			const timer = pod.deletionTimestamp === undefined ? this.#timerOf(pod) : undefined;
			const kind = kept(kinds, timer?.fires.hi ?? pod.tolerations, () => ({
				starts: this.#startsOf(pod, 'byTaint', timer),
				own: this.#ownMoments(pod),
				count: 0,
			}));
			kind.count += 1;
		}
		this.#ofKinds = [...kinds.values()];
		return this.#ofKinds;
	}

	#find(pod: Pod, timer: PodTimer | undefined, own: readonly PodMoment[]): PodOutcome {
		const deletions = ways.map((way) => this.#deletion(pod, way, way === 'byTaint' ? timer : undefined, own));
		const [deletion] = deletions.flatMap(({first}) => first ?? []).toSorted(ascending(({at}) => at));
		const collected = this.#collection && judgeCollection(this.#collection);
		return {...verdictOf([...deletions.map(judgeDeletion), collected]), deletion};
	}

	#deletion(pod: Pod, way: Way, timer: PodTimer | undefined, own: readonly PodMoment[]): DeletionInRuns {
		const inRuns = this.#inRuns(pod, way, timer, own);
		const [first] = inRuns.flatMap((one) => one?.first ?? []).toSorted(ascending(({at}) => at));
		const {range, happens} = merge(inRuns, 0, this.#agreeingRuns);
		const due = range?.notBefore(this.#situation.now);
		const wait = range && due && this.#waitOf(range, due, way);
		return {merged: {range: (wait && due?.delayed(wait)) ?? null, happens}, first};
	}

	/** A pod's deletion in each run. */
	#inRuns(pod: Pod, way: Way, timer: PodTimer | undefined, own: readonly PodMoment[]) {
		const {settings} = this.#situation;
		if (!(way === 'byTaint' ? settings.taintEviction : !settings.taintBasedEvictions)) return [];
		const starts = this.#startsOf(pod, way, way === 'byTaint' ? timer : this.#evictedTimer(pod));
		return this.#boundsInRuns.map(({bounds}) => deletionInRun(bounds, starts, own));
	}

	/** The bounds of the node's taints, by run. */
	get #boundsInRuns(): readonly BoundsInRun[] {
		if (this.#bounds) return this.#bounds;
		const {runs, evidence, now} = this.#situation;
		const agreeing = this.#isWell ? [] : runsFor(this.#one, runs, evidence.controllersStarted);
		const found = agreeing.map((run) => ({draw: run.draw, bounds: run.taintBoundsOf(this.#one, now)}));
		// The runs do not include a node whose trouble began just now.
		const known = found.filter(({bounds}) => bounds.length > 0);
		this.#bounds = known.length > 0 ? known : [{bounds: [this.#unmoved()]}];
		return this.#bounds;
	}

	/** The runs of these bounds: where all agree, the same list for all nodes. */
	get #agreeingRuns(): readonly {readonly draw?: Draw}[] {
		const {runs} = this.#situation;
		return this.#boundsInRuns.length === runs.length ? runs : this.#boundsInRuns;
	}

	/** Whether nothing is known to be wrong with the node. */
	get #isWell() {
		const {node} = this.#one;
		return (
			isReadyNode(node) &&
			!isSilent(this.#one, this.#situation.now) &&
			!isOnlyLate(this.#one, this.#situation.now) &&
			noExecuteTaints(node).length === 0 &&
			this.#changes.length === 0
		);
	}

	#unmoved(): TaintBounds {
		const taints = noExecuteTaints(this.#one.node);
		const moments: readonly TaintMoment[] = [{at: this.#situation.now, taints, isExact: true}];
		return {early: moments, late: moments};
	}

	#startsOf(pod: Pod, way: Way, timer: Countdown | undefined): PodStarts {
		const {tolerations} = pod;
		const {leader, settings} = this.#situation;
		const {taint, tolerated, fires, usual} = timer ?? {};
		const {comparisonOperators} = settings;
		const start = {
			tolerations,
			taint,
			tolerated,
			comparisonOperators,
			usual: fires && usual && intersect(usual, fires),
			isControlled: leader.type !== 'absent',
			goesWithNode: way === 'byNode' && goesBySyntheticTaint(pod),
			goesByTaint: way === 'byTaint',
		};
		return {early: {...start, fires: fires?.lo}, late: {...start, fires: fires?.hi}};
	}

	/** A node that was evicted without a taint keeps no pods: each pass deletes those on it. */
	#evictedTimer(pod: Pod): Countdown | undefined {
		const {affected, settings, now, passes} = this.#situation;
		const isEvicted = hasEvictionStarted(this.#one, affected.evictionStarts, settings);
		if (settings.taintBasedEvictions || !isEvicted || !goesBySyntheticTaint(pod)) return undefined;
		return {taint: syntheticTaint, tolerated: 0, fires: {lo: now, hi: now + passes.phase.period.hi}};
	}

	/** A countdown that should have led to a deletion long ago does not count, nor does any without its controller. */
	#timerOf(pod: Pod): PodTimer | undefined {
		const {evidence, now, delayOfDue, settings} = this.#situation;
		if (!settings.taintEviction) return undefined;
		const timer = evidence.timers.get(pod);
		return timer && !isOverdue(timer, now, delayOfDue) ? timer : undefined;
	}

	/** What happens to a pod besides its node's taints. */
	#ownMoments(pod: Pod): readonly PodMoment[] {
		const key = podKey(pod);
		return this.#situation.changes.flatMap((change): readonly PodMoment[] => {
			if (change.type === 'controllersDown' || change.type === 'controllersStart')
				return [{at: change.at, type: change.type}];
			if (change.type !== 'tolerations' || change.pod !== key) return [];
			return [{at: change.at, type: 'tolerations', tolerations: change.tolerations}];
		});
	}

	#findCollection(): PodCollection | undefined {
		const {changes, leader, settings} = this.#situation;
		const goneAt = this.#changes.find(({type}) => type === 'deleteNode')?.at;
		if (goneAt === undefined) return undefined;
		const calls = 2 * this.#podCount + 1;
		return collectionOf(goneAt, changes, leader.type !== 'absent', throttleWait(calls, settings));
	}

	get #podCount(): number {
		return this.#situation.evidence.pods.mapOfNode(this.#one.node.name).size;
	}

	/** How long deletions delay each other, as the controllers' client is throttled. @param range may begin before now, `due` does not */
	#waitOf(range: Range, due: Range, way: Way): TurnWait {
		if (way === 'byTaint') return this.#situation.deletions.waitOf(range, due);
		const longest = throttleDelayWithoutTaints(this.#one, this.#situation);
		return {longest, usual: longest / 2};
	}
}

function judgeDeletion({merged: {range, happens}, first}: DeletionInRuns): Judgement | undefined {
	if (!first || !range) return undefined;
	const {taint, tolerated, isOld} = first;
	const cause = isSyntheticTaint(taint) ? ({kind: 'NodeEviction'} as const) : causeOf(taint, tolerated);
	return judged(verdictOn(happens, isOld), cause, range);
}

function judgeCollection({range, isSure}: PodCollection): Judgement {
	const at = Range.over(range);
	return judged(isSure ? 'Expected' : 'Unsure', {kind: 'NodeDeleted'}, isSure ? at : at.until(null));
}

/** The client calls of a deletion without taints: the pod's status, an event, the delete. */
const callsPerPod = 3;

/** How long the pods of nodes that are evicted together delay each other: one goroutine deletes all of them. */
function throttleDelayWithoutTaints(
	{node}: NodeEvidence,
	{evidence, affected, settings}: Simulated,
): Duration {
	const ofZones = new Map<string, number>();
	for (const one of affected.nodes) {
		const pods = evidence.pods.mapOfNode(one.node.name).size;
		const zone = zoneKey(one.node);
		ofZones.set(zone, Math.max(ofZones.get(zone) ?? 0, pods));
	}
	// The largest node of each zone may be evicted just before.
	const others = [...ofZones.values()].reduce((sum, pods) => sum + pods, 0);
	const calls = callsPerPod * (others + evidence.pods.mapOfNode(node.name).size);
	return Math.max(throttleWait(calls, settings), calls * callDuration.hi);
}
