import {TokenBucket} from '../core/client/tokenBucket.ts';
import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {zoneKey} from '../core/model/zone.ts';
import type {Effect, TimedEffect} from '../core/simulation/effect.ts';
import type {Simulation} from '../core/simulation/simulation.ts';
import {type Duration, type Instant, minute, second} from '../core/time/instant.ts';

/** What follows of one hidden state. */
export type Outcome = {
	/** When each pod's deletion is asked for. */
	readonly deletions: ReadonlyMap<string, Instant>;
	readonly unknown: ReadonlyMap<string, Instant>;
	readonly noExecute: ReadonlyMap<string, Instant>;
	/** When a node's NoExecute taint is taken off. */
	readonly cleared: ReadonlyMap<string, Instant>;
	/** The nodes that still wait when nothing more changes, by zone. */
	readonly waiting: ReadonlyMap<string, readonly string[]>;
	/** At which rate nodes of a zone are tainted at the end, per second; zero where it is stopped. */
	readonly rates: ReadonlyMap<string, number>;
	readonly endsAt: Instant;
};

const chunk: Duration = 10 * second;

/** Runs a machine ahead until nothing but timers is left, or until the horizon. */
export function runAhead(machine: Simulation, settings: ControllerSettings, horizon: Duration): Outcome {
	const start = machine.now;
	const effects: TimedEffect[] = [];
	const settled = settings.nodeMonitorGracePeriod + settings.nodeMonitorPeriod * 3;
	while (machine.now < start + horizon) {
		effects.push(...machine.advanceTo(machine.now + chunk));
		if (machine.now >= start + Math.min(settled, 2 * minute) && isQuiet(machine, effects)) break;
	}
	return collect(machine, effects);
}

/** Whether no node waits for anything but is stopped, and nothing changed for a while. */
function isQuiet(machine: Simulation, effects: readonly TimedEffect[]): boolean {
	const lastChange =
		effects.findLast(({effect}) => effect.type !== 'podDeleted')?.at ?? Number.NEGATIVE_INFINITY;
	const isDraining = machine.controllers?.lifecycle.zones.views.some(
		({zone, queue}) => queue.length > 0 && rateOf(machine, zone) > 0,
	);
	return !isDraining && machine.now - lastChange > chunk;
}

function collect(machine: Simulation, effects: readonly TimedEffect[]): Outcome {
	const deletions = new Map<string, Instant>();
	const first = (matches: (effect: Effect) => string | undefined) => {
		const times = new Map<string, Instant>();
		for (const {at, effect} of effects) {
			const key = matches(effect);
			if (key !== undefined && !times.has(key)) times.set(key, at);
		}
		return times;
	};
	for (const [pod, {fireAt}] of machine.controllers?.eviction.queue.scheduled ?? [])
		deletions.set(pod, fireAt);
	for (const {at, effect} of effects) {
		if (effect.type === 'podDeleted' && !effect.again) deletions.set(effect.pod, at);
	}
	const isOwn = (key: string) =>
		key.startsWith('node.kubernetes.io/not-ready') || key.startsWith('node.kubernetes.io/unreachable');
	return {
		deletions,
		unknown: first((effect) =>
			effect.type === 'nodeCondition' && effect.condition === 'Ready' && effect.status === 'Unknown'
				? effect.node
				: undefined,
		),
		noExecute: first((effect) =>
			effect.type === 'taintAdded' && effect.taint.effect === 'NoExecute' && isOwn(effect.taint.key)
				? effect.node
				: undefined,
		),
		cleared: first((effect) =>
			effect.type === 'taintRemoved' && effect.taint.effect === 'NoExecute' && isOwn(effect.taint.key)
				? effect.node
				: undefined,
		),
		waiting: Map.groupBy(
			machine.controllers?.lifecycle.zones.views.flatMap(({queue}) => queue) ?? [],
			(name) => zoneKey(machine.state.node(name)?.node ?? {labels: {}}),
		),
		rates: new Map(machine.controllers?.lifecycle.zones.queued.map((zone) => [zone, rateOf(machine, zone)])),
		endsAt: machine.now,
	};
}

function rateOf(machine: Simulation, zone: string): number {
	const limiter = machine.controllers?.lifecycle.zones.queue(zone)?.limiter;
	return limiter instanceof TokenBucket ? limiter.qps : 0;
}
