import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isUnknownNode, nodeCondition} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {Evidence} from '../observe/evidence.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';

/** A monitor pass in progress, as far as the API shows it. */
export type PassInProgress = {
	/** The first of its transitions. */
	readonly startedAt: Instant;
	/** The nodes that it has not turned Unknown yet. */
	readonly left: readonly NodeEvidence[];
	/** Those of them that it may have skipped, since their grace period was not over yet: the next pass takes them. */
	readonly passedBy: ReadonlySet<string>;
	/** The nodes that it has turned Unknown. */
	readonly marked: readonly NodeEvidence[];
	/** The pods of marked nodes that are still to be marked not ready, by node. */
	readonly marking: readonly (readonly Pod[])[];
	/** Whether it is throttled; otherwise it ends in a moment, or is over already. */
	readonly isLong: boolean;
};

/** How long a silent node may be overdue before its wait must be the pass's doing. */
const patience: Duration = second;

/**
 * Finds a pass that is under way: nodes turn Unknown one after another, and others that a finished pass would have
 * marked are not.
 */
export function findThrottledPass(
	evidence: Evidence,
	affected: AffectedNodes,
	settings: ControllerSettings,
	now: Instant,
): PassInProgress | undefined {
	if (settings.kubeApiQps <= 0) return undefined;
	const left = unmarked(affected, now);
	if (!left.some((one) => isOverdue(one, settings, now))) return undefined;
	const marked = latestGroup(affected.nodes.filter(isUnknown), evidence, settings, now);
	const startedAt = marked[0]?.readyChangedAt?.lo;
	if (startedAt === undefined) return undefined;
	return {...restOfPass({startedAt, marked, left}, evidence, settings), isLong: true};
}

/** The silent nodes that no pass has turned Unknown: those that were ready, and those that had said they were not. */
export const unmarked = (affected: AffectedNodes, now: Instant): readonly NodeEvidence[] =>
	affected.nodes.filter((one) => isPosted(one) && isSilent(one, now));

/** Adds to what a pass has done what follows of that. */
export function restOfPass(
	pass: Pick<PassInProgress, 'startedAt' | 'marked' | 'left'>,
	evidence: Evidence,
	settings: ControllerSettings,
): Omit<PassInProgress, 'isLong'> {
	const {startedAt, marked, left} = pass;
	const passedBy = left.filter((one) => expiresBy(one, settings) > startedAt).map(({node}) => node.name);
	return {...pass, passedBy: new Set(passedBy), marking: toBeMarked(marked, evidence)};
}

/** The pods of nodes that are still to be marked not ready, by node. */
export function toBeMarked(nodes: readonly NodeEvidence[], {pods}: Evidence): readonly (readonly Pod[])[] {
	return nodes
		.map(({node}) =>
			pods.onNode(node.name).filter(({ready, deletionTimestamp}) => ready === 'True' && !deletionTimestamp),
		)
		.filter((ofNode) => ofNode.length > 0);
}

/** A pod's status and its event; the events of other pods, that are still to be posted, may be as many again. */
export const callsForPod = 4;

const isPosted = ({node}: NodeEvidence) =>
	['True', 'False'].includes(nodeCondition(node, 'Ready')?.status ?? '');
/** Whether a node's Ready condition is Unknown. */
export const isUnknown = ({node}: NodeEvidence) => isUnknownNode(node);

/** When a silent node's grace period is over at the latest. */
function expiresBy({renewedAt, heartbeatAt}: NodeEvidence, settings: ControllerSettings): Instant {
	const last = (renewedAt ?? heartbeatAt)?.hi ?? Number.NEGATIVE_INFINITY;
	return last + settings.nodeMonitorPeriod + settings.nodeMonitorGracePeriod;
}

function isOverdue(one: NodeEvidence, settings: ControllerSettings, now: Instant): boolean {
	return expiresBy(one, settings) + 2 * settings.nodeMonitorPeriod + patience < now;
}

/** The nodes that turned Unknown in the last run of transitions without a pause as long as that between two passes. */
export function latestGroup(
	nodes: readonly NodeEvidence[],
	{pods}: Evidence,
	{nodeMonitorPeriod, kubeApiQps}: ControllerSettings,
	now: Instant,
): readonly NodeEvidence[] {
	const sorted = nodes.toSorted((a, b) => (b.readyChangedAt?.hi ?? 0) - (a.readyChangedAt?.hi ?? 0));
	// Marking the pods of eight nodes takes the pass longer than the pause between two; the first look is generous.
	const marked = sorted.slice(0, monitorWorkers).map(({node}) => pods.mapOfNode(node.name).size);
	const batch = marked.reduce((sum, count) => sum + count, 0) * callsForPod * (second / kubeApiQps);
	const pause = Math.max(6 * nodeMonitorPeriod, batch);
	const group: NodeEvidence[] = [];
	let after = now;
	for (const one of sorted) {
		const at = one.readyChangedAt?.hi ?? Number.NEGATIVE_INFINITY;
		if (after - at > pause) break;
		group.push(one);
		after = at;
	}
	return group.toReversed();
}
