import {nodeCondition} from '../../core/model/node.ts';
import {isNodeLifecycleTaint, type Taint, taintNotReady, taintUnreachable} from '../../core/model/taint.ts';
import {noExecuteTaints} from '../../core/tainteviction/taintEvictionController.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';
import type {Simulated} from '../simulate/simulated.ts';

/** The NoExecute taints that a node has, and the one that it is about to get. */
export function comingTaints(one: NodeEvidence, {now, settings}: Simulated): readonly Taint[] {
	const present = noExecuteTaints(one.node);
	if (!settings.taintBasedEvictions) return present;
	const hasOwn = present.some(isNodeLifecycleTaint);
	const status = nodeCondition(one.node, 'Ready')?.status;
	const isLost = isSilent(one, now) || status === 'Unknown';
	if (hasOwn || (status === 'True' && !isLost)) return present;
	return [...present, {key: isLost ? taintUnreachable : taintNotReady, value: '', effect: 'NoExecute'}];
}
