import type {PodForecast, PodVerdict} from './podForecast.ts';

/** How certain an eviction is: its countdown runs; it follows if nothing changes; it follows in some possible states. */
export type Certainty = 'certain' | 'likely' | 'possible';

/** The certainties, the highest first. */
export const certainties: readonly Certainty[] = ['certain', 'likely', 'possible'];

/** The certainty of a pod's eviction; undefined if none is coming. */
export function certaintyOf({verdict, eviction}: PodForecast): Certainty | undefined {
	return eviction === null ? undefined : byVerdict[verdict];
}

const byVerdict: Readonly<Partial<Record<PodVerdict, Certainty>>> = {
	Overdue: 'certain',
	Scheduled: 'certain',
	Expected: 'likely',
	Unsure: 'possible',
};
