import {formatTaint, type Taint, taintOutOfService} from '../../core/model/taint.ts';
import {type Duration, second} from '../../core/time/instant.ts';
import type {Cause, PodForecast} from '../podForecast.ts';

/** How long past its latest time a deletion is still taken to be on its way. */
export const overdueAfter: Duration = 2 * second;

/** The parts of a pod's forecast that its verdict decides. */
export type Judgement = Pick<PodForecast, 'verdict' | 'eviction' | 'cause' | 'held' | 'withoutRepair'>;

/** Of a pod that nothing deletes. */
export const nothing = {eviction: null, cause: null, held: null};

/** A taint as the cause of a deletion. */
export function causeOf(taint: Taint, tolerated: Duration): Cause {
	const kind = taint.key === taintOutOfService ? 'OutOfService' : 'Taint';
	return {kind, taint: formatTaint(taint), tolerationSeconds: tolerated === 0 ? null : tolerated / second};
}
