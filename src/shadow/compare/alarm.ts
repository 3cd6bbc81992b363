import type {ActionKind} from '../../forecast/ledger/controllerAction.ts';
import type {DivergenceReason} from './divergence.ts';

/**
 * Whether an operator is alerted to a divergence. Three reasons are no failure: an observation gap, a restart of the controllers,
 * which only delays actions, and a taint that somebody else changed. But if somebody else adds one of the controllers' own taints,
 * pods are evicted as in an outage.
 */
export function isAlarming(action: ActionKind, reason: DivergenceReason): boolean {
	if (reason === 'ObservationGap' || reason === 'ControllerRestarted') return false;
	return reason !== 'ForeignTaint' || action === 'TaintNode';
}
