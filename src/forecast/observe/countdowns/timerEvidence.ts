import {maxOf} from '../../../core/collections/extremes.ts';
import {latest} from '../../../core/collections/latest.ts';
import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isReadyNode, type Node} from '../../../core/model/node.ts';
import {type Pod, podKey} from '../../../core/model/pod.ts';
import {isNodeLifecycleTaint, type Taint} from '../../../core/model/taint.ts';
import {isExcludedFromDisruptionChecks} from '../../../core/nodelifecycle/nodeLabels.ts';
import {noExecuteTaints} from '../../../core/tainteviction/taintEvictionController.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../../core/time/instant.ts';
import type {PodIndex} from '../../../store/podIndex.ts';
import type {EventEvidence, SeenEvent} from '../eventEvidence.ts';
import {hull, type Interval, intersect, isPrompt, shift} from '../interval.ts';
import {isSameTaints} from '../nodes/lifecycleTaint.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';
import type {PassDuringTaints} from '../passes/passesDuringTaints.ts';
import {throttleDelayFor} from './deletionThrottleDelay.ts';
import type {NodeAtFirstLook} from './nodeAtFirstLook.ts';
import {
	type LimitedToleration,
	type PodTimer,
	PodTimers,
	type TolerationOutcome,
	toleratedInAnyOrder,
	tolerationOf,
} from './podTimers.ts';
import {leftAt, referencePodsAmong} from './referencePods.ts';
import {type TimerBounds as TimerAtFirstLook, timerAtFirstLook} from './timerAtFirstLook.ts';

/** What is needed to judge timers whose start was not seen. */
export type TimersFound = Readonly<{
	nodes: {values(): Iterable<NodeEvidence>};
	controllersStarted: Interval;
	/** The passes during which nodes may have been tainted. */
	passesDuringTaints: readonly PassDuringTaints[];
	now: Instant;
}>;

/** A cancellation this long after a timer's start cancels that timer, not the one before. */
const clearlyLater: Duration = 2 * second;

/** Follows the countdowns of all pods by taints, tolerations and the controller's events. */
export class TimerEvidence {
	readonly timers: PodTimers;
	readonly #settings: ControllerSettings;
	readonly #pods: PodIndex;
	readonly #events: EventEvidence;
	/** What is worked out once for all nodes. */
	readonly #overviewOf = latest((found: TimersFound) => ({
		returnedSince: allReturnedSince(found, this.#settings),
		deletions: deletionsIn(found, this.#pods),
	}));

	constructor(settings: ControllerSettings, pods: PodIndex, events: EventEvidence) {
		this.timers = new PodTimers(settings);
		this.#settings = settings;
		this.#pods = pods;
		this.#events = events;
	}

	/**
	 * Takes in a version of a node. If its taints have changed, the controller handled all of its pods within `seen`.
	 */
	lookAtNode(before: Node | undefined, one: NodeEvidence, seen: Interval, found: TimersFound) {
		const [old, young] = [before ? noExecuteTaints(before) : [], noExecuteTaints(one.node)];
		if (isSameTaints(old, young)) return;
		const source = 'the taint was seen arriving';
		const {comparisonOperators} = this.#settings;
		const look = isPrompt(seen) ? undefined : this.#lookAt(one, found);
		const isCleared = mayBeClearedAtStart(old, young, seen, found.controllersStarted);
		for (const pod of this.#pods.onNode(one.node.name)) {
			const toleration = this.#toleration(pod, one.node);
			// In a gap, the taint may be of a later pass than the first; then the old countdown continues.
			if (isCleared && look) this.#mayBeginAnew(pod, toleration, seen, found.controllersStarted);
			else if (isCleared) this.timers.delete(podKey(pod));
			const limits = toleratedInAnyOrder(pod, toleration, old, young, comparisonOperators);
			const due = hull(limits.map((limit) => shift(seen, limit)));
			if (!look || toleration.type !== 'limited')
				this.timers.look(pod, toleration, seen, source, {fires: due});
			else this.#lookBoth(pod, toleration, seen, look, due);
		}
	}

	/** Takes in that the first pass of new controllers may have restarted a countdown. */
	#mayBeginAnew(pod: Pod, toleration: TolerationOutcome, seen: Interval, {hi}: Interval) {
		const running = this.timers.get(pod);
		if (!running || toleration.type !== 'limited') return;
		const began = {lo: running.started.lo, hi: Math.min(seen.hi, hi + firstPassWithin)};
		this.timers.notBefore(podKey(pod), began);
		this.timers.mayLast(podKey(pod), [toleration.tolerated]);
	}

	/** Takes in taints that changed unwatched. The objects may date the change more narrowly than `seen`. */
	#lookBoth(pod: Pod, toleration: LimitedToleration, seen: Interval, look: NodeAtFirstLook, due: Interval) {
		const {started, fires, usual, source} = this.#startOf(pod, toleration, look);
		this.timers.look(pod, toleration, intersect(started, seen) ?? seen, source, {
			fires: intersect(fires, due) ?? due,
			usual: intersect(usual, due) ?? due,
		});
	}

	/** Takes in that the controller handled a pod at some instant within `seen`. */
	lookAtPod(pod: Pod, node: Node, seen: Interval, source: string) {
		this.timers.look(pod, this.#toleration(pod, node), seen, source);
	}

	/**
	 * Restarts countdowns that began before the controllers started: new controllers have no memory.
	 *
	 * @param missing the nodes that were gone by then: the countdowns of their pods end, as new controllers never see the taint
	 */
	restart(nodes: ReadonlyMap<string, NodeEvidence>, missing: readonly string[], started: Interval) {
		if (this.#pods.size === 0) return;
		for (const name of missing) for (const pod of this.#pods.onNode(name)) this.timers.delete(podKey(pod));
		for (const [key, timer] of this.timers.begunBefore(started.lo)) {
			const pod = this.#pods.get(key);
			const one = pod && nodes.get(pod.nodeName);
			if (!one) continue;
			if (timer.started.hi >= started.lo) {
				this.timers.notBefore(key, started);
				continue;
			}
			this.timers.delete(key);
			this.lookAtPod(pod, one.node, started, 'the controllers started again');
		}
	}

	/** Judges timers that started before anything was seen: of all pods, or of those with the given keys. */
	find(found: TimersFound, keys?: ReadonlySet<string>) {
		if (this.#pods.size === 0) return;
		for (const one of found.nodes.values()) {
			if (noExecuteTaints(one.node).length === 0) continue;
			const look = this.#lookAt(one, found);
			for (const pod of look.pods) {
				const toleration = this.#toleration(pod, one.node);
				if (toleration.type !== 'limited' || (keys && !keys.has(podKey(pod)))) continue;
				this.#findOne(pod, toleration, look);
			}
		}
	}

	/** Takes in the taint-eviction controller's events about a pod. */
	reported(pod: Pod, one: NodeEvidence, found: TimersFound) {
		const cancelled = this.#events.last('CancellingDeletion', podKey(pod));
		const timer = this.timers.get(pod);
		if (cancelled && timer && timer.started.hi + clearlyLater < cancelled.at.lo) {
			const toleration = this.#toleration(pod, one.node);
			this.timers.delete(podKey(pod));
			if (toleration.type === 'limited') this.#findOne(pod, toleration, this.#lookAt(one, found));
			// The countdown may have been restarted under taints that have changed since, so with any toleration of the
			// pod.
			this.timers.mayLast(podKey(pod), limitsOf(pod));
		}
		this.#markRanOut(pod, one, found.controllersStarted);
	}

	#lookAt({node, wasReady, readyChangedAt}: NodeEvidence, found: TimersFound): NodeAtFirstLook {
		const {controllersStarted, now} = found;
		const {returnedSince, deletions} = this.#overviewOf(found);
		const since = found.passesDuringTaints.filter(({endsBy}) => endsBy >= (readyChangedAt?.lo ?? endsBy));
		// A pass processes each node once. The one that found this node Unknown did so before the taint, so it cannot
		// have queued it again.
		const others = since.filter(({own}) => !own || !readyChangedAt || !intersect(own, readyChangedAt));
		const firstTaintedBy =
			(readyChangedAt?.lo ?? never) < returnedSince ? never : maxOf(others.map(({endsBy}) => endsBy));
		const {nodeMonitorPeriod, comparisonOperators} = this.#settings;
		const [pods, noExecute] = [this.#pods.onNode(node.name), noExecuteTaints(node)];
		// The pods that the controller did not try to delete. One whose deletion failed is no reference pod: it exists
		// whatever the taints.
		const spared = pods.filter((pod) => !this.#isTriedInVain(pod));
		const podsOfAnyTime = referencePodsAmong(spared, now);
		const turns = this.#events.notReady(node.name).map(({at}) => at.lo);
		return {
			node,
			wasReady,
			readyChangedAt,
			pods,
			noExecute,
			podsOfAnyTime,
			controllersStarted,
			now,
			nodeMonitorPeriod,
			comparisonOperators,
			firstTaintedBy,
			referencePods: since.length > 0 ? [] : podsOfAnyTime,
			turnedUnknownAfter: maxOf(turns),
			delayedBy: {
				lo: throttleDelayFor(deletions, this.#settings),
				hi: throttleDelayFor(deletions, {...this.#settings, kubeApiBurst: 0}),
			},
		};
	}

	#isTriedInVain(pod: Pod) {
		const marked = this.#events.last('MarkingForDeletion', podKey(pod));
		return marked !== undefined && pod.deletionTimestamp === undefined && isAbout(pod, marked);
	}

	#findOne(pod: Pod, toleration: LimitedToleration, look: NodeAtFirstLook) {
		const {started, source, ...known} = this.#startOf(pod, toleration, look);
		this.timers.look(pod, toleration, started, source, known);
		this.#markRanOut(pod, look, look.controllersStarted);
	}

	/** Judges one timer: it cannot be older than the last cancellation. */
	#startOf(pod: Pod, toleration: LimitedToleration, look: NodeAtFirstLook): TimerAtFirstLook {
		const cancelled = this.#events.last('CancellingDeletion', podKey(pod));
		const found = timerAtFirstLook(pod, toleration, look);
		if (!cancelled || cancelled.at.lo <= look.controllersStarted.lo) return found;
		const {hi} = look.controllersStarted;
		const later = timerAtFirstLook(pod, toleration, {...look, controllersStarted: {lo: cancelled.at.lo, hi}});
		// The taint is older than the cancellation, which had another cause.
		if (later.started.lo > later.started.hi) return found;
		const isNarrower = later.fires.lo > found.fires.lo || later.fires.hi < found.fires.hi;
		return isNarrower
			? {...later, source: `${later.source}, and the event that called off the one before`}
			: found;
	}

	#markRanOut(pod: Pod, {node}: Pick<NodeEvidence, 'node'>, controllersStarted: Interval) {
		const marked = this.#events.last('MarkingForDeletion', podKey(pod));
		const timer = this.timers.get(pod);
		if (!marked || !timer || timer.ranOut === marked.event || pod.deletionTimestamp !== undefined) return;
		const isOfProcess = marked.at.lo > controllersStarted.lo;
		if (isAbout(pod, marked) && isOfProcess && isOfTimer(marked, timer, node)) {
			this.timers.ranOut(podKey(pod), marked.at, marked.event);
		}
	}

	#toleration(pod: Pod, node: Node): TolerationOutcome {
		return tolerationOf(pod, noExecuteTaints(node), this.#settings.comparisonOperators);
	}
}

/** The first pass comes this soon after the controllers' start, even if a conflict makes it write twice. */
const firstPassWithin: Duration = second;

/** How many deletions may have waited for the controller's client: pods of tainted and of gone nodes, and those of others. */
function deletionsIn({nodes}: TimersFound, pods: PodIndex): number {
	// Pods without a node wait for the scheduler.
	let spared = pods.onNode('').length;
	for (const {node} of nodes.values())
		if (noExecuteTaints(node).length === 0)
			spared += pods.onNode(node.name).filter((pod) => leftAt(pod) === undefined).length;
	return pods.size - spared;
}

/**
 * Since when each ready node has been ready: until then all may have been down. The pass that finds all down may have
 * tainted a node just before; that taint stays, and is written again once a node is back.
 */
function allReturnedSince({nodes}: TimersFound, settings: ControllerSettings): Instant {
	let since = never;
	for (const {node, readyChangedAt} of nodes.values())
		if (isReadyNode(node) && !isExcludedFromDisruptionChecks(node, settings))
			since = Math.min(since, readyChangedAt?.hi ?? beginningOfTime);
	return Number.isFinite(since) ? since : beginningOfTime;
}

/** Whether new controllers' first pass may have removed all taints before it added the present ones: no countdown goes on. */
function mayBeClearedAtStart(old: readonly Taint[], young: readonly Taint[], seen: Interval, {hi}: Interval) {
	const isSwapped = old.every((taint) => !young.some(({key}) => key === taint.key));
	return isSwapped && old.every(isNodeLifecycleTaint) && seen.lo <= hi + firstPassWithin;
}

/** The tolerated times of a pod, in milliseconds: the API accepts `tolerationSeconds` only for NoExecute. */
const limitsOf = ({tolerations}: Pod): readonly Duration[] =>
	tolerations.flatMap(({tolerationSeconds}) =>
		tolerationSeconds === undefined ? [] : [Math.max(0, tolerationSeconds) * second],
	);

/** Whether an event is about a pod. Events carry no UID: an older one is about an earlier pod of that name. */
const isAbout = ({createdAt}: Pod, {at}: SeenEvent) => createdAt + second <= at.lo;

/** Whether an attempt to delete came from the timer that was started last. */
function isOfTimer({at}: SeenEvent, {started, fires, tolerated}: PodTimer, {taintWrites}: Node) {
	if (started.hi <= at.lo) return true;
	if (tolerated === 0 && fires.lo <= at.hi && at.lo <= fires.hi) return true;
	const written = taintWrites?.map(({time}) => time + second) ?? [];
	return written.length > 0 && maxOf(written) <= at.lo && started.lo <= at.lo;
}
