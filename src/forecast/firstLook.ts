import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {Observation} from '../core/model/observation.ts';
import {exactly} from '../core/model/settingsSpan.ts';
import type {Instant} from '../core/time/instant.ts';
import {ClusterStore} from '../store/clusterStore.ts';
import {judgeNode} from './conclude/nodeVerdict.ts';
import {judgeZone} from './conclude/zones/zoneVerdict.ts';
import {situationOf} from './explain/situation.ts';
import type {Forecast} from './forecast.ts';
import {passPhase} from './infer/passPhase.ts';
import {unknownSchedule} from './infer/passSchedule.ts';
import {findAffectedNodes} from './observe/affectedNodes.ts';
import {Evidence} from './observe/evidence.ts';
import {passDuration} from './observe/latencies.ts';
import {observedOf} from './observe/observed.ts';
import {ObservedTime} from './observe/observedTime.ts';
import {withReliableTimes} from './observe/reliableTimes.ts';
import {podScope} from './podScope.ts';

/** Pods of fewer nodes are read in a moment. */
const leastNodes = 200;

/** The first look at nodes and leases: which pods to read next, and what to show meanwhile. */
export class FirstLook {
	readonly #evidence: Evidence;
	readonly #now: Instant;
	/** The names of the nodes whose pods a forecast needs. */
	readonly podScope: readonly string[];

	constructor(observations: readonly Observation[], now: Instant, settings: ControllerSettings) {
		const store = new ClusterStore();
		this.#evidence = new Evidence(settings, store);
		this.#evidence.observe(withReliableTimes(store.apply(observations, now).changes, settings), now);
		this.#now = now;
		this.podScope = podScope(this.#evidence, store, now);
	}

	/**
	 * The present state of the nodes and zones, without pods and ranges: nothing is simulated. Undefined for a small cluster,
	 * whose pods are read and whose forecast is made at once.
	 */
	census(): Forecast | undefined {
		const [evidence, now] = [this.#evidence, this.#now];
		const {settings} = evidence;
		if (evidence.nodes.size < leastNodes) return undefined;
		const seen = new ObservedTime();
		seen.observe(now);
		const affected = findAffectedNodes(evidence, now, settings);
		const known = {now, settings, kubernetesVersion: undefined, evidence, affected};
		const passes = {
			phase: passPhase(evidence.passObservations, settings, passDuration(evidence.nodes.size), now),
			schedule: unknownSchedule(now, settings.nodeMonitorPeriod),
			throttledPass: undefined,
			maybeUnfinishedPass: undefined,
			phaseSpacing: 0,
		};
		const situation = situationOf(
			observedOf(known, seen),
			{runs: [], changes: [], passes},
			exactly(settings),
		);
		return {
			observedAt: now,
			source: 'cluster',
			problems: [],
			pods: [],
			pass: null,
			nodes: [...evidence.nodes.values()].map((one) => judgeNode(one, situation)),
			zones: [...situation.zones.zones].map(([zone, past]) => judgeZone(zone, past, situation)),
		};
	}
}
