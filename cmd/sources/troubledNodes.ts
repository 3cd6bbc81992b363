import type {NodeChooser} from '../../src/cluster/transport/selection.ts';
import type {Observation} from '../../src/core/model/observation.ts';
import type {Instant} from '../../src/core/time/instant.ts';
import {PodScopePolicy} from '../../src/forecast/observe/podScopePolicy.ts';
import {PressureSuspects} from '../../src/forecast/pressure/observe/pressureSuspects.ts';

/** The nodes whose pods are worth to be read: those that may be lost, those that run short, and those that are named. */
export class TroubledNodes implements NodeChooser {
	readonly #lost = new PodScopePolicy();
	readonly #short = new PressureSuspects();
	readonly #named: readonly string[];

	constructor(named: readonly string[] = []) {
		this.#named = named;
	}

	observe(observations: readonly Observation[], arrivedAt: Instant): void {
		this.#lost.observe(observations, arrivedAt);
		this.#short.observe(observations);
	}

	wanted(now: Instant): readonly string[] {
		return [...new Set([...this.#lost.wanted(now), ...this.#short.wanted(now), ...this.#named])];
	}
}
