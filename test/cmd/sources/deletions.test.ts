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
