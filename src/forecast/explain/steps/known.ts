import type {Setting} from '../../settings/setting.ts';
import type {DefaultTolerationSeconds} from './tolerationUse.ts';

/** What an explanation may know beyond a forecast: where the settings come from. */
export type KnownSources = {
	/** Each setting in force with its source; none where only their values are known. */
	readonly settings: readonly Setting[];
	/** What the API server gives to new pods; undefined where that is not seen. */
	readonly defaultTolerationSeconds?: DefaultTolerationSeconds;
};

/** Where nothing tells the sources of the settings. */
export const nothingKnown: KnownSources = {settings: []};
