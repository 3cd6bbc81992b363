import type {Setting} from '../settings/setting.ts';
import type {Simulated} from '../simulate/simulated.ts';
import type {DefaultTolerationSeconds} from './steps/tolerationUse.ts';

/** All that forecasts are made and explained of, at one instant. */
export type Situation = Simulated & {
	/** Where the settings come from, as far as an explanation is to say so. */
	readonly known: KnownSources;
};

/** What an explanation may know beyond a forecast: where the settings come from. */
export type KnownSources = {
	/** Each setting in force with its source; none where only their values are known. */
	readonly settings: readonly Setting[];
	/** What the API server gives to new pods; undefined where that is not seen. */
	readonly defaultTolerationSeconds?: DefaultTolerationSeconds;
};

/** Where nothing tells the sources of the settings. */
export const nothingKnown: KnownSources = {settings: []};
