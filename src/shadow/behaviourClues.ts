import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import {nodeCondition} from '../core/model/node.ts';
import type {Observation} from '../core/model/observation.ts';
import {zoneKey, zoneLabel} from '../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../core/nodelifecycle/nodeLabels.ts';
import type {Instant} from '../core/time/instant.ts';
import {BehaviourLog} from '../forecast/settings/behaviourLog.ts';
import {learnSettings} from '../forecast/settings/learn.ts';
import type {Case} from './case.ts';
import type {SettingClues} from './otherSetting.ts';
import type {SeenAction} from './seenAction.ts';
import type {SeenWorld} from './seenWorld.ts';

/** Watches the behaviour of the controllers that run now: others may have other flags. */
export class BehaviourClues {
	readonly #world: SeenWorld;
	readonly #settings: () => ControllerSettings;
	#log: BehaviourLog;
	#isAnew = false;
	readonly #zoneTaintedAt = new Map<string, Instant>();
	/** The same, of the taint before. */
	readonly #zoneTaintedBefore = new Map<string, Instant>();

	constructor(world: SeenWorld, settings: () => ControllerSettings) {
		this.#world = world;
		this.#settings = settings;
		this.#log = new BehaviourLog(settings());
	}

	/** Begins anew with the next batch: what was seen so far is of other controllers, or was not all that happened. */
	startAnew(): void {
		this.#isAnew = true;
		this.#zoneTaintedAt.clear();
		this.#zoneTaintedBefore.clear();
	}

	/** Takes in a batch that the world has taken in before. */
	observe(observations: readonly Observation[], actions: readonly SeenAction[], arrivedAt: Instant): void {
		if (this.#isAnew) this.#log = new BehaviourLog(this.#settings());
		this.#log.observe(this.#isAnew ? this.#world.present() : observations, arrivedAt);
		this.#isAnew = false;
		for (const {action, zone, at} of actions) {
			if (action !== 'TaintNode') continue;
			const last = this.#zoneTaintedAt.get(zone);
			if (last !== undefined) this.#zoneTaintedBefore.set(zone, last);
			this.#zoneTaintedAt.set(zone, at.hi);
		}
	}

	/** What tells of the settings behind a case. */
	cluesOf({node, zone, action, at, now}: Case): SettingClues {
		const settings = this.#settings();
		const {nodeEvictionRate, nodeMonitorPeriod, largeClusterSizeThreshold} = settings;
		const last = this.#zoneTaintedAt.get(zone);
		// It may be the taint itself, or one after it.
		const isItself = action === 'TaintNode' && at !== null && last !== undefined && last >= at.hi;
		return {
			settings,
			learned: learnSettings(this.#log.behaviourAt(now), {
				longestPeriod: nodeMonitorPeriod,
				largeThreshold: largeClusterSizeThreshold,
				slowestRate: Math.fround(nodeEvictionRate) === 1 ? 0 : nodeEvictionRate,
				nodes: this.#log.nodeCount,
			}),
			renewedAt: this.#world.renewals.get(node)?.arrivedAt,
			zoneTaintedAt: isItself ? this.#zoneTaintedBefore.get(zone) : last,
			zone: this.#countOf(zone, settings),
		};
	}

	#countOf(zone: string, settings: ControllerSettings): SettingClues['zone'] {
		const nodes = [...this.#world.nodes.values()].filter(
			(node) => zoneLabel(zoneKey(node)) === zone && !isExcludedFromDisruptionChecks(node, settings),
		);
		const notReady = nodes.filter((node) => nodeCondition(node, 'Ready')?.status !== 'True').length;
		return {notReady, size: nodes.length};
	}
}
