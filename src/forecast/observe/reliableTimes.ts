import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import type {Lease} from '../../core/model/lease.ts';
import type {Node} from '../../core/model/node.ts';
import type {StoreChange} from '../../store/change.ts';

type Rules = Pick<ControllerSettings, 'datesEachWrite'>;

/**
 * Drops the times that this version's API server does not keep reliably: until 1.24 those in managedFields.
 *
 * @quirk until 1.24 managedFields do not tell when a value was last written
 * @upstream kubernetes v1.36.3 staging/src/k8s.io/apimachinery/pkg/util/managedfields/internal/managedfieldsupdater.go Update, which dates each
 */
export function withReliableTimes(changes: readonly StoreChange[], rules: Rules): readonly StoreChange[] {
	if (isDated(rules)) return changes;
	return changes.map((change) => {
		if (change.type === 'nodeApplied') return {...change, node: undatedNode(change.node)};
		if (change.type === 'leaseApplied') return {...change, lease: undatedLease(change.lease)};
		return change;
	});
}

/** Older recordings lack the field; they are of newer releases. */
const isDated = ({datesEachWrite = true}: Partial<Rules>) => datesEachWrite;

const undatedNode = ({taintWrites: _, ...node}: Node): Node => node;
const undatedLease = ({writes: _, ...lease}: Lease): Lease => lease;
