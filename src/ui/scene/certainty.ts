import type {PodForecast, PodVerdict} from '../../forecast/podForecast.ts';

/** How sure an eviction is: its countdown runs; it follows if nothing changes; it follows in some of the states that may be. */
export type Certainty = 'certain' | 'likely' | 'possible';

/** The certainties, the surest first. */
export const certainties: readonly Certainty[] = ['certain', 'likely', 'possible'];

/** How sure a pod's eviction is; undefined where none is to come. */
export function certaintyOf({verdict, eviction}: PodForecast): Certainty | undefined {
	return eviction === null ? undefined : byVerdict[verdict];
}

const byVerdict: Readonly<Partial<Record<PodVerdict, Certainty>>> = {
	Overdue: 'certain',
	Scheduled: 'certain',
	Expected: 'likely',
	Unsure: 'possible',
};
