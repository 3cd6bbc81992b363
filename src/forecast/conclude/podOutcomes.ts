import {kept} from '../../core/collections/kept.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {type Pod, podKey} from '../../core/model/pod.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {type Duration, type Instant, never} from '../../core/time/instant.ts';
import {throttleDelayFor} from '../observe/countdowns/deletionThrottleDelay.ts';
import {hasEvictionStarted} from '../observe/countdowns/evictionStart.ts';
import type {PodTimer} from '../observe/countdowns/podTimers.ts';
import {throttleWait} from '../observe/latencies.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isOnlyLate, isSilent} from '../observe/nodes/nodeLiveness.ts';
import {Range} from '../range.ts';
import {type Change, nodeOfChange} from '../simulate/change.ts';
import type {Run} from '../simulate/run.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {TaintBounds} from '../simulate/taintBounds.ts';
import {goesBySyntheticTaint, syntheticTaint, type TaintMoment} from '../simulate/trajectory.ts';
import {collectionOf, type PodCollection} from './collector.ts';
import {overdueAfter} from './judgement.ts';
import {earlierOf, type Merged, merge} from './merge.ts';
import {runsFor} from './nodeTaint.ts';
import {
	type Deletion,
	deletionIn,
	deletionInRun,
	inOrder,
	type PodMoment,
	type PodStarts,
} from './podTimeline.ts';
import {throttleDelayWithoutTaints} from './throttledDeletions.ts';

/** What happens to a pod, over all hidden states and random orders. */
export type PodOutcome = Merged & {
	/** The first of all possible deletions by a taint; undefined if there is none. */
	readonly deletion: Deletion | undefined;
	/** When that is, without the pod garbage collector; null if there is none. */
	readonly deletedAt: Range | null;
	/** Whether the start of its countdown is known: then its deletion does not wait for those of the node's other pods. */
	readonly isTimed: boolean;
	/** Whether the pod garbage collector may come first. */
	readonly isCollected: boolean;
	/** When it comes, if nothing deletes the pod before; undefined if it does not come. */
	readonly collection: PodCollection | undefined;
};

/** Which controller deletes: the one for taints, or, without taints, the one for nodes. */
const ways = ['byTaint', 'byNode'] as const;
type Way = (typeof ways)[number];

type WithDelays = Simulated & {
	/** How long pods of a zone wait for those of its other nodes. */
	readonly delays: {readonly of: (zone: string) => Duration};
};

/** Determines what happens to the pods of one node, from all runs. */
export class PodOutcomes {
	readonly #one: NodeEvidence;
	readonly #situation: WithDelays;
	readonly #changes: readonly Change[];
	readonly #collection: PodCollection | undefined;
	readonly #outcomes = new Map<string, PodOutcome>();
	#bounds: readonly (readonly TaintBounds[])[] | undefined;

	constructor(one: NodeEvidence, situation: WithDelays) {
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
			timer && [timer.fires, timer.taint, timer.tolerated],
			moments.some(({type}) => type === 'tolerations') && podKey(pod),
		]);
		return kept(this.#outcomes, kind, () => this.#find(pod, timer, moments));
	}

	/** Whether a pod may be deleted, at whatever time. */
	mayGo(pod: Pod): boolean {
		const [timer, own] = [this.#timerOf(pod), this.#ownMoments(pod)];
		const inRuns = ways.flatMap((way) => this.#inRuns(pod, way, timer, own));
		return this.#collection !== undefined || inRuns.some((one) => one && Number.isFinite(one.lo));
	}

	/** When a pod is deleted in one of the two ways. */
	deletionOf(pod: Pod, way: Way): Merged {
		return this.#deletion(pod, way, this.#timerOf(pod), this.#ownMoments(pod)).merged;
	}

	/** When the deletions of the node's pods are due in one run, in the order that it has. */
	dueIn({trajectory}: Run): readonly Instant[] {
		const {name} = this.#one.node;
		const taints = trajectory.nodes.get(name)?.taints ?? [];
		const kinds = new Map<unknown, Instant | undefined>();
		return this.#situation.evidence.pods.onNode(name).flatMap((pod) => {
			if (pod.deletionTimestamp !== undefined) return [];
			const timer = this.#timerOf(pod);
			const kind = timer?.fires.hi ?? pod.tolerations;
			if (!kinds.has(kind)) {
				const {late} = this.#startsOf(pod, 'byTaint', timer);
				kinds.set(kind, deletionIn(late, inOrder(this.#ownMoments(pod), taints))?.at);
			}
			return kinds.get(kind) ?? [];
		});
	}

	#find(pod: Pod, timer: PodTimer | undefined, own: readonly PodMoment[]): PodOutcome {
		const byTaint = this.#deletion(pod, 'byTaint', timer, own);
		const byNode = this.#deletion(pod, 'byNode', undefined, own);
		const deletion = [byTaint.first, byNode.first]
			.flatMap((first) => first ?? [])
			.toSorted((a, b) => a.at - b.at)[0];
		const deleted = earlierOf(byTaint.merged, byNode.merged);
		const byCollector = this.#collection && mergedCollection(this.#collection);
		const {range, happens} = byCollector ? earlierOf(deleted, byCollector) : deleted;
		const first = deleted.range?.earliest ?? never;
		return {
			...{range, happens, deletion, deletedAt: deleted.range},
			isTimed: byTaint.isTimed,
			isCollected: byCollector?.range != null && byCollector.range.earliest < first,
			collection: this.#collection,
		};
	}

	#deletion(pod: Pod, way: Way, timer: PodTimer | undefined, own: readonly PodMoment[]) {
		const inRuns = this.#inRuns(pod, way, timer, own);
		const [first] = inRuns.flatMap((one) => one?.first ?? []).toSorted((a, b) => a.at - b.at);
		const isTimed = way === 'byTaint' && (timer !== undefined || (first?.isExact ?? false));
		const delay = way === 'byNode' ? this.#delayWithoutTaints() : isTimed ? 0 : this.#delayOnNode();
		return {merged: delayed(merge(inRuns, 0), delay, this.#situation.now), first, isTimed};
	}

	/** A pod's deletion in each run. */
	#inRuns(pod: Pod, way: Way, timer: PodTimer | undefined, own: readonly PodMoment[]) {
		const {settings} = this.#situation;
		if (!(way === 'byTaint' ? settings.taintEviction : !settings.taintBasedEvictions)) return [];
		const starts = this.#startsOf(pod, way, way === 'byTaint' ? timer : this.#evictedTimer(pod));
		return this.#boundsInRuns().map((bounds) => deletionInRun(bounds, starts, own));
	}

	/** The bounds of the node's taints, by run. */
	#boundsInRuns(): readonly (readonly TaintBounds[])[] {
		if (this.#bounds) return this.#bounds;
		const {runs, evidence, now} = this.#situation;
		const agreeing = this.#isWell ? [] : runsFor(this.#one, runs, evidence.controllersStarted);
		const found = agreeing.map((run) => run.taintBoundsOf(this.#one, now));
		// The runs do not include a node whose trouble began just now.
		const known = found.filter(({length}) => length > 0);
		this.#bounds = known.length > 0 ? known : [[this.#unmoved()]];
		return this.#bounds;
	}

	/** Whether nothing is known to be wrong with the node. */
	get #isWell(): boolean {
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

	#startsOf(
		pod: Pod,
		way: Way,
		timer: Pick<PodTimer, 'taint' | 'tolerated' | 'fires'> | undefined,
	): PodStarts {
		const {tolerations} = pod;
		const {leader, settings} = this.#situation;
		const {taint, tolerated, fires} = timer ?? {};
		const {comparisonOperators} = settings;
		const start = {
			...{tolerations, taint, tolerated, comparisonOperators},
			isControlled: leader.type !== 'absent',
			goesWithNode: way === 'byNode' && goesBySyntheticTaint(pod),
			goesByTaint: way === 'byTaint',
		};
		return {early: {...start, fires: fires?.lo}, late: {...start, fires: fires?.hi}};
	}

	/** A node that was evicted without a taint keeps no pods: each pass deletes those on it. */
	#evictedTimer(pod: Pod): Pick<PodTimer, 'taint' | 'tolerated' | 'fires'> | undefined {
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
		return timer && timer.fires.hi + overdueAfter + delayOfDue >= now ? timer : undefined;
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

	/** How long the pods of the node delay each other: all are due at once, and the controllers' client is throttled. */
	#delayOnNode(): Duration {
		const own = throttleDelayFor(this.#podCount, this.#situation.settings);
		return own === 0 ? 0 : Math.max(own, this.#situation.delays.of(zoneKey(this.#one.node)));
	}

	#delayWithoutTaints(): Duration {
		const {settings} = this.#situation;
		return settings.taintBasedEvictions ? 0 : throttleDelayWithoutTaints(this.#one, this.#situation);
	}
}

function delayed({range, happens}: Merged, delay: Duration, now: Instant): Merged {
	if (!range) return {range, happens};
	const {earliest, expected, latest} = range;
	const end = latest === null ? null : latest + delay;
	return {happens, range: new Range(earliest, expected + delay / 2, end).notBefore(now)};
}

const mergedCollection = ({range, isSure}: PodCollection): Merged =>
	merge([range, ...(isSure ? [] : [undefined])], 0);
