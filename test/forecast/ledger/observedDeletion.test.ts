import {expect, test} from 'vitest';
import type {ClusterEvent} from '../../../src/core/model/clusterEvent.ts';
import {evictionsBefore} from '../../../src/forecast/ledger/observedDeletion.ts';

test('evictions by controllers and by kubelets stand in the order in which they were', () => {
	const marked = (name: string, at: number) =>
		({
			reason: 'MarkingForDeletion',
			namespace: 'shop',
			name,
			about: `shop/${name}`,
			first: {at},
		}) as ClusterEvent;
	const evicted = (name: string, at: number) => ({
		...{node: 'b2', reason: 'Evicted', at, message: '', pod: `shop/${name}`, uid: name},
	});
	const found = evictionsBefore({events: [marked('early', 1), marked('late', 3)], pods: []}, [
		evicted('last', 4),
		evicted('between', 2),
	]);
	expect(found.map(({name}) => name)).toEqual(['early', 'between', 'late', 'last']);
});
