import {TokenBucket} from '../core/client/tokenBucket.ts';
import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {Node} from '../core/model/node.ts';
import {taintNotReady, taintUnreachable} from '../core/model/taint.ts';
import type {TimedEffect} from '../core/simulation/effect.ts';
import type {Simulation} from '../core/simulation/simulation.ts';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';

/** What one hidden state does to the nodes. */
export type Outcome = {
	readonly unknown: ReadonlyMap<string, Instant>;
	/** When each node's Ready condition first turns True. */
	readonly ready: ReadonlyMap<string, Instant>;
	/** From when to when each node has a NoExecute taint of the controller's. */
	readonly spells: ReadonlyMap<string, readonly Spell[]>;
	/** The nodes that wait for their taint at the end, by zone. */
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

/** Runs a machine ahead until no node waits for anything but a token, or until the horizon. */
export function runAhead(machine: Simulation, settings: ControllerSettings, horizon: Duration): Outcome {
	const start = machine.now;
	const timeline = new NodeTimeline(
		machine.state.nodes().map(({node}) => node),
		settings.nodeMonitorPeriod,
	);
	const settled = Math.min(settings.nodeMonitorGracePeriod + settings.nodeMonitorPeriod * 3, 2 * minute);
	while (machine.now < start + horizon) {
		timeline.add(machine.advanceTo(machine.now + chunk));
		if (machine.now >= start + settled && isQuiet(machine, timeline.lastChangeAt)) break;
	}
	return {
		unknown: timeline.unknown,
		ready: timeline.ready,
		spells: timeline.spells,
		passStarts: timeline.passStarts,
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
	readonly #taints: Map<string, number>;
	readonly passStarts: Instant[] = [];
	/** The last change that a token did not cause. */
	lastChangeAt: Instant = Number.NEGATIVE_INFINITY;
	readonly #pause: Duration;
	#busyAt: Instant = Number.NEGATIVE_INFINITY;

	/** @param pause what lies between two passes */
	constructor(nodes: readonly Node[], pause: Duration) {
		this.#pause = pause;
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
				if (effect.status === 'True') setFirst(this.ready, effect.node, at);
			} else if ((effect.type === 'taintAdded' || effect.type === 'taintRemoved') && isOwn(effect.taint)) {
				this.#count(effect.node, effect.type === 'taintAdded' ? 1 : -1, at);
			}
		}
	}

	/** A pass that throttling makes last writes something all the time; between two of them lies a pause. */
	#isBusy(at: Instant): void {
		if (at - this.#busyAt >= this.#pause && Number.isFinite(this.#busyAt)) this.passStarts.push(at);
		this.#busyAt = at;
	}

	#count(node: string, change: number, at: Instant): void {
		const before = this.#taints.get(node) ?? 0;
		this.#taints.set(node, before + change);
		if (before === 0) this.#begin(node, at);
		if (before + change > 0) return;
		const spells = this.spells.get(node) ?? [];
		this.spells.set(
			node,
			spells.map((spell) => (spell.to === undefined ? {...spell, to: at} : spell)),
		);
		this.lastChangeAt = at;
	}

	#begin(node: string, from: Instant): void {
		this.spells.set(node, [...(this.spells.get(node) ?? []), {from, to: undefined}]);
	}
}

function setFirst(times: Map<string, Instant>, node: string, at: Instant): void {
	if (!times.has(node)) times.set(node, at);
}

const isOwn = ({key, effect}: {key: string; effect: string}) =>
	effect === 'NoExecute' && (key === taintNotReady || key === taintUnreachable);
