import {expect, test} from 'vitest';
import {Deletions} from '../../../cmd/sources/deletions.ts';
import type {ClusterEvent} from '../../../src/core/model/clusterEvent.ts';
import {ClusterStore} from '../../../src/store/clusterStore.ts';
import {now} from '../../print/forecasts.ts';
import {aPod} from '../../support/builders.ts';

const marking = (
	name: string,
	at: number,
	reason: ClusterEvent['reason'] = 'MarkingForDeletion',
): ClusterEvent => ({
	...{namespace: 'shop', name, reason, about: `shop/${name}-pod`, createdAt: at},
	...{first: {at, precision: 0}, last: {at, precision: 0}},
});

test('evictions of before the start are told by their events, the oldest first; what was called off is not', () => {
	const store = new ClusterStore();
	store.apply([{type: 'podApplied', pod: aPod('late-pod', {namespace: 'shop', nodeName: 'n1'})}], now);
	const deletions = new Deletions(store);
	const events = [
		marking('late', now - 5000),
		marking('early', now - 9000),
		marking('kept', now - 7000, 'CancellingDeletion'),
	];
	deletions.take(
		store.apply(
			events.map((event) => ({type: 'eventApplied', event}) as const),
			now,
			// As a live watch tells what all first lists found.
			{type: 'confirmed'},
		),
	);
	expect(deletions.happenings).toMatchObject([
		{at: now - 9000, namespace: 'shop', name: 'early-pod', isBefore: true, said: undefined},
		{at: now - 5000, namespace: 'shop', name: 'late-pod', node: 'n1', isBefore: true, isInside: undefined},
	]);
	deletions.take(store.apply([{type: 'eventApplied', event: marking('new', now)}], now));
	expect(deletions.happenings).toHaveLength(2);
});

test('a pod that its kubelet evicted is told once, also where it is deleted later', () => {
	const store = new ClusterStore();
	const deletions = new Deletions(store);
	const report = {node: 'n1', reason: 'Evicted', message: 'low', pod: 'shop/old', uid: 'uid-of-old'};
	const reports = [
		{...report, at: now - 3000},
		{...report, at: now - 5000},
		{node: 'n1', reason: 'EvictionThresholdMet', message: 'low', at: now - 9000},
	];
	deletions.takePressure({type: 'reported', reports});
	deletions.takePressure({type: 'reported', reports});
	const told = [{at: now - 5000, namespace: 'shop', name: 'old', node: 'n1', by: 'TerminationByKubelet'}];
	expect(deletions.happenings).toMatchObject(told);
	const pod = aPod('old', {phase: 'Failed', disruptedBy: 'TerminationByKubelet', isDisruptionTarget: true});
	deletions.take(store.apply([{type: 'podApplied', pod}], now));
	deletions.take(store.apply([{type: 'podDeleted', namespace: 'shop', name: 'old'}], now + 1000));
	expect(deletions.happenings).toMatchObject(told);
	expect(deletions.happenings).toHaveLength(1);
});
