import {zonesAt} from '../infer/zonePast.ts';
import {throttleDelayFor} from '../observe/countdowns/deletionThrottleDelay.ts';
import type {Observed} from '../observe/observed.ts';
import type {Setting} from '../settings/setting.ts';
import type {Ensemble} from '../simulate/ensemble.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {DefaultTolerationSeconds} from './steps/tolerationUse.ts';

/** Everything that forecasts and explanations of one instant are made from. */
export type Situation = Simulated & {
	/** The sources of the settings, for explanations. */
	readonly known: KnownSources;
};

/** The sources of the settings, which only explanations need. */
export type KnownSources = {
	/** Each setting in force with its source; none where only their values are known. */
	readonly settings: readonly Setting[];
	/** The tolerationSeconds that the API server gives to new pods; undefined where that is not known. */
	readonly defaultTolerationSeconds?: DefaultTolerationSeconds;
};

/** No sources are known. */
export const nothingKnown: KnownSources = {settings: []};

/** What was seen, and what the hidden states lead to that agree with it. */
export function situationOf(
	seen: Omit<Observed, 'delayOfDue'>,
	{runs, passes, changes}: Ensemble,
): Situation {
	const {now, settings, evidence, affected} = seen;
	return {
		...seen,
		...{known: nothingKnown, runs, passes, changes},
		zones: zonesAt(now, affected, settings),
		delayOfDue: throttleDelayFor(evidence.timers.dueBy(now), settings.kubeApiQps, settings.kubeApiBurst),
	};
}
