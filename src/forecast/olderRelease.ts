import type {Instant} from '../core/time/instant.ts';
import type {PodForecast} from './podForecast.ts';
import {Range} from './range.ts';

const because = ['the rules of so old a release are not known, nor whether and when it is deleted'];

/** A pod of a cluster whose release is older than any whose rules are known: it is not sure to go, and no time is told. */
export const untimed = (pod: PodForecast, now: Instant): PodForecast =>
	pod.eviction || pod.held
		? {
				...pod,
				because,
				reasons: undefined,
				verdict: 'Unsure',
				eviction: new Range(now, now, null),
				held: null,
			}
		: pod;
