import {expect, test} from 'vitest';
import {ClusterStore, mostObjects} from '../../src/store/clusterStore.ts';
import {aNode} from '../support/builders.ts';

test('more objects than any cluster has are an error, before anybody looks at them', () => {
	const store = new ClusterStore();
	let taken = 0;
	store.subscribe({take: ({changes}) => (taken += changes.length)});
	const node = aNode('n1');
	const nodes = Array.from({length: mostObjects}, (_, index) => ({
		type: 'nodeApplied' as const,
		node: {...node, name: `n${index}`},
	}));
	store.apply(nodes, 0);
	store.apply(nodes.slice(0, 10), 1);
	expect(taken).toBe(mostObjects + 10);
	expect(() => store.apply([{type: 'nodeApplied', node: aNode('one-more')}], 2)).toThrow(
		'there are more than 700000 objects of a kind',
	);
	expect(taken).toBe(mostObjects + 10);
});
