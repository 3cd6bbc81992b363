import {UserError} from '../src/cluster/userError.ts';
import type {ControllerSettings} from '../src/core/model/controllerSettings.ts';

/**
 * What is supposed is played as far as taints evict.
 *
 * @throws UserError where the controllers delete pods without taints, as releases up to 1.26 could
 */
export function requireTaints({taintBasedEvictions}: ControllerSettings): void {
	if (taintBasedEvictions) return;
	throw new UserError(
		'these controllers evict without taints: what would change that cannot be played',
		'see what is to come as it is: kubectl evictwatch pods',
	);
}
