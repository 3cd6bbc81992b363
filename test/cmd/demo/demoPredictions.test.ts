import {expect, test} from 'vitest';
import {isAsPredicted, Predictions} from '../../../cmd/demo/demoPredictions.ts';
import type {Observation} from '../../../src/core/model/observation.ts';
import {type Instant, minute, second} from '../../../src/core/time/instant.ts';
import type {DemoStep} from '../../../src/demo/world/scenarios.ts';
import {Script} from '../../../src/demo/world/script.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {aForecast, aPodForecast, inSeconds, now} from '../../print/forecasts.ts';
import {aPod} from '../../support/builders.ts';

/** Predictions with their own store. */
class WatchedPredictions extends Predictions {
	readonly #store: ClusterStore;

	constructor(script: Script) {
		const store = new ClusterStore();
		super(script, store);
		this.#store = store;
	}

	observe(observations: readonly Observation[], at: Instant): void {
		this.take(this.#store.apply(observations, at));
	}
}

function predictionsWith(steps: readonly DemoStep[] = []) {
	const size = {zones: {}, replicaFactor: 1};
	const script = new Script({name: '', title: '', size, settings: {}, steps}, now);
	const predictions = new WatchedPredictions(script);
	predictions.observe([{type: 'podApplied', pod}], now);
	return predictions;
}

const pod = aPod('cart-0');

const said = (madeAfter: number, earliest: number, latest: number | null) =>
	aForecast({
		observedAt: now + madeAfter * second,
		pods: [aPodForecast({uid: pod.uid, eviction: inSeconds(earliest, latest)})],
	});

function deleteAfter(predictions: WatchedPredictions, seconds: number) {
	const at = now + seconds * second;
	predictions.observe([{type: 'podApplied', pod: {...pod, deletionTimestamp: at + 30 * second}}], at);
	const [deletion] = predictions.deletions;
	if (!deletion) throw new Error('no deletion was noticed');
	return deletion;
}

test('a deletion within every range is as predicted, and told with the first one', () => {
	const predictions = predictionsWith();
	predictions.add(said(1, 100, 200));
	predictions.add(said(2, 140, 160));
	const deletion = deleteAfter(predictions, 150);
	expect(isAsPredicted(deletion)).toBe(true);
	expect(deletion.first).toMatchObject({madeAt: now + second, range: inSeconds(100, 200)});
});

test.for([
	{name: 'before one that was said later', deletedAfter: 130, missed: inSeconds(140, 160)},
	{name: 'after one that was said between', deletedAfter: 165, missed: inSeconds(140, 160)},
])('a deletion $name is not, and told with the range it missed', ({deletedAfter, missed}) => {
	const predictions = predictionsWith();
	predictions.add(said(1, 100, 200));
	predictions.add(said(2, 140, 160));
	predictions.add(said(3, 100, 300));
	const deletion = deleteAfter(predictions, deletedAfter);
	expect(isAsPredicted(deletion)).toBe(false);
	expect(deletion.missed).toMatchObject({madeAt: now + 2 * second, range: missed});
});

test('ranges are taken by the second', () => {
	const predictions = predictionsWith();
	predictions.add(said(1, 100, 100));
	expect(isAsPredicted(deleteAfter(predictions, 100.9))).toBe(true);
});

test('a range with an end is told rather than an earlier one without', () => {
	const predictions = predictionsWith();
	predictions.add(said(1, 100, null));
	predictions.add(said(2, 100, 200));
	expect(deleteAfter(predictions, 150).first?.madeAt).toBe(now + 2 * second);
});

test('a pod of which nothing was said was not predicted', () => {
	const deletion = deleteAfter(predictionsWith(), 150);
	expect(deletion.first).toBeUndefined();
	expect(isAsPredicted(deletion)).toBe(false);
});

test('what was said before the world changed, or before the change can be seen, does not count', () => {
	const predictions = predictionsWith([{after: minute, do: 'stopKubelets', nodes: ['n1']}]);
	predictions.add(said(50, 400, 500));
	predictions.add(said(70, 400, 500));
	predictions.add(said(90, 140, 160));
	const deletion = deleteAfter(predictions, 150);
	expect(deletion.first?.madeAt).toBe(now + 90 * second);
	expect(isAsPredicted(deletion)).toBe(true);
});

test('a pod that goes at once is a deletion; the end of one that was terminating is none', () => {
	const predictions = predictionsWith();
	deleteAfter(predictions, 10);
	const gone = {type: 'podDeleted', namespace: 'shop', name: 'cart-0'} as const;
	predictions.observe([gone], now + 40 * second);
	expect(predictions.deletions).toHaveLength(1);
	const other = predictionsWith();
	other.observe([gone], now + 40 * second);
	expect(other.deletions).toHaveLength(1);
});

test('of what the first look shows, nothing was deleted while it watched', () => {
	const predictions = new WatchedPredictions(predictionsScript);
	predictions.observe([{type: 'podApplied', pod: {...pod, deletionTimestamp: now}}], now);
	expect(predictions.deletions).toEqual([]);
});

const predictionsScript = new Script(
	{name: '', title: '', size: {zones: {}, replicaFactor: 1}, settings: {}, steps: []},
	now,
);
