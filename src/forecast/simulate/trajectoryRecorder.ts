import {NeverLimiter, TokenBucket} from '../../core/client/tokenBucket.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {readyStatus} from '../../core/model/node.ts';
import {isNodeLifecycleTaint, type Taint, taintNotReady, taintUnreachable} from '../../core/model/taint.ts';
import {zoneKey} from '../../core/model/zone.ts';
import {evictionDue} from '../../core/nodelifecycle/evictionByTimeout.ts';
import {nodeEvictionPeriod} from '../../core/nodelifecycle/zones/rateLimitedTimedQueue.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import {beginningOfTime, type Duration, type Instant, never, second} from '../../core/time/instant.ts';
import {
	isOwn,
	isSyntheticTaint,
	type NodeTrajectory,
	type ReadinessMoment,
	syntheticTaint,
	type TaintMoment,
	type Tokens,
	type Trajectory,
	type ZoneMoment,
} from './trajectory.ts';

/** A pass that lasts longer than this is throttled; others take a fraction of a second. */
const throttledAfter: Duration = 5 * second;

/** Records what happens to a machine. */
export class TrajectoryRecorder {
	readonly #machine: Simulation;
	readonly #settings: ControllerSettings;
	#taints = new Map<string, readonly TaintMoment[]>();
	#readiness = new Map<string, readonly ReadinessMoment[]>();
	#gone = new Map<string, Instant>();
	#zones = new Map<string, readonly ZoneMoment[]>();
	#queued: ReadonlySet<string> = new Set();
	/** When the timeout of each node ends, as of the start. */
	#dueAtStart: ReadonlyMap<string, Instant> = new Map();
	#passStarts: readonly Instant[] = [];
	#busyAt: Instant = beginningOfTime;
	#throttledFrom: Instant | undefined;
	#throttledUntil: Instant | undefined;
	/** When a pass first turned a node Unknown since the zones were sampled. */
	turnedAt: Instant | undefined;
	/** The last change that a token did not cause. */
	lastChangeAt: Instant = beginningOfTime;

	/**
	 * @param settings of the controllers, which may delete the pods of nodes without tainting these
	 * @param before the recorder that it continues, of a copy of the machine
	 */
	constructor(machine: Simulation, settings: ControllerSettings, before?: TrajectoryRecorder) {
		this.#machine = machine;
		this.#settings = settings;
		if (before) {
			this.#continue(before);
			return;
		}
		this.#queued = this.#queuedNow;
		const dueOf = ([name, due]: [string, Instant]) =>
			[name, this.#queued.has(name) ? machine.now : due] as const;
		this.#dueAtStart = new Map([...this.#duesNow].map(dueOf));
		for (const {node} of machine.state.nodes()) {
			const isEvicted = this.#lifecycle?.evictions.status(node.name) === 'evicted';
			const taints = [...noExecuteTaints(node), ...(isEvicted ? [syntheticTaint] : [])];
			this.#taints.set(node.name, [{at: machine.now, taints, isExact: true}]);
		}
		this.sampleZones(machine.now);
	}

	/** A recorder that continues from here with a copy of the machine. */
	fork(machine: Simulation): TrajectoryRecorder {
		return new TrajectoryRecorder(machine, this.#settings, this);
	}

	#continue(before: TrajectoryRecorder) {
		this.#taints = new Map(before.#taints);
		this.#readiness = new Map(before.#readiness);
		this.#gone = new Map(before.#gone);
		this.#zones = new Map(before.#zones);
		this.#queued = before.#queued;
		this.#dueAtStart = before.#dueAtStart;
		this.#passStarts = before.#passStarts;
		this.#busyAt = before.#busyAt;
		this.#throttledFrom = before.#throttledFrom;
		this.#throttledUntil = before.#throttledUntil;
		this.lastChangeAt = before.lastChangeAt;
	}

	get #lifecycle() {
		return this.#machine.controllers?.lifecycle;
	}

	/** The nodes that wait for their eviction. */
	get #queuedNow(): ReadonlySet<string> {
		return new Set(this.#lifecycle?.zones.views.flatMap(({queue}) => queue));
	}

	/** Without taints, when the eviction timeout of each node that is not ready ends, by what the controller remembers of it. */
	get #duesNow(): ReadonlyMap<string, Instant> {
		const settings = this.#settings;
		if (settings.taintBasedEvictions) return new Map();
		return new Map(
			this.#machine.state.nodes().flatMap(({node}): readonly [string, Instant][] => {
				const due = evictionDue(readyStatus(node), this.#lifecycle?.health.get(node.name), settings);
				return due === undefined ? [] : [[node.name, due]];
			}),
		);
	}

	/** Advances to an instant, and records what happens. */
	advanceTo(target: Instant) {
		this.take(this.#machine.advanceTo(target), false);
	}

	/** Records effects; several at one instant are combined. */
	take(effects: ReturnType<Simulation['advanceTo']>, isExact: boolean) {
		for (const {at, effect} of effects) {
			if (effect.type === 'nodeCondition' || effect.type === 'podCondition') this.#isBusy(at);
			if (effect.type === 'taintAdded' || effect.type === 'taintRemoved') {
				if (effect.taint.effect !== 'NoExecute') continue;
				this.#mark(effect.node, effect.taint, effect.type === 'taintAdded', at, isExact);
				if (effect.type === 'taintRemoved') this.lastChangeAt = at;
			} else if (effect.type === 'nodeEvicted') {
				this.#mark(effect.node, syntheticTaint, true, at, isExact);
			} else if (effect.type === 'nodeCondition' && effect.condition === 'Ready') {
				this.lastChangeAt = at;
				if (effect.status === 'Unknown') this.turnedAt ??= at;
				if (effect.status === 'True') this.#mark(effect.node, syntheticTaint, false, at, isExact);
				const moments = this.#readiness.get(effect.node) ?? [];
				const turn = {at, isReady: effect.status === 'True', isUnknown: effect.status === 'Unknown'};
				this.#readiness.set(effect.node, [...moments, turn]);
			}
		}
	}

	/** Notes the start of a pass: a throttled pass writes all the time, and a pause separates it from the next. */
	#isBusy(at: Instant) {
		const isPaused = at - this.#busyAt >= this.#settings.nodeMonitorPeriod && Number.isFinite(this.#busyAt);
		if (isPaused) this.#passStarts = [...this.#passStarts, at];
		this.#busyAt = at;
	}

	/** Records that a node has a taint, or has lost it; several changes at one instant are combined. */
	#mark(node: string, taint: Taint, isThere: boolean, at: Instant, isExact: boolean) {
		const before = this.#taintsOf(node);
		if (isSyntheticTaint(taint) && before.some(isSyntheticTaint) === isThere) return;
		const others = before.filter(({key}) => key !== taint.key);
		const [first, ...later] = this.#taints.get(node) ?? [];
		if (!first) return;
		const earlier = later.at(-1)?.at === at ? later.slice(0, -1) : later;
		const moment = {at, taints: isThere ? [...others, taint] : others, isExact};
		this.#taints.set(node, [first, ...earlier, moment]);
	}

	#taintsOf(node: string): readonly Taint[] {
		return this.#taints.get(node)?.at(-1)?.taints ?? [];
	}

	/** Controllers that stop forget whose pods they have deleted. */
	forgetEvictions() {
		for (const name of this.#taints.keys()) this.#mark(name, syntheticTaint, false, this.#machine.now, true);
	}

	/** Records that a Node object is deleted. */
	deleted(name: string) {
		this.#gone.set(name, this.#machine.now);
	}

	/**
	 * Samples the zones, and the pass in progress.
	 *
	 * @param from when the zones may have changed at the earliest
	 */
	sampleZones(from: Instant) {
		this.turnedAt = undefined;
		const {zones, pass} = this.#lifecycle ?? {};
		if (pass && this.#machine.now - pass.startedAt > throttledAfter) {
			this.#throttledFrom ??= pass.startedAt;
			this.#throttledUntil = undefined;
		} else if (!pass && this.#throttledFrom !== undefined) this.#throttledUntil ??= this.#machine.now;
		for (const zone of zones?.queued ?? []) {
			const limiter = zones?.queue(zone)?.limiter;
			const state = zones?.state(zone) ?? '';
			const rate = limiter instanceof NeverLimiter ? 0 : (limiter?.qps ?? 0);
			const moments = this.#zones.get(zone) ?? [];
			const last = moments.at(-1);
			if (last?.state === state && last.rate === rate) continue;
			this.#zones.set(zone, [...moments, {from, at: this.#machine.now, state, rate}]);
		}
	}

	/**
	 * Returns what was recorded, with what is certain to follow: waiting nodes get the tokens that come after the end.
	 *
	 * @param rankOf the tie-break among the waiting nodes
	 */
	finish(rankOf: ((node: string) => number) | undefined): Trajectory {
		const {controllers, now} = this.#machine;
		const {zones, pass} = controllers?.lifecycle ?? {};
		const tokens = new Map(
			(zones?.queued ?? []).flatMap((zone) => {
				const ofZone = this.#tokensOf(zone);
				return ofZone ? [[zone, ofZone] as const] : [];
			}),
		);
		this.#giveLaterTokens(tokens, rankOf);
		const isPassing = pass !== undefined;
		const toBeQueued = this.#toBeQueued;
		const nodes = [...this.#taints].map(([name, taints]): [string, NodeTrajectory] => {
			const readiness = this.#readiness.get(name) ?? [];
			return [name, {taints, readiness, goneAt: this.#gone.get(name), isUnnoticed: this.#isUnnoticed(name)}];
		});
		return {
			nodes: new Map(nodes),
			zones: this.#zones,
			endsAt: now,
			throttledFrom: this.#throttledFrom,
			throttledUntil: isPassing ? undefined : this.#throttledUntil,
			tokens,
			isPassing,
			queued: this.#queued,
			passStarts: this.#passStarts,
			isControlled: controllers !== undefined,
			due: this.#dues(),
			waiting: new Map(
				zones?.views.map(({zone, queue}) => [
					zone,
					[...queue.filter((name) => !this.#waitsForNothing(name)), ...(toBeQueued.get(zone) ?? [])],
				]),
			),
		};
	}

	/**
	 * When the timeouts end. A restart of a timeout, as when a zone recovers, or a node that was not ready turns Unknown,
	 * changes nothing for nodes that wait by then.
	 */
	#dues(): ReadonlyMap<string, Instant> {
		const waiting = this.#queuedNow;
		const turnOf = (name: string) =>
			this.#taints.get(name)?.find(({taints}) => taints.some(isSyntheticTaint))?.at;
		return new Map(
			[...this.#duesNow].map(([name, due]) => {
				const waitsBy = turnOf(name) ?? (waiting.has(name) ? this.#machine.now : never);
				const before = this.#dueAtStart.get(name) ?? due;
				const [turn, ...later] = this.#readiness.get(name) ?? [];
				// The pass that turns it does not queue it for its earlier timeout.
				const passBefore = (turn?.at ?? beginningOfTime) - this.#settings.nodeMonitorPeriod;
				const wasQueued = this.#queued.has(name) || passBefore > before;
				const stays = wasQueued && turn?.isReady !== true && later.length === 0;
				return [name, stays || waitsBy < due ? Math.min(due, before) : due];
			}),
		);
	}

	#giveLaterTokens(later: ReadonlyMap<string, Tokens>, rankOf: ((node: string) => number) | undefined) {
		for (const [zone, tokens] of later) {
			const queue = this.#lifecycle?.zones.queue(zone)?.values ?? [];
			const waiting = queue
				.filter((name) => this.#machine.state.node(name) && this.#mayWait(name))
				.toSorted((a, b) => (rankOf?.(a) ?? 0) - (rankOf?.(b) ?? 0));
			for (const [index, name] of waiting.entries()) {
				const own = {key: this.#ownTaintOf(name), value: '', effect: 'NoExecute'} as const;
				const taint = this.#settings.taintBasedEvictions ? own : syntheticTaint;
				const at = tokens.first + index * tokens.every;
				const moment = {at, taints: [...this.#taintsOf(name), taint], isExact: false, isAfterEnd: true};
				this.#taints.set(name, [...(this.#taints.get(name) ?? []), moment]);
			}
		}
	}

	/** The tokens that a zone's queue gets from now on, after those taken without effect; undefined if it is stopped. */
	#tokensOf(zone: string): Tokens | undefined {
		const {now} = this.#machine;
		const queue = this.#lifecycle?.zones.queue(zone);
		if (!(queue?.limiter instanceof TokenBucket) || queue.limiter.qps <= 0) return undefined;
		const every = second / queue.limiter.qps;
		const forNothing = queue.values.filter((name) => this.#waitsForNothing(name)).length;
		const next = now + Math.max(0, 1 - queue.limiter.tokensAt(now)) * every;
		return {first: next + forNothing * (every + nodeEvictionPeriod), every};
	}

	/**
	 * Whether a node has waited from the beginning and has its taint, or was deleted before: such nodes come first, and take a
	 * token each.
	 */
	#waitsForNothing(name: string): boolean {
		if (!this.#queued.has(name)) return false;
		const [first, ...later] = this.#taints.get(name) ?? [];
		return first === undefined || (first.taints.some(isNodeLifecycleTaint) && later.length === 0);
	}

	/** By zone, the nodes that have turned Unknown, and that only the next pass queues for their taint. */
	get #toBeQueued(): ReadonlyMap<string, readonly string[]> {
		const {taintBasedEvictions, queuesInPassOfTransition} = this.#settings;
		if (!taintBasedEvictions || queuesInPassOfTransition) return new Map();
		const queued = this.#queuedNow;
		const names = [...this.#taints.keys()].filter(
			(name) => this.#readyOf(name) === 'Unknown' && !queued.has(name) && this.#mayWait(name),
		);
		return Map.groupBy(names, (name) => {
			const node = this.#machine.state.node(name)?.node;
			return node ? zoneKey(node) : '';
		});
	}

	#mayWait(name: string) {
		return !this.#taintsOf(name).some(isOwn);
	}

	/** Whether a node is silent, and no pass has found it yet. */
	get hasUnnoticed() {
		return [...this.#taints.keys()].some((name) => this.#isUnnoticed(name));
	}

	/** Whether a node is Ready, without a taint of the controllers. */
	isWell(name: string) {
		return this.#readyOf(name) === 'True' && this.#mayWait(name);
	}

	/** The nodes that no pass has turned Unknown. */
	get notUnknown(): readonly string[] {
		return [...this.#taints.keys()].filter(
			(name) => this.#machine.state.node(name) && this.#readyOf(name) !== 'Unknown',
		);
	}

	#isUnnoticed(name: string) {
		return !this.#machine.kubelets.isAlive(name) && this.#readyOf(name) === 'True';
	}

	#readyOf(name: string) {
		const node = this.#machine.state.node(name)?.node;
		return node && readyStatus(node);
	}

	#ownTaintOf(name: string): string {
		return this.#readyOf(name) === 'False' ? taintNotReady : taintUnreachable;
	}
}
