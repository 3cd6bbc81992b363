import type {ClusterSnapshot, Problem} from '../core/model/clusterSnapshot.ts';
import type {ControllerSettings} from '../core/model/controllerSettings.ts';
import type {Observation} from '../core/model/observation.ts';
import {type Duration, type Instant, second} from '../core/time/instant.ts';
import {lineFor} from './deletionLine.ts';
import {withDeletionLines} from './deletionLines.ts';
import {runEnsemble} from './ensemble.ts';
import {Evidence} from './evidence.ts';
import {explain} from './explain/explain.ts';
import type {Explanation, Target} from './explain/explanation.ts';
import {type Known, nothingKnown} from './explain/known.ts';
import type {Forecast} from './forecast.ts';
import {nodesMayBeDeleted} from './nodeMayBeDeleted.ts';
import {forecastNode} from './nodeVerdict.ts';
import {orphanForecaster} from './orphanVerdict.ts';
import {forecastPass} from './passForecast.ts';
import type {PodForecast} from './podForecast.ts';
import {podForecaster, safePod} from './podVerdict.ts';
import type {Situation} from './situation.ts';
import {findSuspects} from './suspects.ts';
import {zonesAt} from './zonePast.ts';
import {forecastZones} from './zoneVerdict.ts';

/** Above so many pods a forecast is used again for a while, as long as nothing happens but renewals of healthy nodes. */
const manyPods = 10_000;
const reuseFor: Duration = second;

/** Predicts from what it is told: one look, or a look and all that a watch brought since. */
export class Forecaster {
	readonly #settings: ControllerSettings;
	readonly #evidence: Evidence;
	#source: ClusterSnapshot['source'] = 'cluster';
	#kubernetesVersion: string | undefined;
	#problems: readonly Problem[] = [];
	/** The last forecast, as long as nothing has happened that could change it. */
	#last: Forecast | undefined;

	constructor(settings: ControllerSettings) {
		this.#settings = settings;
		this.#evidence = new Evidence(settings);
	}

	/** Takes in a whole list; a later one tells what changed since. */
	observeSnapshot(snapshot: ClusterSnapshot): void {
		this.#evidence.observeSnapshot(snapshot);
		this.#source = snapshot.source;
		this.#kubernetesVersion = snapshot.kubernetesVersion;
		this.#problems = snapshot.problems;
		this.#last = undefined;
	}

	/** Takes in what a watch brought, with the instant at which it arrived by our own clock. */
	observe(observations: readonly Observation[], arrivedAt: Instant): void {
		const isRoutine = observations.every((observation) => this.#evidence.isRoutine(observation, arrivedAt));
		this.#evidence.observe(observations, arrivedAt);
		if (!isRoutine) this.#last = undefined;
	}

	/** Says what happens if nothing changes: kubelets that renew go on, silent ones stay silent. */
	forecast(now: Instant): Forecast {
		const last = this.#last;
		const mayReuse =
			this.#evidence.pods.size > manyPods && last !== undefined && now - last.observedAt < reuseFor;
		const forecast = mayReuse ? last : this.#forecast(now);
		if (!mayReuse) this.#last = forecast;
		return {...forecast, observedAt: now};
	}

	#forecast(now: Instant): Forecast {
		const situation = this.#situation(now);
		return {
			observedAt: now,
			source: this.#source,
			...(this.#kubernetesVersion === undefined ? {} : {kubernetesVersion: this.#kubernetesVersion}),
			problems: [...this.#problems, ...nodesMayBeDeleted(situation)],
			pods: withDeletionLines(podForecasts(situation), this.#settings),
			nodes: [...this.#evidence.nodes.values()].map((one) => forecastNode(one, situation)),
			zones: forecastZones(situation),
			pass: forecastPass(situation.ensemble, now),
		};
	}

	/** Says how a forecast comes about for one pod, node or zone; undefined where nothing has that name. */
	explain(target: Target, now: Instant, known: Known = nothingKnown): Explanation | undefined {
		const situation = {...this.#situation(now), known};
		return explain(target, withDeletionLines(podForecasts(situation), this.#settings), situation);
	}

	#situation(now: Instant): Situation {
		const [evidence, settings] = [this.#evidence, this.#settings];
		const suspects = findSuspects(evidence, now);
		return {
			now,
			settings,
			known: nothingKnown,
			kubernetesVersion: this.#kubernetesVersion,
			evidence,
			leader: evidence.leader(now),
			suspects,
			zones: zonesAt(now, suspects, settings),
			ensemble: runEnsemble(evidence, suspects, settings, now),
			lineOfDue: lineFor(evidence.timers.dueBy(now), settings.kubeApiQps, settings.kubeApiBurst),
		};
	}
}

function podForecasts(situation: Situation): readonly PodForecast[] {
	const {evidence, suspects} = situation;
	const forecasters = new Map(suspects.nodes.map((one) => [one.node.name, podForecaster(one, situation)]));
	const ofOrphan = orphanForecaster(situation);
	return [...evidence.pods.values()].map((pod) => {
		const forecaster = forecasters.get(pod.nodeName);
		if (forecaster) return forecaster(pod);
		const node = evidence.nodes.get(pod.nodeName)?.node;
		return (node ? undefined : ofOrphan(pod)) ?? safePod(pod, node);
	});
}
