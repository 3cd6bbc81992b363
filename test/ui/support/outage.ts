import {type LiveSource, liveSource} from '../../../cmd/dashboard/dashboardSource.ts';
import {deletionLedger} from '../../../cmd/sources/deletions.ts';
import {unseenControlPlane} from '../../../src/core/model/controlPlane.ts';
import {batch, type Observation} from '../../../src/core/model/observation.ts';
import {settingsFor} from '../../../src/core/model/versionProfile.ts';
import {nothingRelated} from '../../../src/core/model/workloads/related.ts';
import {type Duration, type Instant, second} from '../../../src/core/time/instant.ts';
import {Forecaster} from '../../../src/forecast/forecaster.ts';
import {finish} from '../../../src/forecast/pausable.ts';
import {pressuredNodes} from '../../../src/forecast/pressure/observe/pressuredNodes.ts';
import {resolveSettings} from '../../../src/forecast/settings/resolve.ts';
import {firstReturnsInSteps} from '../../../src/forecast/whatif/firstReturns.ts';
import {withAfter} from '../../../src/impact/withAfter.ts';
import {workloadImpacts} from '../../../src/impact/workloadImpact.ts';
import {pressureStage} from '../../../src/session/pressureStage.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {gitVersion, ObservedWorld} from '../../demo/truth/observedWorld.ts';
import {demoScenario} from '../../support/demoScenario.ts';
import {feed} from '../../support/feed.ts';

/** The start of every simulated outage. */
export const outageStart: Instant = Date.UTC(2026, 0, 31, 14, 0, 0);

/** A simulated outage in virtual time, watched like a cluster: the same in every run. */
export class Outage {
	readonly source: LiveSource;
	readonly #world: ObservedWorld;
	readonly #store = new ClusterStore();
	readonly #forecaster = new Forecaster(settingsFor(gitVersion), {}, this.#store);
	readonly #deletions = deletionLedger(this.#store);
	readonly #pressure = pressureStage(this.#store);
	readonly #kubelets = pressuredNodes(this.#store);
	#lookedAt: Instant = Number.NEGATIVE_INFINITY;
	readonly #step: Duration;
	#now: Instant = outageStart;

	constructor(name: string, step: Duration = 5 * second) {
		const scenario = demoScenario(name);
		this.#step = step;
		const controlPlane = unseenControlPlane('its pods cannot be seen');
		const {list} = resolveSettings({
			...{flags: {}, versionFlag: undefined, serverVersion: gitVersion, controlPlane, learned: {}},
		});
		this.source = liveSource({
			title: 'prod-eu-1',
			version: gitVersion,
			now: () => this.#now,
			explain: (target, now) =>
				this.#pressure.explained(this.#forecaster.explain(target, now, {settings: list}), now),
			lookAt: (node) => this.#kubelets.ask(node, this.#now),
			settings: () => list,
			happenings: this.#deletions.happenings,
			impacts: (forecast) => workloadImpacts(forecast, nothingRelated),
			falseAlarms: () => this.#deletions.score().falseAlarms,
		});
		this.#world = new ObservedWorld(scenario, outageStart, 1, (observation, at) =>
			this.#observe([observation], at),
		);
		const snapshot = this.#world.snapshot(outageStart);
		this.#store.subscribe(this.#deletions);
		this.#store.subscribe(this.#pressure);
		this.#forecaster.observeSnapshot(snapshot);
		this.source.push(batch([{type: 'nodeDeleted', name: ''}], outageStart));
	}

	/** Advances the time, with a forecast every few seconds. */
	advance(duration: Duration): this {
		const end = this.#now + duration;
		while (this.#now < end) {
			const next = Math.min(end, this.#now + this.#step);
			this.#world.advanceTo(next);
			this.#now = next;
			this.#look(next);
			const forecast = withAfter(finish(this.#pressure.extend(this.#forecaster.forecast(next))));
			this.#deletions.add(forecast);
			this.source.publish(forecast);
		}
		const returns = finish(firstReturnsInSteps(this.#forecaster, this.#forecaster.forecast(this.#now)));
		this.source.showReturns(returns);
		return this;
	}

	/** Advances the clock without news from the cluster. */
	loseConnection(duration: Duration, reason: string): this {
		this.#now += duration;
		const problems = [{reason: 'ServerUnreachable', message: reason}];
		this.source.push({type: 'problems', at: this.#now, problems});
		return this;
	}

	/** Every ten seconds, the interval at which kubelets are queried. */
	#look(now: Instant): void {
		if (now - this.#lookedAt < 10 * second) return;
		this.#lookedAt = now;
		const nodes = this.#kubelets.wanted(now);
		this.#store.applyPressure({type: 'chosen', nodes, problems: []}, now);
		for (const name of nodes)
			this.#store.applyPressure({type: 'looked', look: this.#world.pressureLook(name, now)}, now);
	}

	#observe(observations: readonly Observation[], at: Instant): void {
		feed(this.#forecaster, observations, at);
		this.source.push(batch(observations, at));
	}
}
