import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../core/model/node.ts';
import {zoneKey, zoneLabel} from '../../core/model/zone.ts';
import {isExcludedFromDisruptionChecks} from '../../core/nodelifecycle/nodeLabels.ts';
import {countNode, type ZoneCount} from '../../core/nodelifecycle/zones/zoneState.ts';
import type {Instant} from '../../core/time/instant.ts';
import type {Forecaster} from '../../forecast/forecaster.ts';
import type {ControllerAction} from '../../forecast/ledger/controllerAction.ts';
import {BehaviourLog} from '../../forecast/settings/learned/behaviourLog.ts';
import {baseOf, learnSettings} from '../../forecast/settings/learned/learn.ts';
import type {StoreChange} from '../../store/change.ts';
import type {ClusterHistory} from './clusterHistory.ts';
import type {SettingClues} from './otherSetting.ts';
import type {UnexplainedAction} from './unexplainedAction.ts';

type Common = Pick<SettingClues, 'settings' | 'learned'> & {
	readonly now: Instant;
	readonly zones: ReadonlyMap<string, ZoneCount>;
};

/** Learns the settings of the current controllers from their behaviour; their successors may have other flags. */
export class BehaviourClues {
	readonly #world: ClusterHistory;
	readonly #forecaster: Pick<Forecaster, 'settings'>;
	#log: BehaviourLog;
	#mustRestart = false;
	readonly #zoneTaintedAt = new Map<string, Instant>();
	/** The same for the previous taint. */
	readonly #zoneTaintedBefore = new Map<string, Instant>();
	/** Shared by all cases of an instant, which may be thousands. */
	#common: Common | undefined;

	constructor(world: ClusterHistory, forecaster: Pick<Forecaster, 'settings'>) {
		this.#world = world;
		this.#forecaster = forecaster;
		this.#log = new BehaviourLog(forecaster.settings);
	}

	/** Restarts with the next batch: earlier behaviour is of other controllers, or was not fully seen. */
	startAnew(): void {
		this.#mustRestart = true;
		this.#common = undefined;
		this.#zoneTaintedAt.clear();
		this.#zoneTaintedBefore.clear();
	}

	/**
	 * Processes a batch, after `world`.
	 *
	 * @param since when it may have happened at the earliest
	 */
	observe(
		changes: readonly StoreChange[],
		actions: readonly ControllerAction[],
		arrivedAt: Instant,
		since: Instant = arrivedAt,
	): void {
		this.#common = undefined;
		if (this.#mustRestart) this.#log = new BehaviourLog(this.#forecaster.settings);
		this.#log.observe(this.#mustRestart ? this.#world.store.asChanges : changes, arrivedAt, since);
		this.#mustRestart = false;
		for (const {action, zone, at} of actions) {
			if (action !== 'TaintNode') continue;
			const last = this.#zoneTaintedAt.get(zone);
			if (last !== undefined) this.#zoneTaintedBefore.set(zone, last);
			this.#zoneTaintedAt.set(zone, at.hi);
		}
	}

	/** The evidence about the settings behind a case. */
	cluesOf({node, zone, action, at, now, settings: predictedWith}: UnexplainedAction): SettingClues {
		const {settings, learned, zones} = this.#commonAt(now);
		const last = this.#zoneTaintedAt.get(zone);
		// The last taint may be this one, or a later one.
		const isItself = action === 'TaintNode' && at !== null && last !== undefined && last >= at.hi;
		return {
			settings: predictedWith ?? settings,
			learned,
			renewedAt: this.#world.renewals.get(node)?.arrivedAt,
			zoneTaintedAt: isItself ? this.#zoneTaintedBefore.get(zone) : last,
			zone: zones.get(zone) ?? {notReady: 0, size: 0},
		};
	}

	#commonAt(now: Instant): Common {
		const {settings} = this.#forecaster;
		const known = this.#common;
		if (known?.now === now && known.settings === settings) return known;
		const behaviour = this.#log.behaviourAt(now);
		const {learned} = learnSettings(behaviour, baseOf(behaviour, this.#world.store.nodes, settings));
		this.#common = {now, settings, learned, zones: this.#countZones(settings)};
		return this.#common;
	}

	#countZones(settings: ControllerSettings): Common['zones'] {
		const zones = new Map<string, ZoneCount>();
		for (const node of this.#world.store.nodes.values())
			if (!isExcludedFromDisruptionChecks(node, settings))
				countNode(zones, zoneLabel(zoneKey(node)), isReadyNode(node));
		return zones;
	}
}
