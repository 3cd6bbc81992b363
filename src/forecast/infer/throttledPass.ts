import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {isUnknownNode, readyStatus} from '../../core/model/node.ts';
import type {Pod} from '../../core/model/pod.ts';
import {monitorWorkers} from '../../core/nodelifecycle/monitorPass.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {AffectedNodes} from '../observe/affectedNodes.ts';
import type {Evidence} from '../observe/evidence.ts';
import type {NodeEvidence} from '../observe/nodes/nodeEvidence.ts';
import {isSilent} from '../observe/nodes/nodeLiveness.ts';

/** A monitor pass in progress, as far as the API shows it. */
export type PassInProgress = {
	/** The first of its transitions. */
	readonly startedAt: Instant;
	/** The nodes that it has not turned Unknown yet. */
	readonly remaining: readonly NodeEvidence[];
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
	const remaining = unmarked(affected, now);
	// A node may have lost its lease lately: that its last status is old tells nothing then.
	const dated = evidence.hasLeases ? remaining.filter(({renewedAt}) => renewedAt !== undefined) : remaining;
	if (!dated.some((one) => isOverdue(one, evidence, settings, now))) return undefined;
	const marked = latestGroup(turnedUnknown(affected, evidence), evidence, settings);
	const startedAt = marked[0]?.readyChangedAt?.lo;
	if (startedAt === undefined || !mayGoOn(marked, evidence, settings, now)) return undefined;
	return {...restOfPass({startedAt, marked, remaining}, evidence, settings), isLong: true};
}

/** The silent nodes that no pass has turned Unknown: those that were ready, and those that had said they were not. */
export const unmarked = (affected: AffectedNodes, now: Instant): readonly NodeEvidence[] =>
	affected.nodes.filter((one) => isPosted(one) && isSilent(one, now));

/** Adds to what a pass has done what follows of that. */
export function restOfPass(
	pass: Pick<PassInProgress, 'startedAt' | 'marked' | 'remaining'>,
	evidence: Evidence,
	settings: ControllerSettings,
): Omit<PassInProgress, 'isLong'> {
	const {startedAt, marked, remaining} = pass;
	const passedBy = remaining
		.filter((one) => expiresBy(one, evidence, settings) > startedAt)
		.map(({node}) => node.name);
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

/** The nodes that the controllers that run now may have turned Unknown: a pass of others before them is over. */
export const turnedUnknown = (
	{nodes}: AffectedNodes,
	{controllersStarted}: Evidence,
): readonly NodeEvidence[] => nodes.filter((one) => isUnknown(one) && turnedBy(one) >= controllersStarted.lo);

const isPosted = ({node}: NodeEvidence) => ['True', 'False'].includes(readyStatus(node) ?? '');
/** Whether a node's Ready condition is Unknown. */
export const isUnknown = ({node}: NodeEvidence) => isUnknownNode(node);

/** When a silent node's grace period is over at the latest: a status begins it anew, as a renewal and new controllers do. */
function expiresBy(
	{renewedAt, heartbeatAt}: NodeEvidence,
	{controllersStarted}: Evidence,
	settings: ControllerSettings,
): Instant {
	const [renewed = beginningOfTime, posted = renewed] = [renewedAt?.hi, heartbeatAt?.hi];
	const begins = Math.max(renewed, posted, controllersStarted.hi);
	return begins + settings.nodeMonitorPeriod + settings.nodeMonitorGracePeriod;
}

function isOverdue(
	one: NodeEvidence,
	evidence: Evidence,
	settings: ControllerSettings,
	now: Instant,
): boolean {
	return expiresBy(one, evidence, settings) + 2 * settings.nodeMonitorPeriod + patience < now;
}

/** The nodes that turned Unknown in the last run of transitions without a pause as long as that between two passes. */
export function latestGroup(
	nodes: readonly NodeEvidence[],
	evidence: Evidence,
	settings: ControllerSettings,
): readonly NodeEvidence[] {
	const sorted = nodes.toSorted((a, b) => turnedBy(b) - turnedBy(a));
	const pause = longestPause(sorted.slice(0, monitorWorkers), evidence, settings);
	const end = sorted.findIndex((one, index) => turnedBy(sorted[index - 1] ?? one) - turnedBy(one) > pause);
	return (end < 0 ? sorted : sorted.slice(0, end)).toReversed();
}

/** Whether the pass that turned a group of nodes Unknown may have more to turn. */
export function mayGoOn(
	group: readonly NodeEvidence[],
	evidence: Evidence,
	settings: ControllerSettings,
	now: Instant,
): boolean {
	const last = group.slice(-monitorWorkers);
	return now - Math.max(...last.map(turnedBy)) <= longestPause(last, evidence, settings);
}

const turnedBy = ({readyChangedAt}: NodeEvidence): Instant => readyChangedAt?.hi ?? beginningOfTime;

/** Marking the pods of eight nodes takes a pass longer than the pause between two; the first look is generous. */
function longestPause(
	batch: readonly NodeEvidence[],
	{pods}: Evidence,
	{nodeMonitorPeriod, kubeApiQps}: ControllerSettings,
): Duration {
	const marked = batch.reduce((sum, {node}) => sum + pods.mapOfNode(node.name).size, 0);
	return Math.max(6 * nodeMonitorPeriod, marked * callsForPod * (second / kubeApiQps));
}
