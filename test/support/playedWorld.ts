import type {NodeCondition} from '../../src/core/model/node.ts';
import type {TimedEvictionEffect} from '../../src/core/nodepressure/evictionEffect.ts';
import {EvictionLoop} from '../../src/core/nodepressure/evictionLoop.ts';
import type {KubeletReport} from '../../src/core/nodepressure/pressureLook.ts';
import {
	type EvictionConfig,
	evictionSettings,
} from '../../src/core/nodepressure/thresholds/evictionSettings.ts';
import type {PressureCondition} from '../../src/core/nodepressure/thresholds/signal.ts';
import {type Duration, type Instant, second} from '../../src/core/time/instant.ts';
import {forecastPressure} from '../../src/forecast/pressure/forecastPressure.ts';
import type {PressureEvidence, SummarySample} from '../../src/forecast/pressure/observe/pressureEvidence.ts';
import type {
	PressureConditionForecast,
	PressureEviction,
} from '../../src/forecast/pressure/pressureForecast.ts';
import {type Leak, LeakyNode, type Measuring} from './leakyNode.ts';

/** A node, its pods and its kubelet. */
export type DrawnWorld = {
	readonly config: EvictionConfig;
	readonly leaks: readonly Leak[];
	readonly measuring: Measuring;
	/** When the first pass is, and the first look. */
	readonly passAt: Instant;
	readonly lookAt: Instant;
	/** When the latest growth began: it takes time to become a trend. */
	readonly changedAt: Instant;
	/** When something unforeseeable changes. */
	readonly changes?: readonly Instant[];
	/** The kubelet's actual monitoring interval, as a Go duration; ten seconds by default. */
	readonly rests?: string;
	/** The time between two looks; ten seconds by default. */
	readonly lookEvery?: Duration;
	/** Whether its kubelet's events are observed. */
	readonly hasEvents?: boolean;
	/** When its kubelet restarts, and its new configuration. */
	readonly restart?: {readonly at: Instant; readonly config: EvictionConfig; readonly passAt: Instant};
};

export type Prediction = {
	readonly at: Instant;
	readonly evictions: readonly PressureEviction[];
	readonly conditions: readonly PressureConditionForecast[];
};

/** The predictions for a world, and what happened. */
export type PlayedWorld = {
	readonly predictions: readonly Prediction[];
	readonly ends: readonly {readonly name: string; readonly at: Instant}[];
	/** When the API server received changed conditions. */
	readonly turns: readonly Turn[];
};

type Turn = {readonly condition: PressureCondition; readonly isTrue: boolean; readonly at: Instant};

/** How often a kubelet posts its node's status. */
const sync: Duration = 10 * second;

/**
 * Plays a drawn world, looks at it every ten seconds, and keeps the predictions at each look and shortly after.
 *
 * @param every how many looks are made per prediction
 */
export function playWorld(world: DrawnWorld, length: Instant, every = 1): PlayedWorld {
	const player = new WorldPlayer(world);
	const predictions: Prediction[] = [];
	const samples: SummarySample[] = [];
	const {lookEvery = 10 * second} = world;
	for (let look = world.lookAt; look < length; look += lookEvery) {
		player.advanceTo(look);
		samples.push({seenAt: look, summary: player.node.summary(look)});
		const recent = samples.filter(({seenAt}) => look - seenAt <= 300 * second);
		// Pods are listed again between two looks: a victim is gone before its memory is measured as free.
		for (const now of [look, look + 6 * second, ...(lookEvery > 20 * second ? [look + 20 * second] : [])]) {
			player.advanceTo(now);
			const evidence = {...player.evidenceAt(now), samples: recent};
			if (samples.length % every !== 0) continue;
			const {evictions, conditions} = forecastPressure(evidence, now);
			predictions.push({at: now, evictions, conditions});
		}
	}
	player.advanceTo(length + 20 * second);
	return {predictions, ends: player.ends, turns: player.turns};
}

/** A node, its kubelet, and the API server's data about both. */
class WorldPlayer {
	readonly node: LeakyNode;
	readonly ends: {name: string; at: Instant}[] = [];
	readonly turns: Turn[] = [];
	readonly #world: DrawnWorld;
	readonly #messages = new Map<string, string>();
	#config: EvictionConfig;
	#loop: EvictionLoop;

	constructor(world: DrawnWorld) {
		this.#world = world;
		this.node = new LeakyNode(world.leaks, world.measuring);
		this.#config = world.config;
		this.#loop = this.#kubelet(0, world.passAt);
	}

	advanceTo(now: Instant): void {
		const {restart} = this.#world;
		if (restart && this.#loop.now < restart.at && now >= restart.at) {
			this.#take(this.#loop.advanceTo(restart.at));
			this.#config = restart.config;
			// It has no pressure conditions, and reports that with its first status.
			for (const condition of this.#loop.state.conditions) this.#turn(condition, false, restart.at);
			this.#loop = this.#kubelet(restart.at, restart.passAt);
		}
		this.#take(this.#loop.advanceTo(now));
	}

	/** The data from the API server and the kubelet, except its statistics. */
	evidenceAt(now: Instant): Omit<PressureEvidence, 'samples'> {
		const {evicted = [], ...listed} = this.node.listed(now);
		const reports = this.#world.hasEvents ? this.#reportsAt(now) : [];
		return {
			...{...listed, node: 'n1', config: this.#config},
			evicted: evicted.map((one) => ({...one, message: this.#messages.get(one.name) ?? ''})),
			reports,
			conditions: this.#conditionsAt(now),
		};
	}

	#kubelet(now: Instant, passAt: Instant): EvictionLoop {
		const phase = {type: 'resting', until: passAt} as const;
		const {rests: monitoringInterval} = this.#world;
		const config = {...this.#config, ...(monitoringInterval && {monitoringInterval})};
		return new EvictionLoop(evictionSettings(config), this.node, now, {phase});
	}

	/** Events arrive a second late, and have times of whole seconds. */
	#reportsAt(now: Instant): readonly KubeletReport[] {
		return this.ends
			.filter(({at}) => at + second <= now)
			.map(({name, at}) => ({
				...{node: 'n1', reason: 'Evicted', at: Math.floor(at / second) * second},
				...{message: this.#messages.get(name) ?? '', pod: `shop/${name}`, uid: `uid-${name}`},
			}));
	}

	#take(effects: readonly TimedEvictionEffect[]): void {
		for (const {at, effect} of effects) {
			if (effect.type === 'killed') {
				this.ends.push({name: effect.pod.name, at});
				this.#messages.set(effect.pod.name, effect.message);
			}
			if (effect.type === 'conditionChanged') this.#turn(effect.condition, effect.isTrue, at);
		}
	}

	/** The kubelet reports it with its next status. */
	#turn(condition: PressureCondition, isTrue: boolean, at: Instant): void {
		const phase = this.#world.measuring.seed ?? 0;
		this.turns.push({condition, isTrue, at: Math.ceil((at - phase) / sync) * sync + phase});
	}

	#conditionsAt(now: Instant): readonly NodeCondition[] {
		const listed = this.turns.filter(({at}) => at <= now);
		return [...Map.groupBy(listed, ({condition}) => condition).values()].flatMap((turns) => {
			const last = turns.at(-1);
			if (!last) return [];
			const {condition: type, isTrue, at} = last;
			// Times in the API are whole seconds.
			const lastTransitionTime = Math.floor(at / second) * second;
			return [{type, status: isTrue ? 'True' : 'False', lastHeartbeatTime: at, lastTransitionTime} as const];
		});
	}
}
