import {expect, test} from 'vitest';
import {HeapOrder, type WaitingOrder} from '../../../../src/core/nodelifecycle/zones/waitingOrder.ts';
import {Random} from '../../../../src/core/time/random.ts';

const random = new Random(1);

/** Takes all waiting nodes, one after another. */
function drain(order: WaitingOrder): string[] {
	const names: string[] = [];
	for (let head = order.head(); head; head = order.head()) {
		names.push(head.value);
		order.remove(head.value);
	}
	return names;
}

const filled = (names: readonly string[], order: WaitingOrder = new HeapOrder()) => {
	for (const name of names) order.add(name, 0, random);
	return order;
};

test('of nodes queued in one pass, the last one follows the first', () => {
	expect(drain(filled(['n0', 'n1', 'n2', 'n4']))).toEqual(['n0', 'n4', 'n2', 'n1']);
});
