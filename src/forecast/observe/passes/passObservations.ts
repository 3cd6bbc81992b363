import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isReadyNode, isUnknownNode} from '../../../core/model/node.ts';
import type {Pod} from '../../../core/model/pod.ts';
import {beginningOfTime, type Duration, type Instant, second} from '../../../core/time/instant.ts';
import {markedAt} from '../countdowns/referencePods.ts';
import {keptFor, type Registration, type SeenEvent} from '../eventEvidence.ts';
import {type Interval, intersect} from '../interval.ts';
import {reportedCallDuration} from '../latencies.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';

/** Two observations of one node closer than this are of the same pass. */
const samePass: Duration = 3 * second;
/** How many goroutines of the controller may wait for its client at once. */
const callers = 10;
/** The calls to remove both taints of a node: each is a read and a write. */
export const callsToClear = 4;

/** What a pass did to a node: turned it Unknown, or removed its taint. */
type PassAction = 'unknown' | 'cleared';

/** Keeps observations of monitor passes, by action and node. */
export class PassObservations {
	readonly #observations = new Map<string, readonly PassObservation[]>();
	#prunedAt: Instant = beginningOfTime;

	/** The observations that are not older than an instant. */
	since(oldest: Instant): readonly PassObservation[] {
		return [...this.#observations.values()].flat().filter(({at}) => at.hi >= oldest);
	}

	/** Keeps an observation; two of the same action are joined into their intersection. */
	saw(action: PassAction, node: string, observation: PassObservation, now: Instant): void {
		if (now - this.#prunedAt > keptFor) this.#prune(now);
		const key = `${action} ${node}`;
		const known = (this.#observations.get(key) ?? []).filter(({at}) => at.hi > now - keptFor);
		const same = known.find(({at}) => Math.abs(at.lo - observation.at.lo) < samePass);
		const common = same && intersect(same.at, observation.at);
		if (!same) this.#observations.set(key, [...known, observation]);
		else if (common) {
			const source = common.lo === same.at.lo && common.hi === same.at.hi ? same.source : observation.source;
			this.#observations.set(
				key,
				known.map((one) => (one === same ? {...same, at: common, source} : one)),
			);
		}
	}

	/** Drops old observations of deleted nodes. */
	#prune(now: Instant): void {
		this.#prunedAt = now;
		for (const [key, known] of this.#observations) {
			if (known.every(({at}) => at.hi <= now - keptFor)) this.#observations.delete(key);
		}
	}
}

/**
 * When a pass turned a node Unknown, by its event. The event follows the write of the node's status, and both may have waited
 * for the controller's client.
 */
export function turnedUnknownIn({at}: SeenEvent, {kubeApiQps}: ControllerSettings): Interval {
	const inLine = kubeApiQps > 0 ? (callers / kubeApiQps) * second : 0;
	return {lo: at.lo - reportedCallDuration - inLine, hi: at.hi};
}

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

/** The calls of the first pass of new controllers: it registers all nodes, and removes the taints of those that have any. */
export function callsOfFirstPass(nodes: Iterable<NodeEvidence>, at: Interval): number {
	let [met, cleared] = [0, 0];
	for (const one of nodes) {
		if (one.node.createdAt > at.hi) continue;
		met += 1;
		if (wasDown(one, at.lo)) cleared += 1;
	}
	// Events use the client too.
	return cleared === 0 ? 0 : cleared * callsToClear + met;
}

/** When a pass that registered nodes began, allowing for taints that it may have removed unseen before. */
export function beganWith(
	{first, nodes}: Registration,
	known: Iterable<NodeEvidence>,
	{kubeApiQps}: ControllerSettings,
): Interval {
	let unseen = 0;
	for (const one of known) {
		const {name, createdAt} = one.node;
		if (createdAt <= first.at.hi && !nodes.has(name) && !wasReadySince(one, first.at.lo)) unseen += 1;
	}
	const perCall = reportedCallDuration + (kubeApiQps > 0 ? second / kubeApiQps : 0);
	return {lo: first.at.lo - unseen * callsToClear * perCall, hi: first.at.hi};
}

/** A pass that only registered new nodes, as an observation. */
export const observationOfNewNodes = (pass: Registration): PassObservation => ({
	at: pass.first.at,
	calls: 0,
	isFirst: true,
	source: registrationSource(pass),
});

/** The source of a registration, in words. */
export const registrationSource = ({first}: Registration): string =>
	`the event RegisteredNode of node ${first.event.about}`;

/** Whether a node has certainly been ready since an instant. */
const wasReadySince = ({node, readyChangedAt}: NodeEvidence, instant: Instant): boolean =>
	isReadyNode(node) && (readyChangedAt === undefined || readyChangedAt.hi < instant);

/** Whether a node was probably down at an instant, and so had a taint. */
function wasDown({node, readyChangedAt}: NodeEvidence, instant: Instant): boolean {
	if (!readyChangedAt) return !isReadyNode(node);
	const isReady = isReadyNode(node);
	return isReady ? readyChangedAt.hi >= instant : readyChangedAt.lo <= instant;
}

/** An observation of something that only a monitor pass does. `groupIntoPasses` joins those of one pass. */
export type PassObservation = {
	/** When it was done. The pass began then or before. */
	readonly at: Interval;
	/** How many calls the pass makes for it. */
	readonly calls: number;
	/** The node that it is about. */
	readonly node?: string;
	/** The last call for it that was seen; none but `at` if absent. */
	readonly wroteUntil?: Instant;
	/** How many of the calls were not seen; all if absent. */
	readonly callsUnseen?: number;
	/** Whether a pass begins with it: no calls came before. */
	readonly isFirst?: boolean;
	readonly source: string;
};
