import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {Observation} from '../core/model/observation.ts';
import type {Instant} from '../core/time/instant.ts';
import {ClusterStore} from '../store/clusterStore.ts';
import {judgeNode} from './conclude/nodeVerdict.ts';
import {judgeZone} from './conclude/zoneVerdict.ts';
import {situationOf} from './explain/situation.ts';
import type {Forecast} from './forecast.ts';
import {passDuration, passPhase} from './infer/passPhase.ts';
import {unknownSchedule} from './infer/passSchedule.ts';
import {findAffectedNodes} from './observe/affectedNodes.ts';
import {Evidence} from './observe/evidence.ts';
import {isLarge, observedOf} from './observe/observed.ts';
import {ObservedTime} from './observe/observedTime.ts';
import {withReliableTimes} from './observe/reliableTimes.ts';

/**
 * The nodes and zones of a large cluster as they are, by the first look at nodes and leases: nothing is run ahead, so there
 * are no ranges, and no pods. Undefined of a small one, whose forecast is there at once.
 */
export function takeCensus(
	observations: readonly Observation[],
	now: Instant,
	settings: ControllerSettings,
): Forecast | undefined {
	const store = new ClusterStore();
	const evidence = new Evidence(settings, store);
	evidence.observe(withReliableTimes(store.apply(observations, now).changes, settings), now);
	if (!isLarge(evidence)) return undefined;
	const seen = new ObservedTime();
	seen.observe(now);
	const affected = findAffectedNodes(evidence, now, settings);
	const known = {now, settings, kubernetesVersion: undefined, evidence, affected};
	const passes = {
		phase: passPhase(evidence.passObservations, settings, passDuration(evidence.nodes.size), now),
		schedule: unknownSchedule(now, settings.nodeMonitorPeriod),
		...{throttledPass: undefined, maybeUnfinishedPass: undefined, gap: 0},
	};
	const situation = situationOf(observedOf(known, seen), {runs: [], changes: [], passes}, settings);
	return {
		...{observedAt: now, source: 'cluster', problems: [], pods: [], pass: null},
		nodes: [...evidence.nodes.values()].map((one) => ({
			...judgeNode(one, situation),
			nextProbability: null,
		})),
		zones: [...situation.zones.zones].map(([zone, past]) => ({
			...judgeZone(zone, past, situation),
			...{nextToken: null, taints: []},
		})),
	};
}
