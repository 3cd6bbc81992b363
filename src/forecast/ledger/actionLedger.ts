import {mapBy} from '../../core/collections/mapBy.ts';
import {type Duration, type Instant, second} from '../../core/time/instant.ts';
import type {Forecast} from '../forecast.ts';
import {isWellNode} from '../nodeForecast.ts';
import {lifecycleTaint} from '../observe/nodes/lifecycleTaint.ts';
import {Range} from '../range.ts';
import {actionsPredictedBy, type PredictedAction} from './actionPredictions.ts';
import {type ControllerAction, isOfPod, keyOf, podActions} from './controllerAction.ts';
import type {Disturbance} from './disturbance.ts';
import {leastAge, missedBy} from './prediction.ts';

/** An expected action, as long as nothing disturbs it. */
export type ActionPrediction = PredictedAction & {
	/** Since when it is predicted without a disturbance. */
	readonly since: Instant;
	/** Whether something disturbed it, and no forecast was made since. */
	readonly isStale: boolean;
};

/** How an action that came compares with its prediction. */
type ActionComparison =
	/** It was predicted early enough, and came within the range. */
	| {
			readonly type: 'inside';
			readonly prediction: ActionPrediction;
			/** Whether it was predicted only a moment before. */
			readonly isFresh: boolean;
	  }
	| {readonly type: 'early' | 'late'; readonly prediction: ActionPrediction}
	/** Nothing was predicted, though everything was known. */
	| {readonly type: 'unpredicted'; readonly since: Instant}
	/** The prediction no longer holds, or came too late: it is not judged. */
	| {readonly type: 'unjudged'};

/** How long after its range an action is still expected. */
export const patience: Duration = 3 * second;

/**
 * Keeps the actions that forecasts predict until they come. A forecast holds if nothing else changes: so all predictions
 * between two disturbances hold together, and the narrowest ends count.
 */
export class ActionLedger {
	readonly #predictions = new Map<string, ActionPrediction>();
	/** The nodes that were silent in the last forecast: one more or less disturbs the predictions for others. */
	#silent = '';
	/** Since when forecasts cover all nodes, undisturbed. */
	#coveredSince: Instant | undefined;
	#last: Forecast['nodes'] | undefined;

	get predictions(): Iterable<ActionPrediction> {
		return this.#predictions.values();
	}

	get(action: Pick<ControllerAction, 'action' | 'object'>): ActionPrediction | undefined {
		return this.#predictions.get(keyOf(action));
	}

	/** Takes in events that no forecast could predict. */
	disturb(disturbances: readonly Disturbance[]) {
		const kinds = new Set(disturbances.map(({type}) => type));
		const isOfAll = kinds.has('nodes') || kinds.has('leader');
		if (isOfAll) this.#coveredSince = undefined;
		for (const one of disturbances) {
			if (one.type !== 'pod') continue;
			for (const action of podActions) this.#predictions.delete(`${action} ${one.uid}`);
		}
		// A countdown is kept if the controllers' own taints replace each other.
		const names = new Set(
			disturbances.flatMap((one) => (one.type === 'podsOf' && one.cause !== 'taintReplaced' ? one.node : [])),
		);
		if (!isOfAll && names.size === 0) return;
		// Once per batch: thousands of nodes may fall silent together, with all their pods.
		for (const [key, one] of this.#predictions) {
			const isHit = isOfPod(one.action) ? names.has(one.node) : kinds.has('nodes');
			if (isHit || kinds.has('leader')) this.#predictions.set(key, {...one, isStale: true});
		}
	}

	/** Takes in a forecast. @param mayTakeBack whether it may withdraw predictions: not while it waits for controllers */
	add(forecast: Forecast, mayTakeBack: boolean) {
		const {nodes, observedAt} = forecast;
		if (nodes === this.#last) return;
		this.#last = nodes;
		const silent = nodes.flatMap(({name, verdict}) => (verdict === 'Silent' ? name : [])).join(' ');
		if (silent !== this.#silent) this.disturb([{type: 'nodes'}]);
		this.#silent = silent;
		this.#coveredSince ??= observedAt;
		const predicted = new Set<string>();
		for (const one of actionsPredictedBy(forecast)) {
			const key = keyOf(one);
			predicted.add(key);
			this.#predictions.set(key, joined(this.#predictions.get(key), one, forecast));
		}
		this.#withdraw(predicted, forecast, mayTakeBack);
	}

	/** Withdraws what a forecast no longer predicts, if something has changed; otherwise the prediction stays. */
	#withdraw(predicted: ReadonlySet<string>, {nodes, pods}: Forecast, mayTakeBack: boolean) {
		const notPredicted = [...this.#predictions].filter(([key]) => !predicted.has(key));
		if (notPredicted.length === 0) return;
		const nodeOf = mapBy(nodes, (node) => node.uid);
		const podOf = mapBy(pods, (pod) => pod.uid);
		for (const [key, one] of notPredicted) {
			const node = nodeOf.get(one.object.uid);
			const verdict = podOf.get(one.object.uid)?.verdict;
			const isOver = isOfPod(one.action)
				? verdict === undefined || verdict === 'Safe' || verdict === 'Stays' || verdict === 'Terminating'
				: isOverFor(one, node);
			if (isOver || (one.isStale && mayTakeBack)) this.#predictions.delete(key);
		}
	}

	/** Compares an action that came with its prediction, which is then dropped. */
	take(action: ControllerAction): ActionComparison {
		const key = keyOf(action);
		const {at} = action;
		const prediction = this.#predictions.get(key);
		this.#predictions.delete(key);
		if (!prediction) {
			const isCovered = this.#coveredSince !== undefined && this.#coveredSince <= at.lo - leastAge;
			return isCovered ? {type: 'unpredicted', since: this.#coveredSince ?? at.lo} : {type: 'unjudged'};
		}
		const {range, isStale, since} = prediction;
		const type = sideOf(range, at);
		const isFresh = since > at.lo - leastAge;
		if (type === 'inside') return {type, prediction, isFresh};
		if (isStale || isFresh) return {type: 'unjudged'};
		return {type, prediction};
	}

	forget() {
		this.#predictions.clear();
		this.#coveredSince = undefined;
	}
}

/** On which side of its range an action came. */
function sideOf(range: Range, at: ControllerAction['at']): 'early' | 'late' | 'inside' {
	if (missedBy(range, at.hi) < 0) return 'early';
	return missedBy(range, at.lo) > 0 ? 'late' : 'inside';
}

/** Whether a predicted action should have come. */
export const isPast = (range: Range, now: Instant) => missedBy(range, now) > 0;

function joined(
	known: ActionPrediction | undefined,
	predicted: PredictedAction,
	{observedAt, pass}: Forecast,
): ActionPrediction {
	const since = known && !known.isStale ? known.since : observedAt;
	// The duration of a throttled pass shows only while it runs; for pods, the queue may grow.
	const isAnew = !known || known.isStale || pass !== null || isOfPod(predicted.action);
	const range = isAnew ? predicted.range : narrower(known.range, predicted.range);
	return {...predicted, range, since, isStale: false};
}

/** The intersection of both. If the newer range only moves on because nothing has come, it does not move the older one. */
function narrower(older: Range, newer: Range): Range {
	const latest = Math.min(older.end, newer.end);
	const earliest = Math.min(latest, Math.max(older.earliest, newer.earliest));
	const expected = newer.expected > latest ? older.expected : newer.expected;
	return new Range(earliest, expected, latest);
}

/** Whether a node is no longer in the state that the action was to end. */
function isOverFor({action}: ActionPrediction, node: Forecast['nodes'][number] | undefined) {
	if (!node) return true;
	if (action === 'SetUnknown') return node.verdict !== 'Silent';
	const isTainted = node.node !== undefined && lifecycleTaint(node.node) !== undefined;
	if (action === 'UntaintNode') return !isTainted;
	return isTainted || isWellNode(node);
}
