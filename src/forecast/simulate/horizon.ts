import {type Duration, minute} from '../../core/time/instant.ts';
import {manyAffected} from '../infer/hiddenStates.ts';

/** How far ahead hidden states are run: less far where many nodes are affected. */
export const horizonOf = (affectedNodes: number): Duration =>
	affectedNodes > manyAffected ? 3 * minute : 15 * minute;
