import type {ControllerSettings} from '../../../core/model/controllerSettings.ts';
import {isReadyNode} from '../../../core/model/node.ts';
import {type Duration, type Instant, second} from '../../../core/time/instant.ts';
import type {Registration, SeenEvent} from '../eventEvidence.ts';
import {type Interval, intersect} from '../interval.ts';
import {reportedCallDuration} from '../latencies.ts';
import type {NodeEvidence} from '../nodes/nodeEvidence.ts';

/** How long an observation of a pass is kept. */
const keptFor: Duration = 3600 * second;
/** Two observations of one node that lie nearer are of one and the same pass. */
const samePass: Duration = 3 * second;
/** So many of the controller's routines may have a call in its client's line. */
const callers = 10;
/** Taking both taints off a node, each read and written. */
const callsToClear = 4;

/** What a pass did to a node: set it to Unknown, or took its taint off. */
export type PassAction = 'unknown' | 'cleared';

/** Observations of monitor passes, by the action and the node. */
export class PassObservations {
	readonly #observations = new Map<string, readonly PassObservation[]>();
	#prunedAt: Instant = Number.NEGATIVE_INFINITY;

	/** All that are not too old: every pass on the way adds to what is not known. */
	since(oldest: Instant): readonly PassObservation[] {
		return [...this.#observations.values()].flat().filter(({at}) => at.hi >= oldest);
	}

	/** Keeps an observation; of what was seen twice, what both have in common. */
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

	/** Nodes come and go under ever new names. */
	#prune(now: Instant): void {
		this.#prunedAt = now;
		for (const [key, known] of this.#observations) {
			if (known.every(({at}) => at.hi <= now - keptFor)) this.#observations.delete(key);
		}
	}
}

/**
 * When a pass turned a node Unknown, from its report: that follows the write of the node's status, which may have had
 * to wait in the client's line.
 */
export function turnedUnknownIn({at}: SeenEvent, {kubeApiQps}: ControllerSettings): Interval {
	const inLine = kubeApiQps > 0 ? (callers / kubeApiQps) * second : 0;
	return {lo: at.lo - reportedCallDuration - inLine, hi: at.hi};
}

/** What the first pass of new controllers has to do: it meets all nodes, and takes the taints off those that have any. */
export function callsOfFirstPass(nodes: Iterable<NodeEvidence>, at: Interval): number {
	let [met, cleared] = [0, 0];
	for (const one of nodes) {
		if (one.node.createdAt > at.hi) continue;
		met += 1;
		if (wasDown(one, at.lo)) cleared += 1;
	}
	// Each report takes its place in the line, too.
	return cleared === 0 ? 0 : cleared * callsToClear + met;
}

/** A pass that met nodes for the first time began with that; taints that it took off unseen before are allowed for. */
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

/** A pass that met new nodes only. */
export const observationOfNewNodes = (pass: Registration): PassObservation => ({
	at: pass.first.at,
	calls: 0,
	isFirst: true,
	source: registrationSource(pass),
});

/** Where it is known from that a pass met nodes, in words. */
export const registrationSource = ({first}: Registration): string =>
	`the event RegisteredNode of node ${first.event.about}`;

/** Whether a node was surely ready all the time since an instant. */
const wasReadySince = ({node, readyChangedAt}: NodeEvidence, instant: Instant): boolean =>
	isReadyNode(node) && (readyChangedAt === undefined || readyChangedAt.hi < instant);

/** Whether a node probably had a taint at an instant: it had not come back yet, or was down already. */
function wasDown({node, readyChangedAt}: NodeEvidence, instant: Instant): boolean {
	if (!readyChangedAt) return !isReadyNode(node);
	const isReady = isReadyNode(node);
	return isReady ? readyChangedAt.hi >= instant : readyChangedAt.lo <= instant;
}

/** An observation of a monitor pass: something that only a pass does. `groupIntoPasses` joins those of one pass. */
export type PassObservation = {
	/** When it was done. The pass began then or before. */
	readonly at: Interval;
	/** How many calls the pass has to make for it. */
	readonly calls: number;
	/** Whether a pass begins with it: none of those calls came before. */
	readonly isFirst?: boolean;
	readonly source: string;
};
