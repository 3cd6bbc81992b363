import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isUnknownNode} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {markedAt} from '../countdowns/referencePods.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';
import {type PassObservation, samePass} from './passObservations.ts';

/** The calls to remove both taints of a node: each is a read and a write. */
export const callsToClear = 4;

/** The calls for a node that turns Unknown, but for its pods: a status write, two taint writes; since v1.37 a read of the lease. */
const callsForNode = ({confirmsSilence}: ControllerSettings): number => (confirmsSilence ? 6 : 5);

/** A write and an event. */
const callsToMarkPod = 2;

/** The calls of a pass for a node that it turns Unknown. */
export const callsToMark = (pods: number, settings: ControllerSettings): number =>
	callsForNode(settings) + callsToMarkPod * pods;

/** Adds which of a pass's calls for a node were seen: it marks the node's pods one after another. */
export function withMarks(
	seen: PassObservation,
	one: NodeEvidence | undefined,
	pods: Iterable<Pod>,
	settings: ControllerSettings,
): PassObservation {
	const {node, readyChangedAt} = one ?? {};
	// The node may have turned Unknown again since.
	const isPresent =
		node && isUnknownNode(node) && Math.abs((readyChangedAt?.lo ?? 0) - seen.at.lo) < samePass;
	if (!isPresent) return seen;
	let [wroteUntil, unmarked] = [seen.at.lo, 0];
	for (const pod of pods) {
		if (pod.ready === 'False') wroteUntil = Math.max(wroteUntil, markedAt(pod, seen.at.lo) ?? wroteUntil);
		if (pod.ready === 'True') unmarked += 1;
	}
	return {...seen, wroteUntil, callsUnseen: callsToMark(unmarked, settings)};
}
