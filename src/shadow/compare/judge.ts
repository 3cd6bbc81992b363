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
import type {Match} from '../shadowView.ts';
import type {Case, CaseExplanation} from './case.ts';
import type {ClusterHistory} from './clusterHistory.ts';
import type {ControllerWatch} from './controllerWatch.ts';
import {type DivergenceKind, isLikely, type UnconfirmedObject} from './divergence.ts';
import type {DivergenceBook} from './divergenceBook.ts';
import type {ObservationGaps} from './observationGaps.ts';
import {tryingFor} from './reasons.ts';
import {isForSomebodysTaint, isSurprise} from './surprise.ts';
import {ZonePace} from './zonePace.ts';

/** What judging needs. */
type JudgeParts = {
	readonly world: ClusterHistory;
	readonly ledger: ActionLedger;
	readonly controllers: ControllerWatch;
	readonly gaps: ObservationGaps;
	readonly book: DivergenceBook;
	readonly forecaster: Pick<Forecaster, 'settings'>;
	readonly explain: (one: Case) => CaseExplanation;
	readonly matched: (match: Match) => void;
};

/** Other watches may bring a moment later what explains it: so long it is waited for. */
const settling: Duration = 3 * second;
/**
 * A watch that is dead shows that by its silence alone, after 90 seconds; what it missed comes once it is opened anew,
 * or all are known to be lost. After so long, that a watch brought nothing means that there was nothing.
 */
const longestSilence: Duration = 2 * minute;
/** How long a better reason is looked for. */
const explaining: Duration = 2 * minute;
/** How many get one with each look at the clock: others wait for theirs, as does all that the process does. */
const mostExplained = 200;

/** Holds what came, and what did not, against what was expected. */
export class Judge {
	readonly #parts: JudgeParts;
	/** What came, and was not as expected, until all is heard that may explain it. */
	#held: readonly Case[] = [];
	/** By key, what is missing: the id of the divergence, which others that take over do not change. */
	readonly #waiting = new Map<
		string,
		{readonly id: string; readonly of: Pick<ActionPrediction, 'action' | 'object'>}
	>();
	/** By UID, and when: the nodes whose last turn to Unknown came outside of what was said: their taints follow from that. */
	readonly #astray = new Map<string, Instant>();
	readonly #pace = new ZonePace();
	/** Of what nothing was heard though it should have come, at the last look at the clock; by UID. */
	readonly #unconfirmed = new Map<string, UnconfirmedObject>();
	#isInDoubt = false;
	/** The ids of those for which a better reason is still to be looked for. */
	#unexplained: readonly string[] = [];

	constructor(parts: JudgeParts) {
		this.#parts = parts;
	}

	/** An observation gap was found: divergences that were raised meanwhile are explained anew. */
	doubt(): void {
		this.#isInDoubt = true;
	}

	/** Something came. */
	came(action: ControllerAction, now: Instant): void {
		const {ledger, matched} = this.#parts;
		const standing = ledger.take(action);
		const prediction = 'prediction' in standing ? standing.prediction : undefined;
		const isMine = !action.isAnybodys;
		const isLate = this.#wasMissing(action, now) || (isMine && this.#isPostponed(action, prediction, now));
		if (action.action === 'SetUnknown') {
			if (standing.type === 'inside') this.#astray.delete(action.object.uid);
			else this.#astray.set(action.object.uid, now);
		}
		// Others may delete it at any time: that it came when it was predicted says nothing for the forecast either.
		if (!isMine) return;
		// What nobody predicted changes what is to come to others.
		if (standing.type !== 'inside' && action.object.kind === 'Node') ledger.disturb([{type: 'nodes'}], now);
		if (this.#isTooFast(action, prediction?.since, now)) return;
		if (standing.type === 'unjudged') {
			// Somebody's taint is told of all nodes alike, of those too whose pods were to go for another.
			if (isForSomebodysTaint(action, this.#parts.world, this.#parts.forecaster.settings))
				this.#hold('Unexpected', action, null, action.at.lo, now);
			return;
		}
		const isTold = standing.type !== 'unpredicted';
		if (!isTold || (standing.type === 'inside' && standing.isFresh && action.pod)) {
			const isHeld = !isLate && isSurprise(action, this.#parts.world, this.#parts.forecaster.settings);
			const since = isTold ? standing.prediction.since : standing.since;
			if (isHeld) this.#hold('Unexpected', action, null, since, now);
			if (isHeld || !isTold) return;
		}
		const {range, type} = standing;
		if (standing.prediction.isAfterUnknown && this.#astray.has(action.object.uid)) return;
		const {action: what, zone, at} = action;
		const isInside = type === 'inside';
		matched({action: what, zone, at: at.hi, error: Math.round(at.hi - range.expected), isInside});
		if (isInside || isLate) return;
		this.#hold(type === 'early' ? 'Early' : 'Late', action, range, standing.prediction.since, now);
	}

	/** Others have taken over, or not all was seen: how fast zones were tainted before tells nothing. */
	startAnew(): void {
		this.#pace.startAnew();
	}

	/** Whether a zone taints its nodes faster than it may, whichever of them comes first. */
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
		this.#held = [...this.#held, {...one, ...(writer !== undefined && {writer}), ...(pod && {pod})}];
	}

	/** Whether it was told to be missing; it came after all then. */
	#wasMissing(action: ControllerAction, now: Instant): boolean {
		const {book, explain} = this.#parts;
		const missing = this.#waiting.get(keyOf(action));
		if (!missing) return false;
		this.#waiting.delete(keyOf(action));
		const entry = book.entryOf(missing.id);
		if (!entry) return true;
		const {reason, because, explainedBy} = entry.divergence;
		// When it came tells more than that it was missing.
		const anew = isLikely(reason) ? explain({...entry.of, kind: 'Late', at: action.at, now}) : undefined;
		book.came(missing.id, action.at.hi, now, anew ?? {reason, because, explainedBy});
		return true;
	}

	/** Whether it comes later than was said before other controllers took over. */
	#isPostponed(action: ControllerAction, prediction: ActionPrediction | undefined, now: Instant): boolean {
		const before = prediction?.before;
		if (!before || prediction.isAfterUnknown || !isPast(before.range, action.at.lo)) return false;
		this.#hold('Late', action, before.range, before.since, now);
		return true;
	}

	/** Lets go of what decides nothing any more. */
	forgetBefore(at: Instant): void {
		for (const [uid, since] of this.#astray) if (since < at) this.#astray.delete(uid);
	}

	/** What to ask the API server for, so as to know whether its watch is dead. */
	get unconfirmed(): readonly UnconfirmedObject[] {
		return [...this.#unconfirmed.values()];
	}

	/** Looks at the clock. */
	look(now: Instant): void {
		this.#unconfirmed.clear();
		const {book, explain} = this.#parts;
		const due = this.#held.filter((one) => one.now + settling <= now);
		const waiting = this.#held.filter((one) => one.now + settling > now);
		for (const one of due) {
			const explanation = explain({...one, now});
			if (this.#mayBeExplained(one, explanation, now)) waiting.push(one);
			else book.raise({...one, now}, explanation);
		}
		this.#held = waiting;
		if (!this.#parts.gaps.isLost) for (const one of [...this.#parts.ledger.standing]) this.#lookAt(one, now);
		this.#explainAnew(now);
	}

	/** Whether a pod's deletion may yet be explained by its node, of which nothing was heard since. */
	#mayBeExplained({action, node, now: cameAt}: Case, {reason}: CaseExplanation, now: Instant): boolean {
		if (action !== 'DeletePod' || reason !== 'Unexplained') return false;
		const {world} = this.#parts;
		const uid = world.nodes.get(node)?.uid ?? '';
		const isHeard = Math.max(world.nodesHeardAt, world.confirmedAt(uid)) > cameAt;
		if (isHeard || now > cameAt + longestSilence) return false;
		if (uid !== '') this.#unconfirmed.set(uid, {kind: 'Node', namespace: '', name: node, uid});
		return true;
	}

	#lookAt(one: ActionPrediction, now: Instant): void {
		if (one.isAfterUnknown) return;
		const said = [one.before?.range, one.isStale ? undefined : one.range].find(
			(range) => range && isPast(range, now - patience),
		);
		if (!said || said.latest === null || !this.#hasBeenSeen(one, said, said.latest, now)) return;
		const id = this.#idOf(one);
		if (id === undefined || this.#waiting.has(keyOf(one))) return;
		const {action, object, node, zone, since, before} = one;
		const {namespace = '', name, uid} = object;
		const pod = object.kind === 'Pod' ? this.#parts.world.podOf(podKey({namespace, name}), uid) : undefined;
		const triedAt = pod && announcedAt(pod);
		if (triedAt !== undefined && now - triedAt < tryingFor) return;
		const isOfNode = action === 'DeletePod' || !pod;
		const stateSince = isOfNode ? one.stateSince : this.#parts.world.stateSince(action, pod);
		this.#waiting.set(keyOf(one), {id, of: {action, object}});
		const missing = {
			...({
				id,
				kind: 'Missing',
				action,
				object,
				node,
				zone,
				stateSince,
				now,
				expected: said,
				at: null,
			} as const),
			since: said === before?.range ? before.since : since,
			settings: this.#parts.forecaster.settings,
			...(pod && {pod}),
		};
		this.#parts.book.raise(missing, this.#parts.explain(missing));
	}

	/** Whether enough was heard since to be sure that it has not come. */
	#hasBeenSeen({object, node}: ActionPrediction, {earliest}: Range, latest: Instant, now: Instant): boolean {
		const {world, controllers} = this.#parts;
		if (world.heardAt <= latest + tolerance) return false;
		const heardAt = object.kind === 'Pod' ? world.podsHeardAt.get(node) : world.nodesHeardAt;
		const knownUntil = Math.max(heardAt ?? latest, world.confirmedAt(object.uid));
		const mayBeUnheard = knownUntil <= latest + tolerance && now <= latest + longestSilence;
		// What nobody was there to do has not been done.
		if (mayBeUnheard && !controllers.isDownSince(earliest - tolerance)) {
			this.#unconfirmed.set(object.uid, {namespace: '', ...object});
			return false;
		}
		return controllers.hasShownSince(latest, now) && !controllers.isDoubtful(now);
	}

	#idOf({action, object}: ActionPrediction): string | undefined {
		if (object.kind === 'Pod') return podActionId(action, object.uid);
		const {world} = this.#parts;
		const node = world.nodes.get(object.name);
		if (node?.uid !== object.uid) return undefined;
		const {leader} = world;
		return nodeActionId(action, {node, renewTime: world.renewals.get(node.name)?.renewTime, leader});
	}

	/** What is not expected any more is not waited for. */
	dropMoot(now: Instant): void {
		for (const [key, {id, of}] of this.#waiting) {
			if (this.#parts.ledger.get(of)) continue;
			this.#waiting.delete(key);
			this.#parts.book.end(id, now);
		}
	}

	/** Some of them with each look, in turn; none while nothing new is seen that could be a reason. */
	#explainAnew(now: Instant): void {
		const {book, explain, gaps} = this.#parts;
		if (gaps.isLost) return;
		// Those that wait for their turn keep it, however often there is a doubt.
		if (this.#isInDoubt || this.#unexplained.length === 0)
			this.#unexplained = [...new Set([...this.#unexplained, ...this.#toExplain(now)])];
		this.#isInDoubt = false;
		const some = this.#unexplained.slice(0, mostExplained);
		this.#unexplained = this.#unexplained.slice(mostExplained);
		for (const id of some) {
			const entry = book.entryOf(id);
			if (!entry) continue;
			const explanation = explain({...entry.of, now});
			if (explanation.reason !== entry.divergence.reason) book.explain(id, explanation);
		}
	}

	#toExplain(now: Instant): readonly string[] {
		return this.#parts.book.open.flatMap(({divergence: {id, reason, noticedAt}}) =>
			isLikely(reason) && (noticedAt >= now - explaining || this.#isInDoubt) ? id : [],
		);
	}
}
