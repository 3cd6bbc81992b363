import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import {isWellNode} from '../nodeForecast.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import {Range} from '../range.ts';
import {actionsPredictedBy, type PredictedAction} from './actionPredictions.ts';
import {type ControllerAction, isOfPod, keyOf, podActions} from './controllerAction.ts';
import type {Disturbance} from './disturbance.ts';
import {endOf, missedBy, oldEnough} from './prediction.ts';

/** What was said, and since when. */
type Said = {readonly range: Range; readonly since: Instant};

/** An action that is expected, as long as nothing disturbs it. */
export type ActionPrediction = Omit<PredictedAction, 'range'> & {
	/** All that was said of it since something last disturbed it; null where nothing is said any more. */
	readonly range: Range | null;
	/** Since when it is said without a disturbance. */
	readonly since: Instant;
	/** Whether something disturbed it, and no forecast was made since. */
	readonly isStale: boolean;
	/** What was said before other controllers took over. */
	readonly before?: Said;
	/** What was said before the last disturbance, which may have been theirs already, and when that was replaced. */
	readonly previous?: Said & {readonly replacedAt: Instant};
};

/** How an action that came stands to what was said of it. */
type Standing =
	/** It was said long enough before, and holds. */
	| {
			readonly type: 'inside';
			readonly prediction: ActionPrediction;
			readonly range: Range;
			/** Whether it was said only a moment before. */
			readonly isFresh: boolean;
	  }
	| {readonly type: 'early' | 'late'; readonly prediction: ActionPrediction; readonly range: Range}
	/** Nothing was said of it, though all was known. */
	| {readonly type: 'unpredicted'; readonly since: Instant}
	/** What was said holds no longer, or was said too late: it is not judged. */
	| {readonly type: 'unjudged'; readonly prediction?: ActionPrediction};

/** How long after its range an action is still waited for. */
export const patience: Duration = 3 * second;

/**
 * Keeps what forecasts say is to come until it comes. A forecast holds if nothing else changes: so all that is said
 * between two disturbances holds together, and its narrowest ends count.
 */
export class ActionLedger {
	readonly #standing = new Map<string, ActionPrediction>();
	/** The nodes that were silent in the last forecast: one more or less disturbs the others. */
	#silent = '';
	/** Since when forecasts tell of all nodes, undisturbed. */
	#coveredSince: Instant | undefined;
	#last: Forecast['nodes'] | undefined;

	get standing(): Iterable<ActionPrediction> {
		return this.#standing.values();
	}

	get(action: Pick<ControllerAction, 'action' | 'object'>): ActionPrediction | undefined {
		return this.#standing.get(keyOf(action));
	}

	/** Something that nobody predicted has happened. */
	disturb(disturbances: readonly Disturbance[], now: Instant): void {
		const kinds = new Set(disturbances.map(({type}) => type));
		const isOfAll = kinds.has('nodes') || kinds.has('leader');
		if (isOfAll) this.#coveredSince = undefined;
		for (const one of disturbances) {
			if (one.type !== 'pod') continue;
			for (const action of podActions) this.#standing.delete(`${action} ${one.uid}`);
		}
		// A countdown is kept where the controllers' own taints take each other's place.
		const names = new Set(
			disturbances.flatMap((one) => (one.type === 'podsOf' && one.cause !== 'taintReplaced' ? one.node : [])),
		);
		if (!isOfAll && names.size === 0) return;
		// Once a batch: thousands of nodes may fall silent together, with the pods of all.
		for (const [key, one] of this.#standing) {
			const isHit = isOfPod(one.action) ? names.has(one.node) : kinds.has('nodes');
			if (!isHit && !kinds.has('leader')) continue;
			const before = kinds.has('leader') ? (one.before ?? saidBefore(one, now)) : one.before;
			this.#standing.set(key, {...one, isStale: true, ...(before && {before})});
		}
	}

	/**
	 * Takes in a forecast.
	 *
	 * @param mayTakeBack whether it may take back what was said: not where it only waits for controllers to come
	 */
	add(forecast: Forecast, mayTakeBack: boolean): void {
		const {nodes, observedAt} = forecast;
		if (nodes === this.#last) return;
		this.#last = nodes;
		const silent = nodes.flatMap(({name, verdict}) => (verdict === 'Silent' ? name : [])).join(' ');
		if (silent !== this.#silent) this.disturb([{type: 'nodes'}], observedAt);
		this.#silent = silent;
		this.#coveredSince ??= observedAt;
		const said = new Set<string>();
		for (const one of actionsPredictedBy(forecast)) {
			const key = keyOf(one);
			said.add(key);
			this.#standing.set(key, joined(this.#standing.get(key), one, forecast));
		}
		this.#takeBack(said, forecast, mayTakeBack);
	}

	/** What a forecast does not say any more goes where something has changed; else it stands. */
	#takeBack(said: ReadonlySet<string>, {nodes, pods}: Forecast, mayTakeBack: boolean): void {
		const unsaid = [...this.#standing].filter(([key]) => !said.has(key));
		if (unsaid.length === 0) return;
		const nodeOf = new Map(nodes.map((node) => [node.uid, node]));
		const podOf = new Map(pods.map((pod) => [pod.uid, pod]));
		for (const [key, one] of unsaid) {
			const node = nodeOf.get(one.object.uid);
			const verdict = podOf.get(one.object.uid)?.verdict;
			const isOver = isOfPod(one.action)
				? verdict === undefined || verdict === 'Safe' || verdict === 'Stays' || verdict === 'Terminating'
				: isOverFor(one, node);
			if (isOver) this.#standing.delete(key);
			else if (one.isStale && mayTakeBack) {
				if (one.before) this.#standing.set(key, {...one, range: null});
				else this.#standing.delete(key);
			}
		}
	}

	/** How an action that came stands to what was said of it, and lets go of that. */
	take(action: ControllerAction): Standing {
		const key = keyOf(action);
		const {at} = action;
		const prediction = this.#standing.get(key);
		this.#standing.delete(key);
		if (!prediction) {
			const isCovered = this.#coveredSince !== undefined && this.#coveredSince <= at.lo - oldEnough;
			return isCovered ? {type: 'unpredicted', since: this.#coveredSince ?? at.lo} : {type: 'unjudged'};
		}
		const {range, isStale, since} = prediction;
		if (!range) return {type: 'unjudged', prediction};
		const type = sideOf(range, at);
		const isFresh = since > at.lo - oldEnough;
		if (type === 'inside') return {type, prediction, range, isFresh};
		if (isStale || isFresh) return {type: 'unjudged', prediction};
		return {type, prediction, range};
	}

	/** Nothing that was said holds any more. */
	forget(): void {
		this.#standing.clear();
		this.#coveredSince = undefined;
	}
}

/** The word of a takeover may come so much later than what it brings. */
const lateWord: Duration = 10 * second;

/** What was said before new controllers did anything. */
function saidBefore({previous, range, since}: ActionPrediction, now: Instant): Said | undefined {
	if (previous && now - previous.replacedAt < lateWord) return previous;
	return range ? {range, since} : undefined;
}

/** On which side of its range something came. */
function sideOf(range: Range, at: ControllerAction['at']): 'early' | 'late' | 'inside' {
	if (missedBy({range}, at.hi) < 0) return 'early';
	return missedBy({range}, at.lo) > 0 ? 'late' : 'inside';
}

/** Whether something that is predicted should have come. */
export const isPast = (range: Range, now: Instant): boolean => missedBy({range}, now) > 0;

function joined(
	known: ActionPrediction | undefined,
	said: PredictedAction,
	{observedAt, pass}: Pick<Forecast, 'observedAt' | 'pass'>,
): ActionPrediction {
	const {before, previous} = known ?? {};
	const replaced = known?.isStale && known.range;
	const last = replaced ? {range: replaced, since: known.since, replacedAt: observedAt} : previous;
	const kept = {...(before && {before}), ...(last && {previous: last})};
	// How long a pass takes that throttling makes last shows itself only as it goes; of pods, the line may grow.
	const isAnew = !known?.range || known.isStale || pass !== null || isOfPod(said.action);
	const since = known?.range && !known.isStale ? known.since : observedAt;
	if (isAnew) return {...said, since, isStale: false, ...kept};
	return {...said, range: narrower(known.range, said.range), since, isStale: false, ...kept};
}

/** What both say. One that slides on, as nothing comes, does not move what was said before. */
function narrower(older: Range, newer: Range): Range {
	const latest = Math.min(endOf({range: older}), endOf({range: newer}));
	const earliest = Math.min(latest, Math.max(older.earliest, newer.earliest));
	const expected = newer.expected > latest ? older.expected : newer.expected;
	return new Range(earliest, expected, latest);
}

/** Whether a node is not in the state any more that it was to leave. */
function isOverFor({action}: ActionPrediction, node: Forecast['nodes'][number] | undefined): boolean {
	if (!node) return true;
	if (action === 'SetUnknown') return node.verdict !== 'Silent';
	const isTainted = node.node !== undefined && lifecycleTaint(node.node) !== undefined;
	if (action === 'UntaintNode') return !isTainted;
	return isTainted || isWellNode(node);
}
