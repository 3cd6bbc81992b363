import type {ControllerSettings} from '../../core/model/controllerSettings.ts';
import {announcedAt, podKey} from '../../core/model/pod.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import {
	type ActionLedger,
	type ActionPrediction,
	isPast,
	patience,
} from '../../forecast/ledger/actionLedger.ts';
import {
	type ActionObject,
	type ControllerAction,
	nodeActionId,
	podActionId,
} from '../../forecast/ledger/controllerAction.ts';
import {tolerance} from '../../forecast/ledger/prediction.ts';
import type {Range} from '../../forecast/range.ts';
import type {MatchedAction} from '../shadowView.ts';
import {type DivergenceKind, isUnproven} from './divergence.ts';
import type {DivergenceBook} from './divergenceBook.ts';
import {type DivergenceContext, explainCase, maxRetryTime} from './reasons.ts';
import {isForForeignTaint, isSurprise} from './surprise.ts';
import type {CaseExplanation, UnexplainedAction} from './unexplainedAction.ts';
import {zonePace} from './zonePace.ts';

type JudgeParts = DivergenceContext &
	Readonly<{
		ledger: ActionLedger;
		book: DivergenceBook;
		settings: () => ControllerSettings;
		matched: (match: MatchedAction) => void;
	}>;

/** Time to wait for an explanation from other watches. */
const settleTime: Duration = 3 * second;
/**
 * A dead watch is only detected by 90 seconds of silence, and then delivers what it missed, or reports the loss. After this
 * time, a watch without news means that nothing happened.
 */
const longestSilence: Duration = 2 * minute;
/** How long after a divergence better reasons are searched. */
const explainFor: Duration = 2 * minute;

/** Compares what came, and what did not, with the predictions. */
export class Judge {
	readonly #parts: JudgeParts;
	/** Actions that were not as predicted, kept until their explanation may have arrived. */
	#undecided: readonly UnexplainedAction[] = [];
	/** Nodes whose last change to Unknown was not as predicted, by UID: their taints follow from it. */
	readonly #mispredictedUnknown = new Map<string, Instant>();
	readonly #pace = zonePace();
	/** Objects without an expected change at the last tick, by UID. */
	readonly #unconfirmed = new Map<string, ActionObject>();
	#isInDoubt = false;

	constructor(parts: JudgeParts) {
		this.#parts = parts;
	}

	/** Called after an observation gap: open divergences are re-explained. */
	doubt() {
		this.#isInDoubt = true;
	}

	judgeAction(action: ControllerAction, now: Instant) {
		const {ledger, matched} = this.#parts;
		const comparison = ledger.take(action);
		const prediction = 'prediction' in comparison ? comparison.prediction : undefined;
		const wasMissing = this.#wasMissing(action, now);
		if (action.action === 'SetUnknown') {
			if (comparison.type === 'inside') this.#mispredictedUnknown.delete(action.object.uid);
			else this.#mispredictedUnknown.set(action.object.uid, now);
		}
		// Others may delete it at any time, so its timing does not confirm the forecast.
		if (action.mayBeForeign) return;
		// An unpredicted change of a node changes the predictions of other nodes.
		if (comparison.type !== 'inside' && action.object.kind === 'Node') ledger.disturb([{type: 'nodes'}]);
		if (this.#isTooFast(action, prediction?.since, now)) return;
		if (comparison.type === 'unjudged') {
			// A foreign taint ends predictions on all nodes, even of pods that were to be evicted for another taint.
			if (isForForeignTaint(action, this.#parts.world, this.#parts.settings()))
				this.#hold('Unexpected', action, null, action.at.lo, now);
			return;
		}
		const isPredicted = comparison.type !== 'unpredicted';
		if (!isPredicted || (comparison.type === 'inside' && comparison.isFresh && action.pod)) {
			const isHeld = !wasMissing && isSurprise(action, this.#parts.world, this.#parts.settings());
			const since = isPredicted ? comparison.prediction.since : comparison.since;
			if (isHeld) this.#hold('Unexpected', action, null, since, now);
			if (isHeld || !isPredicted) return;
		}
		const {prediction: predicted, type} = comparison;
		const {range} = predicted;
		if (predicted.isAfterUnknown && this.#mispredictedUnknown.has(action.object.uid)) return;
		const {action: what, zone, at} = action;
		const isInside = type === 'inside';
		matched({action: what, zone, at: at.hi, error: Math.round(at.hi - range.expected), isInside});
		if (isInside || wasMissing || this.#hasBegunInTime(action, range)) return;
		this.#hold(type === 'early' ? 'Early' : 'Late', action, range, predicted.since, now);
	}

	/** Called after a takeover or a gap: the earlier pace of taints no longer counts. */
	startAnew() {
		this.#pace.startAnew();
	}

	/** Whether a zone taints nodes faster than its rate allows, in any order. */
	#isTooFast(action: ControllerAction, since: Instant | undefined, now: Instant) {
		if (action.action !== 'TaintNode' || action.writer !== undefined) return false;
		const allowed = this.#pace.tainted(action, this.#parts.settings());
		if (allowed) this.#hold('Early', action, allowed, since ?? action.at.lo, now);
		return allowed !== undefined;
	}

	#hold(
		kind: DivergenceKind,
		action: ControllerAction,
		expected: Range | null,
		since: Instant,
		now: Instant,
	) {
		this.#undecided = [...this.#undecided, {...action, kind, expected, since, now}];
	}

	/** Whether it was reported as missing; it has come after all. */
	#wasMissing(action: ControllerAction, now: Instant) {
		const {book} = this.#parts;
		const entry = book.entryOf(action);
		if (!entry) return false;
		const {reason, because} = entry.divergence;
		// Its time is better evidence than its absence.
		const newExplanation = isUnproven(reason)
			? explainCase({...entry.of, kind: 'Late', at: action.at, now}, this.#parts)
			: undefined;
		book.markLate(entry, action.at.hi, now, newExplanation ?? {reason, because});
		return true;
	}

	/**
	 * Whether the controllers began a deletion within its range. Its requests come one after the other (it reads, marks and then
	 * deletes the pod, and tries again if that fails), so a slow API server delays their result, which no forecast can know.
	 *
	 * @upstream kubernetes v1.36.3 pkg/controller/tainteviction/taint_eviction.go deletePodHandler
	 */
	#hasBegunInTime({pod, at}: ControllerAction, range: Range) {
		const begunAt = pod && (this.#parts.world.triedAt(pod) ?? announcedAt(pod));
		return begunAt !== undefined && !isPast(range, begunAt) && at.lo - begunAt < maxRetryTime;
	}

	/** Drops what is too old to matter. */
	forgetBefore(at: Instant) {
		for (const [uid, since] of this.#mispredictedUnknown)
			if (since < at) this.#mispredictedUnknown.delete(uid);
	}

	/** The objects to request from the API server, to detect a dead watch. */
	get unconfirmed(): readonly ActionObject[] {
		return [...this.#unconfirmed.values()];
	}

	checkDue(now: Instant) {
		this.#unconfirmed.clear();
		const due = this.#undecided.filter((unexplained) => unexplained.now + settleTime <= now);
		const waiting = this.#undecided.filter((unexplained) => unexplained.now + settleTime > now);
		for (const unexplained of due) {
			const explanation = explainCase({...unexplained, now}, this.#parts);
			if (this.#mayBeExplained(unexplained, explanation, now)) waiting.push(unexplained);
			else this.#parts.book.raise({...unexplained, now}, explanation);
		}
		this.#undecided = waiting;
		if (!this.#parts.gaps.isLost)
			for (const prediction of [...this.#parts.ledger.predictions]) this.#checkOverdue(prediction, now);
		this.#explainAnew(now);
	}

	/** Whether the pod's node, whose watch has delivered nothing since, may still explain the deletion. */
	#mayBeExplained({action, node, now: cameAt}: UnexplainedAction, {reason}: CaseExplanation, now: Instant) {
		if (action !== 'DeletePod' || reason !== 'Unexplained') return false;
		const {world} = this.#parts;
		const uid = world.store.nodes.get(node)?.uid ?? '';
		const isHeard = Math.max(world.nodesHeardAt, world.confirmedAt(uid)) > cameAt;
		if (isHeard || now > cameAt + longestSilence) return false;
		if (uid !== '') this.#unconfirmed.set(uid, {kind: 'Node', name: node, uid});
		return true;
	}

	#checkOverdue(prediction: ActionPrediction, now: Instant) {
		if (prediction.isAfterUnknown) return;
		const {action, object, range} = prediction;
		if (prediction.isStale || !isPast(range, now - patience)) return;
		if (!this.#hasBeenSeen(prediction, now)) return;
		const id = this.#idOf(prediction);
		if (id === undefined || this.#parts.book.entryOf(prediction)) return;
		const {namespace = '', name, uid} = object;
		const pod = object.kind === 'Pod' ? this.#parts.world.podOf(podKey({namespace, name}), uid) : undefined;
		const triedAt = pod && announcedAt(pod);
		if (triedAt !== undefined && now - triedAt < maxRetryTime) return;
		const isOfNode = action === 'DeletePod' || !pod;
		const stateSince = isOfNode ? prediction.stateSince : this.#parts.world.stateSince(action, pod);
		const missing: UnexplainedAction = {
			...prediction,
			id,
			kind: 'Missing',
			stateSince,
			now,
			expected: range,
			at: null,
			...(pod && {pod}),
		};
		this.#parts.book.raise(missing, explainCase(missing, this.#parts));
	}

	/** Whether enough has been seen to be sure that it has not come. */
	#hasBeenSeen({object, node, range}: ActionPrediction, now: Instant) {
		const {earliest, end} = range;
		const {world, controllers} = this.#parts;
		if (world.heardAt <= end + tolerance) return false;
		const heardAt = object.kind === 'Pod' ? world.podsHeardAt.get(node) : world.nodesHeardAt;
		const knownUntil = Math.max(heardAt ?? end, world.confirmedAt(object.uid));
		const mayBeUnheard = knownUntil <= end + tolerance && now <= end + longestSilence;
		// If no controllers ran, it cannot have been done.
		if (mayBeUnheard && !controllers.isDownSince(earliest - tolerance)) {
			this.#unconfirmed.set(object.uid, object);
			return false;
		}
		return controllers.hasShownSince(end, now) && !controllers.isDoubtful(now);
	}

	#idOf({action, object}: ActionPrediction): string | undefined {
		if (object.kind === 'Pod') return podActionId(action, object.uid);
		const {world} = this.#parts;
		const node = world.store.nodes.get(object.name);
		if (node?.uid !== object.uid) return undefined;
		const {leader} = world;
		return nodeActionId(action, {node, renewTime: world.renewals.get(node.name)?.renewTime, leader});
	}

	/** Ends missing actions that are no longer expected. */
	endWithdrawn(now: Instant) {
		const {book, ledger} = this.#parts;
		for (const entry of book.open) if (!ledger.get(entry.of)) book.end(entry, now);
	}

	/** Explains open divergences anew for a while, and once more after a gap; none while one is open. */
	#explainAnew(now: Instant) {
		const {book, gaps} = this.#parts;
		if (gaps.isLost) return;
		for (const entry of book.open) {
			const {of, divergence} = entry;
			const isFresh = divergence.noticedAt >= now - explainFor || this.#isInDoubt;
			if (!isUnproven(divergence.reason) || !isFresh) continue;
			const explanation = explainCase({...of, now}, this.#parts);
			if (explanation.reason !== divergence.reason) book.explain(entry, explanation);
		}
		this.#isInDoubt = false;
	}
}
