import {expect, test} from 'vitest';
import {minute, second} from '../../../src/core/time/instant.ts';
import {markFinder} from '../../../src/recording/format/marks.ts';
import {recordedFrom, recordedOutage} from '../../support/recordedOutage.ts';

test('that a node runs short, and whom its kubelet evicts, is something that happens', () => {
	const markOf = markFinder();
	const marks = recordedOutage('node-pressure', 8 * minute).flatMap((entry) => markOf(entry) ?? []);
	expect(marks.map(({at, text}) => [Math.round((at - recordedFrom) / second), text])).toEqual([
		[42, 'node b2 shows MemoryPressure'],
		[200, 'the kubelet of b2 evicts shop/search-4z67jx49b-xc6sj'],
		// Its StatefulSet deletes it at once, between two looks at its node.
		[385, 'the kubelet of b2 evicts shop/cart-1'],
	]);
});
