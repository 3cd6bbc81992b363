import {UserError} from '../src/cluster/userError.ts';
import type {ControllerSettings} from '../src/core/model/controllerSettings.ts';

/** Why nothing is said of what would be where controllers delete pods without taints; undefined where they do not. */
export const untoldWithoutTaints = ({taintBasedEvictions}: ControllerSettings): string | undefined =>
	taintBasedEvictions
		? undefined
		: 'these controllers evict without taints: what would change that cannot be played';

/**
 * What is supposed is played as far as taints evict.
 *
 * @throws UserError where the controllers delete pods without taints, as releases up to 1.26 could
 */
export function requireTaints(settings: ControllerSettings): void {
	const untold = untoldWithoutTaints(settings);
	if (untold === undefined) return;
	throw new UserError(untold, 'see what is to come as it is: kubectl evictwatch pods');
}
