import {beginningOfTime, type Duration, type Instant, second} from '../time/instant.ts';
import type {EvictionEffect, TimedEvictionEffect} from './evictionEffect.ts';
import {synchronize} from './evictionPass.ts';
import {type EvictionState, initialState} from './evictionState.ts';
import type {EvictionWorld} from './evictionWorld.ts';
import {continueKills, isDone, type KillSequence} from './killSequence.ts';
import type {NodePod} from './nodePod.ts';
import type {EvictionSettings} from './thresholds/evictionSettings.ts';

type LoopPhase =
	| {readonly type: 'resting'; readonly until: Instant}
	| {readonly type: 'killing'; readonly kills: KillSequence}
	| Readonly<{
			type: 'cleaningUp';
			pods: readonly NodePod[];
			nextLookAt: Instant;
			giveUpAt: Instant;
	  }>;

/** How often the loop checks whether evicted pods are cleaned up, and when it gives up. */
const cleanupPollPeriod: Duration = second;
const cleanupTimeout: Duration = 30 * second;

/**
 * A kubelet's eviction manager in virtual time. It is deterministic: the same world gives the same effects.
 *
 * @quirk after an eviction the next pass follows its cleanup at once, without the rest between passes
 * @quirk while a kill blocks, no pass runs: no condition changes, and nothing else is evicted
 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go Start
 */
export class EvictionLoop {
	readonly #settings: EvictionSettings;
	readonly #world: EvictionWorld;
	#now: Instant;
	#state: EvictionState;
	#phase: LoopPhase;

	/** @param start when the first pass is due, and the state from before; both default to a fresh start */
	constructor(
		settings: EvictionSettings,
		world: EvictionWorld,
		now: Instant,
		start: {readonly phase?: LoopPhase; readonly state?: EvictionState} = {},
	) {
		this.#settings = settings;
		this.#world = world;
		this.#now = now;
		this.#state = start.state ?? initialState(settings);
		this.#phase = start.phase ?? {type: 'resting', until: now};
	}

	get now(): Instant {
		return this.#now;
	}

	get state(): EvictionState {
		return this.#state;
	}

	get phase(): LoopPhase {
		return this.#phase;
	}

	get nextDueAt(): Instant {
		const phase = this.#phase;
		if (phase.type === 'resting') return phase.until;
		return phase.type === 'killing' ? (phase.kills.current?.until ?? beginningOfTime) : phase.nextLookAt;
	}

	/** Runs everything due up to and including `target`. */
	advanceTo(target: Instant): readonly TimedEvictionEffect[] {
		if (target < this.#now) throw new RangeError(`time runs backwards: ${this.#now} -> ${target}`);
		const effects: TimedEvictionEffect[] = [];
		while (this.nextDueAt <= target) {
			this.#now = Math.max(this.#now, this.nextDueAt);
			effects.push(...this.#step());
		}
		this.#now = target;
		return effects;
	}

	#step(): readonly TimedEvictionEffect[] {
		switch (this.#phase.type) {
			case 'resting':
				return this.#pass();
			case 'killing':
				return this.#kill(this.#phase.kills);
			case 'cleaningUp':
				return this.#cleanUp(this.#phase);
		}
	}

	#pass(): readonly TimedEvictionEffect[] {
		const {state, effects, steps} = synchronize(this.#state, this.#settings, this.#world, this.#now);
		this.#state = state;
		const timed = effects.map((effect) => this.#timed(effect));
		if (steps.length > 0) return [...timed, ...this.#kill({steps, evicted: []})];
		this.#phase = {type: 'resting', until: this.#now + this.#settings.monitoringInterval};
		return timed;
	}

	#kill(before: KillSequence): readonly TimedEvictionEffect[] {
		const {sequence, effects} = continueKills(before, this.#world, this.#now);
		const [nextLookAt, giveUpAt] = [this.#now + cleanupPollPeriod, this.#now + cleanupTimeout];
		this.#phase = isDone(sequence)
			? {type: 'cleaningUp', pods: sequence.evicted, nextLookAt, giveUpAt}
			: {type: 'killing', kills: sequence};
		return effects;
	}

	/**
	 * @upstream kubernetes v1.36.3 pkg/kubelet/eviction/eviction_manager.go waitForPodsCleanup
	 */
	#cleanUp(phase: Extract<LoopPhase, {type: 'cleaningUp'}>): readonly TimedEvictionEffect[] {
		const {pods, nextLookAt, giveUpAt} = phase;
		const isCleanedUp = pods.every((pod) => this.#world.isCleanedUp(pod, this.#now));
		if (!isCleanedUp && nextLookAt < giveUpAt) {
			this.#phase = {...phase, nextLookAt: nextLookAt + cleanupPollPeriod};
			return [];
		}
		this.#phase = {type: 'resting', until: this.#now};
		return [this.#timed({type: isCleanedUp ? 'cleanedUp' : 'cleanupTimedOut', pods})];
	}

	#timed(effect: EvictionEffect): TimedEvictionEffect {
		return {at: this.#now, effect};
	}
}
