import type {Setting} from '../settings/setting.ts';
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
