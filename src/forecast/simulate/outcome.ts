import {TokenBucket} from '../../core/client/tokenBucket.ts';
import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {type Node, nodeCondition} from '../../core/model/node.ts';
import {isNodeLifecycleTaint, type TaintIdentity} from '../../core/model/taint.ts';
import type {TimedEffect} from '../../core/simulation/effect.ts';
import type {Simulation} from '../../core/simulation/simulation.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Steps} from '../steps.ts';

/** What one hidden state does to the nodes. */
export type Outcome = {
	readonly unknown: ReadonlyMap<string, Instant>;
	/** When each node's Ready condition first turns True. */
	readonly ready: ReadonlyMap<string, Instant>;
	/**
	 * From when to when each node has a NoExecute taint of the controller's; without taints, from when its pods are
	 * deleted until it is ready again.
	 */
	readonly spells: ReadonlyMap<string, readonly Spell[]>;
	/** The nodes that waited for their eviction at the beginning. */
	readonly queued: ReadonlySet<string>;
	/** Without taints, when the time of each node that is not ready is over. */
	readonly due: ReadonlyMap<string, Instant>;
	/** The nodes that wait for their eviction at the end, by zone. */
	readonly waiting: ReadonlyMap<string, readonly string[]>;
	/** The tokens that each zone's queue gets after the end; none where it is stopped. */
	readonly tokens: ReadonlyMap<string, Tokens>;
	/** When passes with something to do begin, after the first: the controller was idle before each. */
	readonly passStarts: readonly Instant[];
	/** Whether a monitor pass is still under way at the end. */
	readonly isPassing: boolean;
	readonly endsAt: Instant;
};

/** A time with a NoExecute taint of the controller's: one swapped for the other does not end it. */
export type Spell = {readonly from: Instant; readonly to: Instant | undefined};

/** A steady flow of tokens. */
export type Tokens = {readonly first: Instant; readonly every: Duration};

const chunk: Duration = 10 * second;
/** Between two pauses. */
const step: Duration = second;

/** Runs a machine ahead until no node waits for anything but a token, or until the horizon. */
export function* runAhead(
	machine: Simulation,
	settings: ControllerSettings,
	horizon: Duration,
): Steps<Outcome> {
	const start = machine.now;
	const timeline = new NodeTimeline(
		machine.state.nodes().map(({node}) => node),
		settings.nodeMonitorPeriod,
		evictedIn(machine, settings),
	);
	const timeout = settings.taintBasedEvictions ? 0 : settings.podEvictionTimeout;
	const settled =
		Math.min(settings.nodeMonitorGracePeriod + settings.nodeMonitorPeriod * 3, 2 * minute) + timeout;
	const queued = new Set(machine.controllers?.lifecycle.zones.views.flatMap(({queue}) => queue));
	while (machine.now < start + horizon + timeout) {
		for (const end = machine.now + chunk; machine.now < end; ) {
			timeline.add(machine.advanceTo(Math.min(end, machine.now + step)));
			yield;
		}
		if (machine.now >= start + settled && isQuiet(machine, timeline.lastChangeAt)) break;
	}
	return {
		unknown: timeline.unknown,
		ready: timeline.ready,
		spells: timeline.spells,
		passStarts: timeline.passStarts,
		queued,
		due: settings.taintBasedEvictions ? new Map() : dueIn(machine, settings),
		waiting: new Map(machine.controllers?.lifecycle.zones.views.map(({zone, queue}) => [zone, queue])),
		tokens: new Map(
			machine.controllers?.lifecycle.zones.queued.flatMap((zone) => {
				const tokens = tokensOf(machine, zone);
				return tokens ? [[zone, tokens]] : [];
			}),
		),
		isPassing: machine.controllers?.lifecycle.pass !== undefined,
		endsAt: machine.now,
	};
}

/** The nodes whose pods were deleted without taints before the run. */
function evictedIn(
	machine: Simulation,
	{taintBasedEvictions}: ControllerSettings,
): ReadonlySet<string> | undefined {
	if (taintBasedEvictions) return undefined;
	const names = machine.state.nodes().map(({node}) => node.name);
	return new Set(names.filter((name) => machine.controllers?.lifecycle.evictions.status(name) === 'evicted'));
}

/** When the time of each node is over that is not ready at the end of a run: by its own clock for each condition. */
function dueIn(machine: Simulation, {podEvictionTimeout}: ControllerSettings): ReadonlyMap<string, Instant> {
	const health = machine.controllers?.lifecycle.health;
	return new Map(
		machine.state.nodes().flatMap(({node}): readonly [string, Instant][] => {
			const status = nodeCondition(node, 'Ready')?.status;
			const remembered = health?.get(node.name);
			if (!remembered || status === undefined || status === 'True') return [];
			const since = status === 'Unknown' ? remembered.probeTimestamp : remembered.readyTransitionTimestamp;
			return [[node.name, since + podEvictionTimeout]];
		}),
	);
}

/** Nothing but queues of a steady rate is left. */
function isQuiet(machine: Simulation, lastChangeAt: Instant): boolean {
	return machine.controllers?.lifecycle.pass === undefined && machine.now - lastChangeAt > chunk;
}

/** The tokens that a zone's queue gets from now on; undefined where it is stopped. */
export function tokensOf(machine: Simulation, zone: string): Tokens | undefined {
	const limiter = machine.controllers?.lifecycle.zones.queue(zone)?.limiter;
	if (!(limiter instanceof TokenBucket) || limiter.qps <= 0) return undefined;
	const every = second / limiter.qps;
	return {first: machine.now + Math.max(0, 1 - limiter.tokensAt(machine.now)) * every, every};
}

/** Follows the controller's NoExecute taints of each node: one swapped for the other is no change. */
class NodeTimeline {
	readonly unknown = new Map<string, Instant>();
	readonly ready = new Map<string, Instant>();
	readonly spells = new Map<string, readonly Spell[]>();
	#taints: Map<string, number>;
	readonly #countsTaints: boolean;
	readonly passStarts: Instant[] = [];
	/** The last change that a token did not cause. */
	lastChangeAt: Instant = Number.NEGATIVE_INFINITY;
	readonly #pause: Duration;
	#busyAt: Instant = Number.NEGATIVE_INFINITY;

	/**
	 * @param pause what lies between two passes
	 * @param evicted the nodes whose pods were deleted without taints before; undefined where taints are what counts
	 */
	constructor(nodes: readonly Node[], pause: Duration, evicted: ReadonlySet<string> | undefined) {
		this.#pause = pause;
		this.#countsTaints = evicted === undefined;
		for (const name of evicted ?? []) this.#begin(name, Number.NEGATIVE_INFINITY);
		this.#taints = new Map();
		if (evicted) return;
		this.#taints = new Map(nodes.map(({name, taints}) => [name, taints.filter(isOwn).length]));
		for (const [name, taints] of this.#taints) if (taints > 0) this.#begin(name, Number.NEGATIVE_INFINITY);
	}

	add(effects: readonly TimedEffect[]): void {
		for (const {at, effect} of effects) {
			if (effect.type === 'nodeCondition' || effect.type === 'podCondition') this.#isBusy(at);
			if (effect.type === 'nodeCondition') {
				this.lastChangeAt = at;
				if (effect.condition !== 'Ready') continue;
				if (effect.status === 'Unknown') setFirst(this.unknown, effect.node, at);
				if (effect.status === 'True') this.#isBack(effect.node, at);
			} else if (effect.type === 'nodeEvicted') {
				this.#begin(effect.node, at);
			} else if ((effect.type === 'taintAdded' || effect.type === 'taintRemoved') && isOwn(effect.taint)) {
				this.#count(effect.node, effect.type === 'taintAdded' ? 1 : -1, at);
			}
		}
	}

	#isBack(node: string, at: Instant): void {
		setFirst(this.ready, node, at);
		// A taint goes in the next pass; what was deleted without one is over now.
		if ((this.#taints.get(node) ?? 0) === 0) this.#end(node, at);
	}

	/** A pass that throttling makes last writes something all the time; between two of them lies a pause. */
	#isBusy(at: Instant): void {
		if (at - this.#busyAt >= this.#pause && Number.isFinite(this.#busyAt)) this.passStarts.push(at);
		this.#busyAt = at;
	}

	#count(node: string, change: number, at: Instant): void {
		if (!this.#countsTaints) return;
		const before = this.#taints.get(node) ?? 0;
		this.#taints.set(node, before + change);
		if (before === 0) this.#begin(node, at);
		if (before + change > 0) return;
		this.#end(node, at);
		this.lastChangeAt = at;
	}

	#end(node: string, at: Instant): void {
		const spells = this.spells.get(node);
		if (!spells) return;
		this.spells.set(
			node,
			spells.map((spell) => (spell.to === undefined ? {...spell, to: at} : spell)),
		);
	}

	#begin(node: string, from: Instant): void {
		this.spells.set(node, [...(this.spells.get(node) ?? []), {from, to: undefined}]);
	}
}

function setFirst(times: Map<string, Instant>, node: string, at: Instant): void {
	if (!times.has(node)) times.set(node, at);
}

const isOwn = ({key, effect}: TaintIdentity) => effect === 'NoExecute' && isNodeLifecycleTaint({key});
