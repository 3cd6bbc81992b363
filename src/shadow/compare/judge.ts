import {announcedAt, podKey} from '../../core/model/pod.ts';
import {type Duration, type Instant, minute, second} from '../../core/time/instant.ts';
import type {Forecaster} from '../../forecast/forecaster.ts';
import {
	type ActionLedger,
	type ActionPrediction,
	isPast,
	patience,
} from '../../forecast/ledger/actionLedger.ts';
import {
	type ControllerAction,
	keyOf,
	nodeActionId,
	podActionId,
} from '../../forecast/ledger/controllerAction.ts';
import {tolerance} from '../../forecast/ledger/prediction.ts';
import type {Range} from '../../forecast/range.ts';
import type {MatchedAction} from '../shadowView.ts';
import type {ClusterHistory} from './clusterHistory.ts';
import type {ControllerWatch} from './controllerWatch.ts';
import {type DivergenceKind, isLikely, type UnconfirmedObject} from './divergence.ts';
import type {DivergenceBook} from './divergenceBook.ts';
import type {ObservationGaps} from './observationGaps.ts';
import {maxRetryTime} from './reasons.ts';
import {isForForeignTaint, isSurprise} from './surprise.ts';
import type {CaseExplanation, UnexplainedAction} from './unexplainedAction.ts';
import {ZonePace} from './zonePace.ts';

type JudgeParts = {
	readonly world: ClusterHistory;
	readonly ledger: ActionLedger;
	readonly controllers: ControllerWatch;
	readonly gaps: ObservationGaps;
	readonly book: DivergenceBook;
	readonly forecaster: Pick<Forecaster, 'settings'>;
	readonly explain: (one: UnexplainedAction) => CaseExplanation;
	readonly matched: (match: MatchedAction) => void;
};

/** Time to wait for an explanation from other watches. */
const settleTime: Duration = 3 * second;
/**
 * A dead watch is only detected by 90 seconds of silence, and then delivers what it missed, or reports the loss. After this
 * time, a watch without news means that nothing happened.
 */
const longestSilence: Duration = 2 * minute;
/** How long after a divergence better reasons are searched. */
const explainFor: Duration = 2 * minute;
/** Number of divergences that are re-explained per tick, so that they do not block the process. */
const maxExplained = 200;

/** Compares what came, and what did not, with the predictions. */
export class Judge {
	readonly #parts: JudgeParts;
	/** Actions that were not as predicted, kept until their explanation may have arrived. */
	#undecided: readonly UnexplainedAction[] = [];
	/** Missing actions by key; the divergence's id does not change after a takeover. */
	readonly #waiting = new Map<
		string,
		{readonly id: string; readonly of: Pick<ActionPrediction, 'action' | 'object'>}
	>();
	/** Nodes whose last change to Unknown was not as predicted, by UID: their taints follow from it. */
	readonly #mispredictedUnknown = new Map<string, Instant>();
	readonly #pace = new ZonePace();
	/** Objects without an expected change at the last tick, by UID. */
	readonly #unconfirmed = new Map<string, UnconfirmedObject>();
	#isInDoubt = false;
	/** The ids of divergences to re-explain. */
	#unexplained: readonly string[] = [];

	constructor(parts: JudgeParts) {
		this.#parts = parts;
	}

	/** Called after an observation gap: open divergences are re-explained. */
	doubt(): void {
		this.#isInDoubt = true;
	}

	judgeAction(action: ControllerAction, now: Instant): void {
		const {ledger, matched} = this.#parts;
		const comparison = ledger.take(action);
		const prediction = 'prediction' in comparison ? comparison.prediction : undefined;
		const isByControllers = !action.mayBeForeign;
		const isLate =
			this.#wasMissing(action, now) || (isByControllers && this.#isPostponed(action, prediction, now));
		if (action.action === 'SetUnknown') {
			if (comparison.type === 'inside') this.#mispredictedUnknown.delete(action.object.uid);
			else this.#mispredictedUnknown.set(action.object.uid, now);
		}
		// Others may delete it at any time, so its timing does not confirm the forecast.
		if (!isByControllers) return;
		// An unpredicted change of a node changes the predictions of other nodes.
		if (comparison.type !== 'inside' && action.object.kind === 'Node') ledger.disturb([{type: 'nodes'}], now);
		if (this.#isTooFast(action, prediction?.since, now)) return;
		if (comparison.type === 'unjudged') {
			// A foreign taint ends predictions on all nodes, even of pods that were to be evicted for another taint.
			if (isForForeignTaint(action, this.#parts.world, this.#parts.forecaster.settings))
				this.#hold('Unexpected', action, null, action.at.lo, now);
			return;
		}
		const isPredicted = comparison.type !== 'unpredicted';
		if (!isPredicted || (comparison.type === 'inside' && comparison.isFresh && action.pod)) {
			const isHeld = !isLate && isSurprise(action, this.#parts.world, this.#parts.forecaster.settings);
			const since = isPredicted ? comparison.prediction.since : comparison.since;
			if (isHeld) this.#hold('Unexpected', action, null, since, now);
			if (isHeld || !isPredicted) return;
		}
		const {range, type} = comparison;
		if (comparison.prediction.isAfterUnknown && this.#mispredictedUnknown.has(action.object.uid)) return;
		const {action: what, zone, at} = action;
		const isInside = type === 'inside';
		matched({action: what, zone, at: at.hi, error: Math.round(at.hi - range.expected), isInside});
		if (isInside || isLate) return;
		this.#hold(type === 'early' ? 'Early' : 'Late', action, range, comparison.prediction.since, now);
	}

	/** Called after a takeover or a gap: the earlier pace of taints no longer counts. */
	startAnew(): void {
		this.#pace.startAnew();
	}

	/** Whether a zone taints nodes faster than its rate allows, in any order. */
	#isTooFast(action: ControllerAction, since: Instant | undefined, now: Instant): boolean {
		if (action.action !== 'TaintNode' || action.writer !== undefined) return false;
		const allowed = this.#pace.tainted(action, this.#parts.forecaster.settings);
		if (allowed) this.#hold('Early', action, allowed, since ?? action.at.lo, now);
		return allowed !== undefined;
	}

	#hold(
		kind: DivergenceKind,
		action: ControllerAction,
		expected: Range | null,
		since: Instant,
		now: Instant,
	): void {
		const {id, action: what, object, node, zone, at, stateSince, writer, pod} = action;
		const {settings} = this.#parts.forecaster;
		const one = {id, kind, action: what, object, node, zone, expected, at, since, stateSince, now, settings};
		this.#undecided = [
			...this.#undecided,
			{...one, ...(writer !== undefined && {writer}), ...(pod && {pod})},
		];
	}

	/** Whether it was reported as missing; it has come after all. */
	#wasMissing(action: ControllerAction, now: Instant): boolean {
		const {book, explain} = this.#parts;
		const missing = this.#waiting.get(keyOf(action));
		if (!missing) return false;
		this.#waiting.delete(keyOf(action));
		const entry = book.entryOf(missing.id);
		if (!entry) return true;
		const {reason, because, explainedBy} = entry.divergence;
		// Its time is better evidence than its absence.
		const newExplanation = isLikely(reason)
			? explain({...entry.of, kind: 'Late', at: action.at, now})
			: undefined;
		book.markLate(missing.id, action.at.hi, now, newExplanation ?? {reason, because, explainedBy});
		return true;
	}

	/** Whether it comes later than predicted before a takeover. */
	#isPostponed(action: ControllerAction, prediction: ActionPrediction | undefined, now: Instant): boolean {
		const before = prediction?.before;
		if (!before || prediction.isAfterUnknown || !isPast(before.range, action.at.lo)) return false;
		this.#hold('Late', action, before.range, before.since, now);
		return true;
	}

	/** Drops what is too old to matter. */
	forgetBefore(at: Instant): void {
		for (const [uid, since] of this.#mispredictedUnknown)
			if (since < at) this.#mispredictedUnknown.delete(uid);
	}

	/** The objects to request from the API server, to detect a dead watch. */
	get unconfirmed(): readonly UnconfirmedObject[] {
		return [...this.#unconfirmed.values()];
	}

	checkDue(now: Instant): void {
		this.#unconfirmed.clear();
		const {book, explain} = this.#parts;
		const due = this.#undecided.filter((one) => one.now + settleTime <= now);
		const waiting = this.#undecided.filter((one) => one.now + settleTime > now);
		for (const one of due) {
			const explanation = explain({...one, now});
			if (this.#mayBeExplained(one, explanation, now)) waiting.push(one);
			else book.raise({...one, now}, explanation);
		}
		this.#undecided = waiting;
		if (!this.#parts.gaps.isLost)
			for (const one of [...this.#parts.ledger.predictions]) this.#checkOverdue(one, now);
		this.#explainAnew(now);
	}

	/** Whether the pod's node, whose watch has delivered nothing since, may still explain the deletion. */
	#mayBeExplained(
		{action, node, now: cameAt}: UnexplainedAction,
		{reason}: CaseExplanation,
		now: Instant,
	): boolean {
		if (action !== 'DeletePod' || reason !== 'Unexplained') return false;
		const {world} = this.#parts;
		const uid = world.store.nodes.get(node)?.uid ?? '';
		const isHeard = Math.max(world.nodesHeardAt, world.confirmedAt(uid)) > cameAt;
		if (isHeard || now > cameAt + longestSilence) return false;
		if (uid !== '') this.#unconfirmed.set(uid, {kind: 'Node', namespace: '', name: node, uid});
		return true;
	}

	#checkOverdue(one: ActionPrediction, now: Instant): void {
		if (one.isAfterUnknown) return;
		const overdue = [one.before?.range, one.isStale ? undefined : one.range].find(
			(range) => range && isPast(range, now - patience),
		);
		if (!overdue || overdue.latest === null || !this.#hasBeenSeen(one, overdue, overdue.latest, now)) return;
		const id = this.#idOf(one);
		if (id === undefined || this.#waiting.has(keyOf(one))) return;
		const {action, object, node, zone, since, before} = one;
		const {namespace = '', name, uid} = object;
		const pod = object.kind === 'Pod' ? this.#parts.world.podOf(podKey({namespace, name}), uid) : undefined;
		const triedAt = pod && announcedAt(pod);
		if (triedAt !== undefined && now - triedAt < maxRetryTime) return;
		const isOfNode = action === 'DeletePod' || !pod;
		const stateSince = isOfNode ? one.stateSince : this.#parts.world.stateSince(action, pod);
		this.#waiting.set(keyOf(one), {id, of: {action, object}});
		const missing = {
			...{id, action, object, node, zone, stateSince, now, expected: overdue, at: null},
			kind: 'Missing' as const,
			since: overdue === before?.range ? before.since : since,
			settings: this.#parts.forecaster.settings,
			...(pod && {pod}),
		};
		this.#parts.book.raise(missing, this.#parts.explain(missing));
	}

	/** Whether enough has been seen to be sure that it has not come. */
	#hasBeenSeen({object, node}: ActionPrediction, {earliest}: Range, latest: Instant, now: Instant): boolean {
		const {world, controllers} = this.#parts;
		if (world.heardAt <= latest + tolerance) return false;
		const heardAt = object.kind === 'Pod' ? world.podsHeardAt.get(node) : world.nodesHeardAt;
		const knownUntil = Math.max(heardAt ?? latest, world.confirmedAt(object.uid));
		const mayBeUnheard = knownUntil <= latest + tolerance && now <= latest + longestSilence;
		// If no controllers ran, it cannot have been done.
		if (mayBeUnheard && !controllers.isDownSince(earliest - tolerance)) {
			this.#unconfirmed.set(object.uid, {namespace: '', ...object});
			return false;
		}
		return controllers.hasShownSince(latest, now) && !controllers.isDoubtful(now);
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
	dropMoot(now: Instant): void {
		for (const [key, {id, of}] of this.#waiting) {
			if (this.#parts.ledger.get(of)) continue;
			this.#waiting.delete(key);
			this.#parts.book.end(id, now);
		}
	}

	/** Re-explains some divergences per tick; none while a gap is open. */
	#explainAnew(now: Instant): void {
		const {book, explain, gaps} = this.#parts;
		if (gaps.isLost) return;
		// Waiting ones keep their place, however often doubt arises.
		if (this.#isInDoubt || this.#unexplained.length === 0)
			this.#unexplained = [...new Set([...this.#unexplained, ...this.#toExplain(now)])];
		this.#isInDoubt = false;
		const some = this.#unexplained.slice(0, maxExplained);
		this.#unexplained = this.#unexplained.slice(maxExplained);
		for (const id of some) {
			const entry = book.entryOf(id);
			if (!entry) continue;
			const explanation = explain({...entry.of, now});
			if (explanation.reason !== entry.divergence.reason) book.explain(id, explanation);
		}
	}

	#toExplain(now: Instant): readonly string[] {
		return this.#parts.book.open.flatMap(({divergence: {id, reason, noticedAt}}) =>
			isLikely(reason) && (noticedAt >= now - explainFor || this.#isInDoubt) ? id : [],
		);
	}
}
