import type {Simulated} from '../simulate/simulated.ts';
import type {KnownSources} from './steps/known.ts';

/** All that forecasts are made and explained of, at one instant. */
export type Situation = Simulated & {
	/** Where the settings come from, as far as an explanation is to say so. */
	readonly known: KnownSources;
};
